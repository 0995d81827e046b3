// Preloaded into a PostgreSQL server, this library lets the disk be full for its tables while a
// file is there that BATON_FULL_DISK names: whatever would make one longer fails with ENOSPC. What
// is written in place and the log of transactions, whose files have their length already, go on: a
// server that cannot write its log ends itself, and that is another story (a crash). Preloaded into
// a relay on SQLite, for the files whose path has what BATON_FULL_DISK_OF says in it.

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

bool is_meant(int file) {
    static const char* const named = std::getenv("BATON_FULL_DISK_OF");
    static const std::string_view part = named == nullptr ? "/base/" : named;
    char link[64];
    char path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const auto length = ::readlink(link, path, sizeof path);
    const std::string_view name(path, length > 0 ? static_cast<std::size_t>(length) : 0);
    return name.find(part) != std::string_view::npos;
}

bool would_grow(int file, std::size_t bytes, off_t at) {
    struct stat now{};
    return ::fstat(file, &now) == 0 && at + static_cast<off_t>(bytes) > now.st_size;
}

using Write = ssize_t (*)(int, const void*, std::size_t, off_t);

ssize_t
write_if_there_is_room(Write real, int file, const void* bytes, std::size_t count, off_t at) {
    if (is_full() && would_grow(file, count, at) && is_meant(file)) {
        errno = ENOSPC;
        return -1;
    }
    return real(file, bytes, count, at);
}

} // namespace

extern "C" ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t at) {
    static const auto real = reinterpret_cast<Write>(::dlsym(RTLD_NEXT, "pwrite"));
    return write_if_there_is_room(real, file, bytes, count, at);
}

extern "C" ssize_t pwrite64(int file, const void* bytes, std::size_t count, off64_t at) {
    static const auto real = reinterpret_cast<Write>(::dlsym(RTLD_NEXT, "pwrite64"));
    return write_if_there_is_room(real, file, bytes, count, at);
}
