#include "baton/store/sqlite/lock_file.hpp"

#include "baton/base/result.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace baton::store::sqlite {

namespace {

/// What the holder wrote about itself: " (process 123)", or nothing.
std::string holder_in(int descriptor) {
    std::array<char, 32> text{};
    const auto size = pread(descriptor, text.data(), text.size(), 0);
    std::string_view found(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0U);
    found = found.substr(0, found.find('\n'));
    const bool is_number = found.find_first_not_of("0123456789") == std::string_view::npos;
    return found.empty() || !is_number ? std::string() : fmt::format(" (process {})", found);
}

std::string words_for(int error) {
    return std::system_category().message(error);
}

} // namespace

Result<LockFile> LockFile::take(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return fail(
            Errc::unavailable, fmt::format("{} cannot be opened: {}", path, words_for(errno))
        );
    }
    LockFile lock(descriptor);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) {
            return fail(
                Errc::unavailable, fmt::format("{} cannot be locked: {}", path, words_for(errno))
            );
        }
        return fail(
            Errc::conflict,
            fmt::format(
                "another baton{} is serving from this store: {} is locked; stop it first",
                holder_in(descriptor),
                path
            )
        );
    }
    // For the sentence above only: the lock holds whether or not this can be written.
    const auto mine = fmt::format("{}\n", getpid());
    if (ftruncate(descriptor, 0) == 0) {
        static_cast<void>(pwrite(descriptor, mine.data(), mine.size(), 0));
    }
    return lock;
}

LockFile::LockFile(LockFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

LockFile& LockFile::operator=(LockFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

LockFile::~LockFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

} // namespace baton::store::sqlite
