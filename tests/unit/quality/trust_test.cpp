#include "baton/quality/assessment.hpp"
#include "baton/quality/trust.hpp"

#include <gtest/gtest.h>

#include <string>

namespace baton::quality {
namespace {

TEST(Trust, FollowsFromWhatEvidenceIsDeclaredToBe) {
    struct Case {
        const char* what;
        Evidence evidence;
        const char* tier;
    };

    const std::string digest(64, 'a');
    const Window window{};
    const Case cases[] = {
        {"a relay's figure over a window",
         {.type = "ci-metric", .digest = digest, .window = window},
         "T4"},
        {"a relay's snapshot as a file",
         {.type = "ci-metric", .file = "ev/m.json", .sha256 = digest, .window = window},
         "T4"},
        {"what collect wrote down",
         {.type = "ci-metric", .digest = digest, .metric = "cpq-metrics/1", .run = "relay:a/b"},
         "T4"},
        {"the same without a digest",
         {.type = "ci-metric", .metric = "cpq-metrics/1", .run = "relay:a/b"},
         "T0"},
        {"a window without a digest", {.type = "ci-metric", .window = window}, "T0"},
        {"a figure of a run", {.type = "ci-metric", .digest = digest, .run = "relay:a/b"}, "T3"},
        {"JUnit of a run",
         {.type = "junit", .file = "a.xml", .sha256 = digest, .run = "relay:a/b"},
         "T3"},
        {"a run without a digest", {.type = "ci-metric", .run = "relay:a/b"}, "T0"},
        {"a file", {.type = "junit", .file = "a.xml", .sha256 = digest}, "T2"},
        {"a file without a digest", {.type = "junit", .file = "a.xml"}, "T0"},
        {"a link", {.type = "url", .url = "https://example.org"}, "T1"},
        {"a file without a digest at a link",
         {.type = "log", .file = "a.log", .url = "https://example.org"},
         "T1"},
        {"a query with a digest",
         {.type = "issue-query", .digest = digest, .query = "label:x"},
         "T1"},
        {"a link behind a login", {.type = "url", .url = "https://example.org", .open = false}, "T0"
        },
        {"a statement at a link", {.type = "statement", .url = "https://example.org"}, "T0"},
        {"a statement in a file",
         {.type = "statement", .file = "a.txt", .sha256 = digest, .signed_by = "x"},
         "T0"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(tier_of(trust_of(c.evidence)), c.tier) << c.what;
    }
}

TEST(Trust, HasItsOwnWordsForEachTier) {
    std::string all;
    for (const auto trust : kTrusts) {
        all += std::string(tier_of(trust)) + " " + std::string(words_of(trust)) + "; ";
    }
    EXPECT_EQ(
        all,
        "T0 a statement; T1 a public link; T2 a file with its digest; T3 reported by an "
        "authenticated repository; T4 measured by a relay; "
    );
}

} // namespace
} // namespace baton::quality
