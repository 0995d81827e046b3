#include "baton/store/sqlite/partial_file.hpp"

#include "baton/base/result.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace baton::store::sqlite {

namespace {

constexpr std::array<std::string_view, 3> kBeside{"-journal", "-wal", "-shm"};

Error cannot(const std::string& path, std::string_view verb) {
    const auto why = std::generic_category().message(errno);
    return {
        .code = Errc::unavailable, .detail = fmt::format("{} cannot be {}: {}", path, verb, why)
    };
}

void remove_beside(const std::string& path) {
    for (const auto ending : kBeside) {
        std::error_code ignored;
        std::filesystem::remove(path + std::string(ending), ignored);
    }
}

/// A name is on disk once its folder is.
Result<void> sync_folder_of(const std::string& path) {
    auto folder = std::filesystem::path(path).parent_path().string();
    folder = folder.empty() ? "." : folder;
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    auto error = synced ? Error{} : cannot(folder, "written");
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    if (!synced) {
        return fail(std::move(error));
    }
    return {};
}

} // namespace

Result<PartialFile> PartialFile::make(const std::string& name) {
    const auto path = name + ".partial";
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return fail(cannot(path, "made"));
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        ::close(descriptor);
        return fail(
            Errc::conflict, fmt::format("another baton is writing {}; wait for its end", path)
        );
    }
    PartialFile file(name, descriptor);
    remove_beside(path); // a journal of a killed process would be played back into the new file
    if (::ftruncate(descriptor, 0) != 0) {
        return fail(cannot(path, "emptied"));
    }
    return file;
}

PartialFile::PartialFile(std::string name, int descriptor)
    : name_(std::move(name))
    , path_(name_ + ".partial")
    , descriptor_(descriptor) {}

PartialFile::PartialFile(PartialFile&& other) noexcept
    : name_(std::move(other.name_))
    , path_(std::move(other.path_))
    , descriptor_(std::exchange(other.descriptor_, -1)) {}

PartialFile::~PartialFile() {
    if (descriptor_ < 0) {
        return;
    }
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    remove_beside(path_);
    ::close(descriptor_);
}

Result<void> PartialFile::sync() const {
    if (::fsync(descriptor_) != 0) {
        return fail(cannot(path_, "written"));
    }
    return {};
}

Result<void> PartialFile::give_its_name() && {
    if (std::rename(path_.c_str(), name_.c_str()) != 0) {
        return fail(cannot(path_, "renamed"));
    }
    remove_beside(path_);
    ::close(std::exchange(descriptor_, -1));
    return sync_folder_of(name_);
}

} // namespace baton::store::sqlite
