#include "baton/app/quality_files.hpp"

#include "baton/app/files.hpp"
#include "baton/app/find_files.hpp"
#include "baton/base/limits.hpp"
#include "baton/config/config.hpp"
#include "baton/hud/quality_shelf.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace baton::app {

namespace {

struct Wanted {
    std::string folder;
    std::string_view glob;
    std::string_view code; // of what cannot be read
};

struct Gathered {
    std::vector<hud::QualityText> texts;
    std::vector<hud::FaultyFile> faulty;
};

hud::FaultyFile faulty(std::string path, std::string_view code, std::string message) {
    hud::FaultyFile file{.path = std::move(path), .findings = {}};
    file.findings.push_back(
        {.code = std::string(code), .at = {}, .message = std::move(message), .hint = {}}
    );
    return file;
}

/// Pages show names below the folder; where it lies is the operator's business.
std::string without(const std::string& text, const std::string& folder) {
    const auto prefix = folder + "/";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

Gathered gather(const Wanted& wanted) {
    Gathered all;
    std::error_code failed;
    if (!std::filesystem::is_directory(wanted.folder, failed)) {
        all.faulty.push_back(faulty("", wanted.code, "the configured folder is not there"));
        return all;
    }
    std::size_t bytes = 0;
    for (const auto& path : find_files(fmt::format("{}/{}", wanted.folder, wanted.glob))) {
        const auto name = without(path, wanted.folder);
        if (all.texts.size() == kQualityFilesMax || bytes > kQualityBytesMax) {
            all.faulty.push_back(faulty(
                name,
                wanted.code,
                fmt::format(
                    "this one and those behind it are left out: more than {} files or {} bytes",
                    kQualityFilesMax,
                    kQualityBytesMax
                )
            ));
            break;
        }
        auto text = read_file(path, limits::kAllowlistBytesMax);
        if (!text) {
            all.faulty.push_back(faulty(
                name,
                wanted.code,
                fmt::format("cannot be read: {}", without(text.error().detail, wanted.folder))
            ));
            continue;
        }
        bytes += text->size();
        all.texts.push_back({.path = name, .text = *std::move(text)});
    }
    return all;
}

} // namespace

hud::QualityTexts read_quality_texts(const config::Quality& folders) {
    hud::QualityTexts texts;
    texts.configured = !folders.assessments.empty();
    if (!folders.criteria.empty()) {
        auto criteria = gather({.folder = folders.criteria, .glob = "*.yml", .code = "C040"});
        texts.criteria = std::move(criteria.texts);
        texts.faulty_criteria = std::move(criteria.faulty);
    }
    if (texts.configured) {
        auto assessments =
            gather({.folder = folders.assessments, .glob = "*/*.yml", .code = "Q040"});
        texts.assessments = std::move(assessments.texts);
        texts.faulty_assessments = std::move(assessments.faulty);
    }
    return texts;
}

} // namespace baton::app
