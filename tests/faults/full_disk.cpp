// Preloaded into a PostgreSQL server, this library lets the disk be full for its tables while a
// file is there that BATON_FULL_DISK names: whatever would make one longer fails with ENOSPC. What
// is written in place and the log of transactions, whose files have their length already, go on: a
// server that cannot write its log ends itself, and that is another story (a crash).

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

bool is_full() {
    static const char* const mark = std::getenv("BATON_FULL_DISK");
    return mark != nullptr && ::access(mark, F_OK) == 0;
}

bool is_a_table(int file) {
    char link[64];
    char path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const auto length = ::readlink(link, path, sizeof path);
    const std::string_view name(path, length > 0 ? static_cast<std::size_t>(length) : 0);
    return name.find("/base/") != std::string_view::npos;
}

bool would_grow(int file, std::size_t bytes, off_t at) {
    struct stat now{};
    return ::fstat(file, &now) == 0 && at + static_cast<off_t>(bytes) > now.st_size;
}

} // namespace

extern "C" ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t at) {
    using Function = ssize_t (*)(int, const void*, std::size_t, off_t);
    static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "pwrite"));
    if (is_full() && would_grow(file, count, at) && is_a_table(file)) {
        errno = ENOSPC;
        return -1;
    }
    return real(file, bytes, count, at);
}
