#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <string>

namespace baton::test {

template <class Page> struct UnmapPage {
    void operator()(Page* page) const { ::munmap(page, sizeof(Page)); }
};

/// Memory that a test shares with a process that it started.
template <class Page> using SharedPage = std::unique_ptr<Page, UnmapPage<Page>>;

/// Maps the file, made when it is missing: then all of it is zero. Null when it cannot be had.
template <class Page> SharedPage<Page> map_page(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        return nullptr;
    }
    void* memory = MAP_FAILED;
    if (::ftruncate(file, sizeof(Page)) == 0) {
        memory = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    ::close(file);
    return SharedPage<Page>(memory == MAP_FAILED ? nullptr : static_cast<Page*>(memory));
}

} // namespace baton::test
