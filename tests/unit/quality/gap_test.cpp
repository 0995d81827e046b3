#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/score.hpp"
#include "baton/quality/simulate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "unit/quality/quality_story.hpp"

namespace baton::quality {

namespace {

using namespace story;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kStable = 2;

/// The shape of the worked example: 93 points, SW-3 open, several ways up.
Assessment tessera() {
    auto assessment = everything(points());
    auto open = unmet("SW-3");
    open.effort.whole = 8;
    put(assessment, open);
    const auto with = [&](Claim claim, Effort effort) {
        claim.effort = std::move(effort);
        put(assessment, std::move(claim));
    };
    with(
        parts(
            "FEAT-2", {"float32", "float16", "bfloat16", "float8", "int64", "int32", "int8", "int4"}
        ),
        {.each = {{"float64", 4}, {"float4", 10}, {"int16", 2}}}
    );
    with(measured("TEST-1", 13216, 20184), {.each = {{"80", 15}, {"100", 60}}});
    with(measured("TEST-2", 98, 163), {.each = {{"80", 10}, {"100", 40}}});
    with(measured("TEST-4", 521, 640), {.each = {{"100", 30}}});
    with(parts("UX-1", {"package"}), {.each = {{"size", 5}, {"same_day", 6}}});
    with(parts("UX-5", {"native"}), {.each = {{"custom", 9}}});
    with(parts("CI-2", {"platform"}), {.each = {{"others", 7}}});
    with(measured("CI-4", 1212, 20184), {.whole = 5});
    with(measured("FB-1", 9, 14), {.each = {{"80", 3}, {"100", 8}}});
    return assessment;
}

Gap gap_of(const Assessment& assessment, int rank = kStable) {
    auto found = gap(points(), assessment, score(points(), assessment), rank);
    EXPECT_TRUE(found) << found.error().detail;
    return found.value_or(Gap{});
}

std::vector<std::string> steps(const std::optional<Way>& way) {
    std::vector<std::string> all;
    for (const auto& move : way.value_or(Way{}).moves) {
        all.push_back(fmt::format("{} {} +{}", move.item, fmt::join(move.adds, ","), move.gain));
    }
    return all;
}

Claim& claim_of(Assessment& assessment, const std::string& item) {
    return *std::ranges::find(assessment.claims, item, &Claim::item);
}

TEST(Gap, IsTheCheapestWay) { // G11
    const auto found = gap_of(tessera());
    ASSERT_TRUE(found.way);
    EXPECT_FALSE(found.reached);
    EXPECT_EQ(found.way->effort, 11);
    EXPECT_EQ(found.way->points, 99);
    EXPECT_THAT(steps(found.way), ElementsAre("SW-3  +4", "FB-1 80 +2"));
    EXPECT_TRUE(found.way->moves[0].forced);
    EXPECT_EQ(found.way->moves[1].missing, 3);
}

TEST(Gap, KnowsWhatItCostsToBeAboveEveryReading) { // G11
    const auto found = gap_of(tessera());
    ASSERT_TRUE(found.robust);
    EXPECT_EQ(found.robust->target, 101);
    EXPECT_EQ(found.robust->effort, 13);
    EXPECT_EQ(found.robust->points, 101);
    EXPECT_THAT(steps(found.robust), ElementsAre("SW-3  +4", "CI-4  +4"));
    EXPECT_EQ(found.robust->moves[1].missing, 203);
}

TEST(Gap, TellsWhatMayFallAndWhatIsMissing) {
    const auto found = gap_of(tessera());
    const auto risk = [&](const std::string& item) {
        return *std::ranges::find(found.risks, item, &FallRisk::item);
    };
    EXPECT_EQ(risk("TEST-4").slack, 9);
    EXPECT_EQ(risk("TEST-1").next_needs, 2932);
    EXPECT_EQ(risk("TEST-2").next_needs, 33);
    EXPECT_EQ(risk("CI-4").next_needs, 203);
}

TEST(Gap, TellsWhenEvidenceExpires) {
    auto assessment = everything(points());
    auto claim = whole(*points().find("HW-1"));
    assessment.evidence.push_back(
        {.id = "older", .type = "url", .url = "u", .captured = parse_day("2026-01-01")}
    );
    claim.evidence = {{.id = "older"}};
    put(assessment, claim);
    auto found = gap_of(assessment);
    ASSERT_FALSE(found.expiring.empty());
    EXPECT_EQ(found.expiring.front().item, "HW-1");
    EXPECT_EQ(quality::to_text(found.expiring.front().on), "2026-06-30"); // 180 days
    claim.evidence.push_back({.id = "e"});
    put(assessment, claim);
    EXPECT_NE(gap_of(assessment).expiring.front().item, "HW-1") << "the newest one counts";
}

TEST(Gap, IsNoneWhereTheLevelIsReached) {
    const auto found = gap_of(everything(points()));
    EXPECT_TRUE(found.reached);
    EXPECT_EQ(found.way->effort, 0);
    EXPECT_THAT(steps(found.way), IsEmpty());
    EXPECT_THAT(steps(found.robust), IsEmpty());
}

TEST(Gap, LeavesOutWhatIsBlocked) {
    auto assessment = tessera();
    claim_of(assessment, "FB-1").blocked_options = {"80"};
    EXPECT_EQ(gap_of(assessment).way->effort, 13) << "CI-4 for 5, or FB-1 to 100 for 8";
    claim_of(assessment, "SW-3").blocked = true;
    EXPECT_FALSE(gap_of(assessment).way) << "the level asks for it";
    EXPECT_TRUE(gap_of(assessment, 1).way);
}

TEST(Gap, WaitsForWhatIsRequired) {
    auto assessment = tessera();
    claim_of(assessment, "FB-1").needs = {"CI-4"};
    EXPECT_THAT(steps(gap_of(assessment).way), ElementsAre("SW-3  +4", "CI-4  +4"));
    claim_of(assessment, "SW-3").needs = {"FB-1"};
    // SW-3 needs all of FB-1, which needs CI-4
    const auto found = gap_of(assessment);
    EXPECT_EQ(found.way->effort, 8 + 8 + 5);
    EXPECT_THAT(steps(found.way), ElementsAre("SW-3  +4", "CI-4  +4", "FB-1 100 +4"));
    claim_of(assessment, "SW-3").needs = {"nothing"};
    EXPECT_FALSE(gap_of(assessment).way);
}

TEST(Gap, RefusesToWeighTooManyLinks) {
    auto assessment = empty_assessment(points());
    Claim claim{.item = "SW-3"};
    for (const auto& item : points().items) {
        if (item.id != claim.item) {
            claim.needs.push_back(item.id);
        }
    }
    put(assessment, claim);
    EXPECT_FALSE(gap(points(), assessment, score(points(), assessment), kStable));
}

TEST(Gap, PrefersFewerItemsThenHigherPriorityThenOrder) {
    auto assessment = everything(points());
    const auto lacks = [&](const std::string& item, int effort) {
        auto claim = unmet(item);
        claim.effort.whole = effort;
        put(assessment, claim);
    };
    // 126 - 4 - 4 - 2 - 2 - 4 = 110: nothing is missing for Stable but SW-3
    lacks("SW-3", 1);
    lacks("HW-1", 4);
    lacks("UX-2", 2);
    lacks("UX-3", 2);
    lacks("SW-1", 4);
    auto set = points();
    set.levels.front().require.percent = 92; // of 124: 114
    const auto found = gap(set, assessment, score(set, assessment), kStable);
    EXPECT_THAT(steps(found->way), ElementsAre("SW-3  +4"));
    set.levels.front().require.percent = 95; // 117
    const auto more = gap(set, assessment, score(set, assessment), kStable);
    EXPECT_THAT(steps(more->way), ElementsAre("HW-1  +4", "SW-3  +4"));
}

TEST(Suppose, ChangesOneClaim) {
    auto assessment = tessera();
    for (const auto* change : {"SW-3=met", "TEST-1=16148/20184", "UX-1=+size", "CI-2=others"}) {
        EXPECT_TRUE(suppose(points(), assessment, change)) << change;
    }
    const auto scored = score(points(), assessment);
    EXPECT_EQ(scored.proven, 93 + 4 + 2 + 2);
    EXPECT_EQ(scored.level, kStable);
    for (const auto* change :
         {"", "SW-3", "SW-9=met", "TEST-1=5/4", "TEST-1=a/b", "UX-1=+fun", "TEST-1=met"}) {
        EXPECT_FALSE(suppose(points(), assessment, change)) << change;
    }
}

} // namespace

} // namespace baton::quality
