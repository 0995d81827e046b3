#include "quality_files.hpp"

#include "baton/app/files.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/criteria.hpp"
#include "baton/wire/quality_bundle.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <system_error>
#include <utility>

#include "quality.hpp"
#include "quality_dossier.hpp"

namespace baton::program {

namespace {

namespace fs = std::filesystem;

/// The file that a set was read from.
Result<std::string> criteria_file(const quality::CriteriaSet& set, const std::string& named) {
    for (const auto& file : wire::criteria_files()) {
        if (crypto::sha256_hex(file.text) == set.digest) {
            return std::string(file.text);
        }
    }
    return app::read_file(named, limits::kAllowlistBytesMax);
}

Result<wire::AssessmentFiles>
assessment_files(const AssessmentInput& input, const std::string& criteria) {
    BATON_TRY(auto assessment, app::read_file(input.path, limits::kAllowlistBytesMax));
    BATON_TRY(auto set, criteria_file(*input.set, criteria));
    return wire::AssessmentFiles{.assessment = std::move(assessment), .criteria = std::move(set)};
}

} // namespace

Result<wire::QualityBundleInput> files_of(const Dossier& dossier, const std::string& criteria) {
    BATON_TRY(auto assessed, assessment_files(dossier.input, criteria));
    wire::QualityBundleInput files{
        .assessed = std::move(assessed),
        .evidence = {},
        .before = {},
        .as_of = dossier.as_of,
        .reading = dossier.reading,
    };
    for (const auto& earlier : dossier.before) {
        BATON_TRY(auto before, assessment_files(earlier, criteria));
        files.before.push_back(std::move(before));
    }
    const auto folder = fs::path(dossier.input.path).parent_path();
    for (const auto& evidence : dossier.input.assessment->evidence) {
        if (evidence.file.empty()) {
            continue;
        }
        auto bytes = app::read_file((folder / evidence.file).string(), wire::kBundleBytesMax);
        if (bytes) {
            files.evidence[evidence.file] = *std::move(bytes);
        }
    }
    return files;
}

Result<void> replace_file(const std::string& path, const std::string& text) {
    const auto fresh = path + ".new";
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    std::error_code error;
    if (file) {
        fs::rename(fresh, path, error);
    }
    if (!file || error) {
        std::error_code ignored;
        fs::remove(fresh, ignored);
        return fail(Errc::unavailable, fmt::format("{} cannot be written", path));
    }
    return {};
}

} // namespace baton::program
