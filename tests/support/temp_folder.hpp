#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace baton::test {

/// A folder of the test's own, gone with it.
class TempFolder {
public:
    explicit TempFolder(
        const std::filesystem::path& parent = std::filesystem::temp_directory_path()
    ) {
        auto pattern = (parent / "baton-test-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error("no temporary folder can be made");
        }
        path_ = pattern;
    }

    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string file(const std::string& name) const { return (path_ / name).string(); }

    /// Where files live in memory if the system has such a place: for tests that are about answers,
    /// not about disks.
    static std::filesystem::path fast_parent() {
        return std::filesystem::exists("/dev/shm") ? "/dev/shm"
                                                   : std::filesystem::temp_directory_path();
    }

private:
    std::filesystem::path path_;
};

} // namespace baton::test
