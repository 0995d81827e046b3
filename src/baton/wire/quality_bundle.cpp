#include "baton/wire/quality_bundle.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/lint.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/report.hpp"
#include "baton/wire/assessment.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/calendar.hpp"
#include "baton/wire/criteria.hpp"
#include "baton/wire/report_json.hpp"
#include "baton/wire/strict_json.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

constexpr const char* kAssessment = "assessment.yml";
constexpr const char* kCriteria = "criteria.yml";
constexpr const char* kResult = "result.json";
constexpr const char* kMarkdown = "report.md";
constexpr const char* kHtml = "report.html";

struct Read {
    quality::CriteriaSet set;
    quality::Assessment assessment;
};

std::string first_error(std::span<const quality::Finding> findings, std::string_view name) {
    for (const auto& finding : findings) {
        if (finding.severity == quality::Severity::error) {
            return quality::to_text(finding, name);
        }
    }
    return fmt::format("{} cannot be read", name);
}

Result<Read> read_files(const AssessmentFiles& files) {
    auto criteria = read_criteria(files.criteria);
    if (!criteria.set) {
        return fail(Errc::invalid, first_error(criteria.findings, kCriteria));
    }
    auto assessment = read_assessment(files.assessment);
    if (!assessment.assessment) {
        return fail(Errc::invalid, first_error(assessment.findings, kAssessment));
    }
    return Read{.set = *std::move(criteria.set), .assessment = *std::move(assessment.assessment)};
}

/// Everything read, and what the report is made from.
struct Opened {
    Read assessed;
    std::vector<Read> before;

    quality::ReportInput
    report_input(quality::Day as_of, std::optional<quality::Reading> reading) const {
        quality::ReportInput input{
            .set = assessed.set,
            .assessment = assessed.assessment,
            .as_of = as_of,
            .before = {},
            .reading = reading,
            .calendar = &pytorch_calendar(),
        };
        for (const auto& earlier : before) {
            input.before.push_back({.set = &earlier.set, .assessment = &earlier.assessment});
        }
        return input;
    }

    /// nullptr: it is not named, or not there.
    const quality::Assessment* previous() const {
        const auto& named = assessed.assessment.previous;
        for (const auto& earlier : before) {
            if (named && earlier.assessment.release == named->release) {
                return &earlier.assessment;
            }
        }
        return nullptr;
    }
};

Result<Opened> open(const QualityBundleInput& input) {
    BATON_TRY(auto assessed, read_files(input.assessed));
    Opened opened{.assessed = std::move(assessed), .before = {}};
    for (const auto& files : input.before) {
        BATON_TRY(auto earlier, read_files(files));
        opened.before.push_back(std::move(earlier));
    }
    return opened;
}

/// Evidence files that are not what was declared, and a chain that is broken.
std::vector<std::string>
differences_in(const Opened& opened, const std::map<std::string, std::string>& evidence) {
    quality::LintInput input;
    for (const auto& declared : opened.assessed.assessment.evidence) {
        if (!declared.file.empty()) {
            const auto found = evidence.find(declared.file);
            input.files[declared.file] = found == evidence.end()
                                             ? std::nullopt
                                             : std::optional(crypto::sha256_hex(found->second));
        }
    }
    input.previous = opened.previous();
    std::vector<std::string> differences;
    for (const auto& finding :
         quality::lint(opened.assessed.set, opened.assessed.assessment, input)) {
        if (finding.code == "Q007" || finding.code == "Q031") {
            differences.push_back(quality::to_text(finding, kAssessment));
        }
    }
    return differences;
}

BundleFiles pages_of(const quality::Report& report) {
    const auto page = quality::lay_out(report);
    return {
        {kResult, report_json(report)},
        {kMarkdown, quality::to_markdown(page)},
        {kHtml, quality::to_html(page)},
    };
}

std::string name_before(quality::Release release, std::string_view ending) {
    return fmt::format("before/{}{}", quality::to_text(release), ending);
}

/// What came from outside, under the names it gets.
std::vector<std::pair<std::string, std::string>>
kept_files(const QualityBundleInput& input, const Opened& opened) {
    std::vector<std::pair<std::string, std::string>> kept{
        {kAssessment, input.assessed.assessment},
        {kCriteria, input.assessed.criteria},
    };
    for (std::size_t i = 0; i < input.before.size(); ++i) {
        const auto release = opened.before[i].assessment.release;
        kept.emplace_back(name_before(release, ".yml"), input.before[i].assessment);
        if (input.before[i].criteria != input.assessed.criteria) {
            kept.emplace_back(name_before(release, ".criteria.yml"), input.before[i].criteria);
        }
    }
    kept.insert(kept.end(), input.evidence.begin(), input.evidence.end());
    return kept;
}

bool is_reserved(const QualityBundleInput& input, const std::string& name) {
    return name == kDigestsFile || name == kSignatureFile ||
           (name.starts_with("before/") && input.evidence.contains(name));
}

/// The day and the reading that a result says it was made for; without them it will not be the one
/// that is made again.
void read_result(const std::string& result, QualityBundleInput& input) {
    simdjson::dom::parser parser;
    const auto object = strict_object(parser, result);
    const auto text = [&](std::string_view key) {
        std::string_view held;
        return object && (*object)[key].get(held) == simdjson::SUCCESS ? held : "";
    };
    input.as_of = quality::parse_day(text("as_of")).value_or(quality::Day{});
    input.reading = quality::reading_named(text("reading"));
}

QualityVerdict verdict_of(
    const Opened& opened,
    const quality::Report& report,
    const std::map<std::string, std::string>& evidence
) {
    const auto* const previous = opened.previous();
    return {
        .level = quality::level_name(report.set, report.score.level),
        .proven = report.score.proven,
        .potential = report.score.potential,
        .max = report.score.max,
        .chained =
            previous != nullptr && previous->digest == opened.assessed.assessment.previous->digest,
        .differences = differences_in(opened, evidence),
    };
}

/// The input that a bundle was made from; what is not there is empty.
QualityBundleInput input_of(const BundleFiles& files) {
    const auto bytes = [&](const std::string& name) {
        const auto found = files.find(name);
        return found == files.end() ? std::string() : found->second;
    };
    QualityBundleInput input{
        .assessed = {.assessment = bytes(kAssessment), .criteria = bytes(kCriteria)},
        .evidence = files,
        .before = {},
        .as_of = {},
        .reading = {},
    };
    read_result(bytes(kResult), input);
    constexpr std::string_view kEnding = ".yml";
    constexpr std::string_view kOwnCriteria = ".criteria.yml";
    for (const auto& [name, text] : files) {
        if (name.starts_with("before/") && name.ends_with(kEnding) &&
            !name.ends_with(kOwnCriteria)) {
            const auto stem = name.substr(0, name.size() - kEnding.size());
            auto own = bytes(stem + std::string(kOwnCriteria));
            input.before.push_back(
                {.assessment = text, .criteria = own.empty() ? input.assessed.criteria : own}
            );
        }
    }
    return input;
}

} // namespace

Result<BundleFiles> make_quality_bundle(const QualityBundleInput& input) {
    BATON_TRY(const auto opened, open(input));
    if (const auto differences = differences_in(opened, input.evidence); !differences.empty()) {
        return fail(Errc::invalid, differences.front());
    }
    auto files = pages_of(quality::make_report(opened.report_input(input.as_of, input.reading)));
    auto kept = kept_files(input, opened);
    for (auto& [name, bytes] : kept) {
        if (is_reserved(input, name) || !files.emplace(name, std::move(bytes)).second) {
            return fail(
                Errc::invalid,
                fmt::format("the name {} is needed for a file of the bundle", inert(name))
            );
        }
    }
    add_digests(files);
    return files;
}

Result<QualityVerdict> check_quality_files(const QualityBundleInput& input) {
    BATON_TRY(const auto opened, open(input));
    return verdict_of(
        opened,
        quality::make_report(opened.report_input(input.as_of, input.reading)),
        input.evidence
    );
}

Result<QualityVerdict> check_quality_bundle(const BundleFiles& files) {
    const auto input = input_of(files);
    BATON_TRY(const auto opened, open(input));
    const auto report = quality::make_report(opened.report_input(input.as_of, input.reading));
    auto verdict = verdict_of(opened, report, input.evidence);
    for (const auto& [name, bytes] : pages_of(report)) {
        const auto there = files.find(name);
        if (there == files.end() || there->second != bytes) {
            verdict.differences.push_back(fmt::format("{} is not what the assessment gives", name));
        }
    }
    return verdict;
}

} // namespace baton::wire
