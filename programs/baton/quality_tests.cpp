// The files of tests that `baton quality collect` counts.

#include "baton/app/files.hpp"
#include "baton/app/find_files.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/coverage.hpp"
#include "baton/wire/baseline.hpp"
#include "baton/wire/junit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "quality_measure.hpp"

namespace baton::program {

namespace {

namespace fs = std::filesystem;

constexpr int kRunDays = 14;

/// What one --junit names.
struct Named {
    std::string hardware;
    std::vector<std::string> files;
    fs::path root; // names in the snapshot are told from here on
};

Result<Named> named_by(const std::string& word, const quality::Platform& platform) {
    Named named;
    auto place = word;
    for (const auto& hardware : platform.hardware) {
        if (word.starts_with(hardware + "=")) {
            named.hardware = hardware;
            place = word.substr(hardware.size() + 1);
        }
    }
    std::error_code ignored;
    if (fs::is_directory(place, ignored)) {
        named.root = place;
        place += "/**/*.xml";
    } else {
        named.root = fs::path(place).parent_path();
    }
    named.files = app::find_files(place);
    if (named.files.empty()) {
        return fail(Errc::not_found, fmt::format("--junit {}: there is no such file", inert(word)));
    }
    return named;
}

Result<quality::TestFile> read_one(const std::string& path, const Named& named) {
    auto text = app::read_file(path, wire::kJunitFileBytesMax);
    if (!text) {
        return fail(text.error());
    }
    auto digest = crypto::sha256_hex(*text);
    auto file = wire::read_junit_tests(*std::move(text));
    if (!file) {
        return fail(Errc::invalid, fmt::format("{}: {}", inert(path), file.error().detail));
    }
    file->file = {
        .name = fs::path(path).lexically_relative(named.root).generic_string(),
        .sha256 = std::move(digest),
        .hardware = named.hardware,
    };
    return file;
}

Result<std::vector<quality::TestFile>>
read_files(const TestOptions& options, const quality::Platform& platform) {
    std::vector<quality::TestFile> files;
    std::set<std::string> seen;
    for (const auto& word : options.junit) {
        BATON_TRY(const auto named, named_by(word, platform));
        for (const auto& path : named.files) {
            if (!seen.insert(fs::path(path).lexically_normal().string()).second) {
                continue; // two words name it
            }
            if (files.size() >= wire::kJunitFilesMax) {
                return fail(
                    Errc::invalid, fmt::format("--junit: more than {} files", wire::kJunitFilesMax)
                );
            }
            BATON_TRY(auto file, read_one(path, named));
            files.push_back(std::move(file));
        }
    }
    std::ranges::sort(files, {}, [](const quality::TestFile& file) {
        return std::pair(file.file.hardware, file.file.name);
    });
    return files;
}

Result<quality::Baseline>
read_manifest(const std::string& path, const quality::Assessment& assessment) {
    BATON_TRY(const auto text, app::read_file(path, wire::kBaselineBytesMax));
    auto baseline = wire::read_baseline(text);
    if (!baseline) {
        return fail(Errc::invalid, fmt::format("{}: {}", inert(path), baseline.error().detail));
    }
    if (baseline->release != assessment.release) {
        return fail(
            Errc::invalid,
            fmt::format(
                "{} is the baseline of {}, the assessment is of {}",
                inert(path),
                quality::to_text(baseline->release),
                quality::to_text(assessment.release)
            )
        );
    }
    return baseline;
}

} // namespace

Result<TestInputs>
read_tests(const TestOptions& options, const quality::Assessment& assessment, quality::Day as_of) {
    const auto& platform = assessment.platform;
    TestInputs inputs;
    inputs.facts.devices = {"privateuse1"};
    if (!platform.backend.device.empty()) {
        inputs.facts.devices.push_back(lower(platform.backend.device));
    }
    inputs.facts.hardware = platform.hardware;
    inputs.facts.targets = platform.targets;
    inputs.facts.window = {.from = as_of - std::chrono::days{kRunDays}, .to = as_of};
    BATON_TRY(inputs.facts.files, read_files(options, platform));
    if (!options.baseline.empty()) {
        BATON_TRY(inputs.baseline, read_manifest(options.baseline, assessment));
    }
    if (!options.marks.empty()) {
        BATON_TRY(const auto text, app::read_file(options.marks, wire::kBaselineBytesMax));
        auto marks = wire::read_marks(text);
        if (!marks) {
            return fail(
                Errc::invalid, fmt::format("{}: {}", inert(options.marks), marks.error().detail)
            );
        }
        inputs.marks = *std::move(marks);
    }
    return inputs;
}

} // namespace baton::program
