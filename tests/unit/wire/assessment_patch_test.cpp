#include "baton/quality/assessment.hpp"
#include "baton/quality/filling.hpp"
#include "baton/quality/lint.hpp"
#include "baton/quality/metric.hpp"
#include "baton/wire/assessment.hpp"
#include "baton/wire/assessment_patch.hpp"
#include "baton/wire/criteria.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace baton::wire {

namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHead =
    "schema: cpq-assessment/1\n"
    "criteria: {set: pytorch-cpq, version: \"2025.11-124\"}\n"
    "platform: {id: a, name: Ä, vendor: v, class: cpu, targets: [inference]}\n"
    "release: {pytorch: \"2.14\"}\n"
    "assessed: {on: 2026-10-20}\n";

quality::Metric metric(const char* name, std::int64_t num, std::int64_t den) {
    return {
        .name = name,
        .formula = {},
        .num = num,
        .den = den,
        .n = den,
        .figures = {},
        .verdict = quality::MetricVerdict::measured,
        .reason = {},
        .rows = {}
    };
}

/// A snapshot in which TEST-1 and TEST-4 were measured, filled into a text.
struct Filled {
    explicit Filled(const std::string& text)
        : snapshot{.repo = "acme/backend", .upstream = "up/stream", .as_of = *quality::parse_day("2026-10-12"), .relay_level = 3, .baseline = {}, .files = {}, .metrics = {metric("ut_coverage", 60, 100), metric("ops_coverage", 5, 10)}, .reporting = {}}
        , evidence{.id = "relay", .file = "ev/metrics.json", .digest = std::string(64, 'a')} {
        const auto reading = read_assessment(text);
        EXPECT_TRUE(reading.assessment) << text;
        filling = quality::fill(
            *builtin_criteria_set("pytorch-cpq/2025.11-124"), *reading.assessment, snapshot, "relay"
        );
        result = patched(text, {.snapshot = snapshot, .evidence = evidence, .filling = filling});
    }

    quality::Snapshot snapshot;
    quality::SnapshotEvidence evidence;
    quality::Filling filling;
    Result<std::string> result{fail(Errc::invalid, "")};
};

std::string patched_or_fail(const std::string& text) {
    const Filled filled(text);
    EXPECT_TRUE(filled.result) << filled.result.error().detail << text;
    return filled.result.value_or("");
}

const std::string kEvidence =
    "relay: {type: ci-metric, metric: cpq-metrics/1, run: \"relay:acme/backend@2026-10-12\", "
    "captured: 2026-10-12, file: \"ev/metrics.json\", sha256: \"" +
    std::string(64, 'a') + "\"}";
const std::string kFacts = "facts:\n  relay_level: 3\n  baseline: {TEST-1: 100, TEST-4: 10}\n";
const std::string kMeasured = "measured, value: {num: 60, den: 100}, ev: [relay]";
const std::string kOps = "measured, value: {num: 5, den: 10}, ev: [relay]";

struct PatchCase {
    const char* name;
    std::string before;
    std::string after;
};

const PatchCase kPatches[] = {
    {"as init writes it",
     "evidence: {}\nitems:\n  # P1\n  TEST-1: {claim: unknown}\n  TEST-4: {claim: unknown}\n",
     "evidence:\n  " + kEvidence + "\nitems:\n  # P1\n  TEST-1: {claim: " + kMeasured +
         "}\n  TEST-4: {claim: " + kOps + "}\n" + kFacts},
    {"words of its own stay, in their order",
     "evidence: # all of it\n    b: {type: url, url: u}\nitems:\n  TEST-1: {note: \"Ä {\", claim: "
     "\"unknown\", effort: 3} # later\n  TEST-4: {claim: unmet}\n",
     "evidence: # all of it\n    " + kEvidence +
         "\n    b: {type: url, url: u}\nitems:\n  TEST-1: {note: \"Ä {\", claim: " + kMeasured +
         ", effort: 3} # later\n  TEST-4: {claim: unmet}\n" + kFacts},
    {"blocks stay blocks",
     "items:\n  TEST-1:\n    claim: unknown # nobody looked\n    plan: x\n",
     "evidence:\n  " + kEvidence +
         "\nitems:\n  TEST-1:\n    claim: measured # nobody looked\n    value: {num: 60, den: "
         "100}\n"
         "    ev: [relay]\n    plan: x\n" +
         kFacts},
    {"all in braces, on one line, without an end of the line",
     "evidence: {b: {type: url, url: u}}\nfacts: {relay_level: 2}\nitems: {TEST-1: {claim: "
     "unknown}, TEST-4: {claim: unknown}}",
     "evidence: {" + kEvidence +
         ", b: {type: url, url: u}}\nfacts: {baseline: {TEST-1: 100, TEST-4: 10}, relay_level: "
         "2}\nitems: {TEST-1: {claim: " +
         kMeasured + "}, TEST-4: {claim: " + kOps + "}}"},
    {"nothing after the last line",
     "items: {TEST-1: {claim: unknown}}",
     "evidence:\n  " + kEvidence + "\nitems: {TEST-1: {claim: " + kMeasured + "}}\n" + kFacts},
    {"nothing is unknown, and facts are there",
     "items: {TEST-1: {claim: unmet}}\nfacts: {relay_level: 3, baseline: {TEST-1: 4}}\n",
     "items: {TEST-1: {claim: unmet}}\nfacts: {relay_level: 3, baseline: {TEST-1: 4}}\n"},
};

} // namespace

TEST(AssessmentPatch, PutsClaimsWhereUnknownStoodAndLeavesTheRest) {
    for (const auto& c : kPatches) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(patched_or_fail(kHead + c.before), kHead + c.after);
    }
}

TEST(AssessmentPatch, KeepsEndsOfLines) {
    std::string text;
    for (const auto c : kHead + kPatches[0].before) {
        text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    }
    const auto changed = patched_or_fail(text);
    for (std::size_t i = 0; i < changed.size(); ++i) {
        EXPECT_TRUE(changed[i] != '\n' || changed[i - 1] == '\r') << i;
    }
}

TEST(AssessmentPatch, MakesAFileThatLintHasNoErrorsIn) {
    const auto& set = *builtin_criteria_set("pytorch-cpq/2025.11-124");
    std::string text = kHead + "evidence: {}\nitems:\n";
    for (const auto& item : set.items) {
        text += fmt::format("  {}: {{claim: unknown}}\n", item.id);
    }
    const auto reading = read_assessment(patched_or_fail(text));
    ASSERT_TRUE(reading.assessment);
    quality::LintInput input;
    input.files["ev/metrics.json"] = std::string(64, 'a');
    for (const auto& finding : quality::lint(set, *reading.assessment, input)) {
        EXPECT_NE(finding.severity, quality::Severity::error) << finding.message;
    }
}

TEST(AssessmentPatch, RefusesWhatOnlyAPersonCanAddTo) {
    const auto flat = "{schema: cpq-assessment/1, criteria: {set: pytorch-cpq, version: "
                      "\"2025.11-124\"}, platform: {id: a, name: a, vendor: v, class: cpu, "
                      "targets: []}, release: {pytorch: \"2.14\"}, assessed: {on: 2026-10-20}, "
                      "items: {TEST-1: {claim: unknown}}}\n";
    EXPECT_THAT(Filled(flat).result.error().detail, HasSubstr("only a person"));
    const auto ended = kHead + "items: {TEST-1: {claim: unknown}}\n...\n";
    EXPECT_FALSE(Filled(ended).result);
}

TEST(AssessmentPatch, IsPrintedAsYamlOfItsOwn) {
    const Filled filled(kHead + kPatches[0].before);
    EXPECT_EQ(
        yaml_of(
            {.snapshot = filled.snapshot, .evidence = filled.evidence, .filling = filled.filling}
        ),
        "evidence:\n  " + kEvidence + "\nitems:\n  TEST-1: {claim: " + kMeasured +
            "}\n  TEST-4: {claim: " + kOps + "}\n" + kFacts
    );
}

} // namespace baton::wire
