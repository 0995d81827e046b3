#include "bundle_folder.hpp"

#include "baton/app/files.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/wire/bundle_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ios>
#include <ranges>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace baton::program {

namespace {

namespace fs = std::filesystem;

struct Entries {
    std::vector<std::string> files; // by name, whatever they are
    std::vector<fs::path> folders;  // outer ones first
};

/// What a folder and those below it hold; `not_found` without one.
Result<Entries> entries_of(const std::string& folder) {
    std::error_code failed;
    Entries entries;
    for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        if (fs::is_directory(at->symlink_status(failed))) {
            entries.folders.push_back(at->path());
        } else {
            entries.files.push_back(at->path().lexically_relative(folder).generic_string());
        }
        if (entries.files.size() + entries.folders.size() > wire::kBundleFilesMax) {
            return fail(
                Errc::invalid,
                fmt::format("{} holds far more than a bundle: name its folder", folder)
            );
        }
    }
    if (failed) {
        return fail(Errc::not_found, fmt::format("{}: {}", folder, failed.message()));
    }
    std::ranges::sort(entries.files);
    std::ranges::sort(entries.folders);
    return entries;
}

/// What an earlier bundle says it wrote into the folder.
std::set<std::string> names_left(const std::string& folder) {
    std::set<std::string> names;
    const auto path = (fs::path(folder) / wire::kDigestsFile).string();
    if (const auto digests = app::read_file(path, wire::kBundleBytesMax)) {
        names = wire::listed_in(*digests).value_or(names);
    }
    names.insert(wire::kDigestsFile);
    names.insert(wire::kSignatureFile);
    return names;
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
    for (const auto& name : entries.files) {
        const auto path = fs::path(folder) / name;
        std::error_code ignored;
        if (!fs::is_regular_file(fs::symlink_status(path, ignored))) {
            files[name] = "";
            continue;
        }
        BATON_TRY(auto bytes, app::read_file(path.string(), wire::kBundleBytesMax));
        files[name] = std::move(bytes);
    }
    return files;
}

Result<void> write_bundle_folder(const std::string& folder, const wire::BundleFiles& files) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    BATON_TRY(const auto entries, entries_of(folder));
    const auto known = names_left(folder);
    for (const auto& name : entries.files) {
        if (!known.contains(name)) {
            return fail(
                Errc::conflict,
                fmt::format("{} holds {}: name a folder of its own", folder, inert(name))
            );
        }
    }
    for (const auto& name : entries.files) {
        fs::remove(fs::path(folder) / name, failed);
    }
    for (const auto& inner : entries.folders | std::views::reverse) {
        fs::remove(inner, failed);
    }
    // The digests first: should this end half-way, the next one knows what it may replace.
    const auto digests = files.find(wire::kDigestsFile);
    if (digests != files.end()) {
        if (auto written = write_file(fs::path(folder) / digests->first, digests->second);
            !written) {
            return written;
        }
    }
    for (const auto& [name, bytes] : files) {
        const auto path = fs::path(folder) / name;
        fs::create_directories(path.parent_path(), failed);
        if (auto written = write_file(path, bytes); !written) {
            return written;
        }
    }
    return {};
}

} // namespace baton::program
