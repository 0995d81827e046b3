#include "bundle_folder.hpp"

#include "baton/app/files.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/wire/bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace baton::program {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kNames{
    "allowlist.patch",
    "chart.svg",
    "digests.txt",
    "events.csv",
    "exclusions.md",
    "signature",
    "verdict.json",
    "verdict.md",
};

/// What a folder holds; `not_found` without one.
Result<std::vector<fs::path>> entries_of(const std::string& folder) {
    std::error_code failed;
    std::vector<fs::path> entries;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        entries.push_back(at->path());
        if (entries.size() > wire::kBundleFilesMax) {
            return fail(
                Errc::invalid,
                fmt::format("{} holds far more than a bundle: name its folder", folder)
            );
        }
    }
    if (failed) {
        return fail(Errc::not_found, fmt::format("{}: {}", folder, failed.message()));
    }
    std::ranges::sort(entries);
    return entries;
}

Result<void> write_file(const fs::path& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
        return fail(Errc::unavailable, fmt::format("{} cannot be written", path.string()));
    }
    return {};
}

} // namespace

Result<wire::BundleFiles> read_bundle_folder(const std::string& folder) {
    BATON_TRY(const auto entries, entries_of(folder));
    wire::BundleFiles files;
    for (const auto& path : entries) {
        std::error_code ignored;
        if (!fs::is_regular_file(path, ignored)) {
            files[path.filename().string()] = "";
            continue;
        }
        BATON_TRY(auto bytes, app::read_file(path.string(), wire::kBundleBytesMax));
        files[path.filename().string()] = std::move(bytes);
    }
    return files;
}

Result<void> write_bundle_folder(const std::string& folder, const wire::BundleFiles& files) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    BATON_TRY(const auto entries, entries_of(folder));
    for (const auto& path : entries) {
        const auto name = path.filename().string();
        if (std::ranges::find(kNames, name) == kNames.end()) {
            return fail(
                Errc::conflict,
                fmt::format("{} holds {}: name a folder of its own", folder, inert(name))
            );
        }
    }
    for (const auto& path : entries) {
        fs::remove(path, failed);
    }
    for (const auto& [name, bytes] : files) {
        if (auto written = write_file(fs::path(folder) / name, bytes); !written) {
            return written;
        }
    }
    return {};
}

} // namespace baton::program
