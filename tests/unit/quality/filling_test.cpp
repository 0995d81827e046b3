#include "baton/quality/filling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unit/quality/quality_story.hpp"

namespace baton::quality {

namespace {

using story::empty_assessment;
using story::points;
using story::put;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Metric metric(std::string name, std::int64_t num, std::int64_t den, MetricVerdict verdict) {
    return {
        .name = std::move(name),
        .formula = {},
        .num = num,
        .den = den,
        .n = den,
        .figures = {},
        .verdict = verdict,
        .reason = "because",
        .rows = {}
    };
}

Metric outage_metric(const char* hours, const char* count, MetricVerdict verdict) {
    auto made = metric("ci_outages", 10, 43200, verdict);
    made.figures = {{"max_recovery_h", *parse_amount(hours)}, {"outages", *parse_amount(count)}};
    return made;
}

Snapshot snapshot(std::vector<Metric> metrics) {
    return {
        .repo = "acme/backend",
        .upstream = "up/stream",
        .as_of = *parse_day("2026-10-12"),
        .relay_level = 3,
        .baseline = {},
        .files = {},
        .metrics = std::move(metrics),
        .reporting = {}
    };
}

/// Every item is there and unknown.
Assessment unknown() {
    auto assessment = empty_assessment(points());
    for (const auto& item : points().items) {
        put(assessment, {.item = item.id, .kind = ClaimKind::unknown});
    }
    return assessment;
}

Filling filled(const Assessment& assessment, std::vector<Metric> metrics) {
    return fill(points(), assessment, snapshot(std::move(metrics)), "relay");
}

} // namespace

TEST(Filling, ClaimsWhatWasMeasuredOfItemsThatAreUnknown) {
    const auto all = filled(
        unknown(),
        {metric("ut_coverage", 60, 100, MetricVerdict::measured),
         metric("flaky_marked_pct", 1, 100, MetricVerdict::met),
         outage_metric("41.5", "2", MetricVerdict::met)}
    );
    ASSERT_THAT(all.claims, SizeIs(3));
    EXPECT_EQ(all.claims[0].item, "TEST-1");
    EXPECT_EQ(all.claims[0].kind, ClaimKind::measured);
    EXPECT_EQ(all.claims[0].value->num, 60);
    EXPECT_EQ(all.claims[0].evidence.front().id, "relay");
    EXPECT_EQ(to_text(all.claims[2].value->figures.at("max_recovery_h")), "41.5");
    EXPECT_THAT(all.differs, IsEmpty());
    EXPECT_EQ(all.facts.baseline, (std::map<std::string, std::int64_t>{{"TEST-1", 100}}));
}

TEST(Filling, SaysNothingOnTooLittleData) {
    for (const auto verdict :
         {MetricVerdict::insufficient, MetricVerdict::incomplete, MetricVerdict::pending}) {
        const auto all = filled(unknown(), {metric("ut_coverage", 60, 100, verdict)});
        EXPECT_THAT(all.claims, IsEmpty());
        EXPECT_THAT(all.silent, ElementsAre(HasSubstr(name_of(verdict))));
        EXPECT_THAT(all.facts.baseline, IsEmpty());
    }
}

TEST(Filling, EarnsNothingByARuleThatTheValueDoesNotShow) {
    // Few and short outages that still took more than a twentieth of the time.
    const auto all = filled(unknown(), {outage_metric("40", "2", MetricVerdict::unmet)});
    ASSERT_THAT(all.claims, SizeIs(1));
    EXPECT_EQ(all.claims[0].kind, ClaimKind::unmet);
    EXPECT_EQ(all.claims[0].note, "because");
    // The figures themselves show this one.
    EXPECT_EQ(
        filled(unknown(), {outage_metric("80", "2", MetricVerdict::unmet)}).claims[0].kind,
        ClaimKind::measured
    );
}

TEST(Filling, ProvesOfGatingThePlatformsOwnPartAlone) {
    const auto all = filled(unknown(), {metric("gate_coverage_pct", 20, 20, MetricVerdict::met)});
    ASSERT_THAT(all.claims, SizeIs(1));
    EXPECT_EQ(all.claims[0].kind, ClaimKind::partial);
    EXPECT_EQ(all.claims[0].parts.front().id, "platform");
    EXPECT_TRUE(all.claims[0].rest_unknown);
    EXPECT_THAT(
        filled(unknown(), {metric("gate_coverage_pct", 2, 20, MetricVerdict::unmet)}).claims,
        IsEmpty()
    );
}

struct HandCase {
    const char* name;
    Claim claim;
    bool agrees;
};

TEST(Filling, OverwritesNothingThatWasClaimedByHand) {
    const HandCase cases[] = {
        {"the same value", story::measured("TEST-1", 60, 100), true},
        {"another value", story::measured("TEST-1", 61, 100), false},
        {"unmet", story::unmet("TEST-1"), false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto assessment = unknown();
        put(assessment, c.claim);
        const auto all =
            filled(assessment, {metric("ut_coverage", 60, 100, MetricVerdict::measured)});
        EXPECT_THAT(all.claims, IsEmpty());
        EXPECT_EQ(all.agrees.size(), c.agrees ? 1U : 0U);
        EXPECT_EQ(all.differs.size(), c.agrees ? 0U : 1U);
    }
}

TEST(Filling, LeavesAnUnknownItemWithEvidenceToPeople) {
    auto assessment = unknown();
    put(assessment,
        {.item = "TEST-1", .kind = ClaimKind::unknown, .evidence = {{.id = "e", .at = {}}}});
    const auto all = filled(assessment, {metric("ut_coverage", 60, 100, MetricVerdict::measured)});
    EXPECT_THAT(all.claims, IsEmpty());
    EXPECT_THAT(all.differs, ElementsAre("TEST-1: claimed unknown, measured 60 of 100"));
}

TEST(Filling, ComparesFactsThatAreThere) {
    auto assessment = unknown();
    assessment.facts.relay_level = 4;
    assessment.facts.baseline = {{"TEST-1", 99}};
    assessment.facts.flaky_observed = story::share(1, 10);
    const auto all = filled(
        assessment,
        {metric("ut_coverage", 60, 100, MetricVerdict::measured),
         metric("flaky_observed", 2, 10, MetricVerdict::measured)}
    );
    EXPECT_THAT(
        all.differs,
        ElementsAre(
            "facts: relay_level is 4, the list says 3",
            "facts: baseline of TEST-1 is 99, the manifest has 100",
            "facts: flaky_observed is 1 of 10, measured 2 of 10"
        )
    );
}

TEST(Filling, NamesItemsThatAreNotInTheFile) {
    const auto all = filled(
        empty_assessment(points()), {metric("ut_coverage", 60, 100, MetricVerdict::measured)}
    );
    EXPECT_THAT(all.claims, IsEmpty());
    EXPECT_THAT(all.silent, Contains(HasSubstr("TEST-1: measured 60 of 100, but it is not")));
}

} // namespace baton::quality
