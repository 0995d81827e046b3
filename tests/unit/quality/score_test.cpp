#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/score.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unit/quality/quality_story.hpp"

namespace baton::quality {

namespace {

using namespace story;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kEngineering = 0;
constexpr int kUnstable = 1;
constexpr int kStable = 2;

std::vector<int> levels(const Score& score) {
    std::vector<int> all;
    for (const auto& reading : score.readings) {
        all.push_back(reading.level);
    }
    return all;
}

const ItemScore& item(const Score& score, std::string_view id) {
    return *std::ranges::find(score.items, id, &ItemScore::id);
}

TEST(Score, OfEverythingIs126AndStableHoweverItIsRead) { // G3
    const auto scored = score(points(), everything(points()));
    EXPECT_EQ(scored.proven, 126);
    EXPECT_EQ(scored.potential, 126);
    EXPECT_EQ(scored.p0.met, 6);
    EXPECT_THAT(levels(scored), ElementsAre(kStable, kStable, kStable, kStable));
}

TEST(Score, WithoutASmallP0ItemIsUnstable) { // G4
    const auto scored =
        score(points(), assess(points(), [](const Item& one) { return one.id != "CI-1"; }));
    EXPECT_EQ(scored.proven, 124);
    EXPECT_EQ(scored.p0.met, 5);
    EXPECT_THAT(scored.p0.open, ElementsAre("CI-1"));
    EXPECT_EQ(scored.level, kUnstable);
}

TEST(Score, WarnsOfAnOpenSecurityItemWhateverTheLevel) { // A16
    auto assessment = everything(points());
    EXPECT_TRUE(score(points(), assessment).warnings.empty());
    for (const auto kind : {ClaimKind::unknown, ClaimKind::unmet}) {
        put(assessment, Claim{.item = "PRE-2", .kind = kind});
        const auto open = score(points(), assessment);
        ASSERT_EQ(open.warnings.size(), 1U);
        EXPECT_EQ(open.warnings.front().item, "PRE-2");
        EXPECT_THAT(open.warnings.front().text, HasSubstr("vulnerabilities"));
        EXPECT_EQ(open.level, kUnstable);
    }
}

TEST(Score, OfP0AloneIsEngineering) { // G5
    const auto scored = score(points(), assess(points(), [](const Item& one) {
                                  return one.priority == Priority::p0;
                              }));
    EXPECT_EQ(scored.proven, 32);
    EXPECT_EQ(scored.level, kEngineering);
}

TEST(Score, OfEverythingButP0IsUnstable) { // G6
    const auto scored = score(points(), assess(points(), [](const Item& one) {
                                  return one.priority != Priority::p0;
                              }));
    EXPECT_EQ(scored.proven, 94);
    EXPECT_EQ(scored.p0.met, 0);
    EXPECT_EQ(scored.level, kUnstable);
}

TEST(Score, IsReadInFourWays) { // G7
    for (int total = 85; total <= 101; ++total) {
        SCOPED_TRACE(total);
        const auto scored = score(points(), with_points(total));
        ASSERT_EQ(scored.proven, total);
        const auto level = [&](int unstable, int stable) {
            return total >= stable ? kStable : total >= unstable ? kUnstable : kEngineering;
        };
        EXPECT_THAT(
            levels(scored),
            ElementsAre(level(86, 99), level(87, 100), level(88, 100), level(89, 101))
        );
        const bool disagree =
            total == 86 || total == 87 || total == 88 || total == 99 || total == 100;
        EXPECT_EQ(scored.reading_sensitive, disagree);
    }
}

TEST(Score, OfAStepIsExact) { // G8

    struct Case {
        std::int64_t num;
        std::int64_t den;
        int points;
        State state;
    };

    for (const auto& c : {
             Case{4999, 10000, 0, State::unmet},
             Case{5000, 10000, 2, State::partial},
             Case{7999, 10000, 2, State::partial},
             Case{8000, 10000, 4, State::partial},
             Case{9999, 10000, 4, State::partial},
             Case{10000, 10000, 6, State::met},
             Case{0, 0, 0, State::insufficient},
         }) {
        SCOPED_TRACE(c.num);
        auto assessment = everything(points());
        put(assessment, measured("TEST-1", c.num, c.den));
        const auto scored = score(points(), assessment);
        EXPECT_EQ(item(scored, "TEST-1").proven, c.points);
        EXPECT_EQ(item(scored, "TEST-1").state, c.state);
        EXPECT_EQ(item(scored, "TEST-1").potential, c.den == 0 ? 6 : c.points);
    }
}

Claim exempt(std::string_view id, std::string_view reason = "one device only") {
    return {.item = std::string(id), .kind = ClaimKind::exempt, .reason = std::string(reason)};
}

TEST(Score, LeavesExemptItemsOutOfPointsAndTotal) { // G9
    auto assessment = with_points(96, "TEST-5");
    assessment.platform.targets = {"inference", "single-node"};
    put(assessment, exempt("TEST-5"));
    const auto scored = score(points(), assessment);
    EXPECT_EQ(scored.proven, 96);
    EXPECT_EQ(scored.max, 122);
    EXPECT_EQ(scored.exempt, 4);
    EXPECT_EQ(scored.readings[0].total, 120);
    EXPECT_EQ(scored.readings[0].thresholds[0].points, 96);
    EXPECT_EQ(scored.readings[0].thresholds[1].points, 84);
    EXPECT_EQ(scored.readings[0].level, kStable);
    EXPECT_EQ(scored.readings[3].thresholds[0].points, 98); // 97.6
    EXPECT_EQ(scored.readings[3].level, kUnstable);
    EXPECT_TRUE(scored.reading_sensitive);
}

TEST(Score, GivesNothingForAnExemptionWithoutRightOrReason) {
    auto assessment = everything(points());
    put(assessment, exempt("TEST-5")); // targets say distributed
    EXPECT_EQ(score(points(), assessment).proven, 122);
    EXPECT_EQ(score(points(), assessment).max, 126);
    assessment.platform.targets = {"inference"};
    put(assessment, exempt("TEST-5", ""));
    EXPECT_EQ(score(points(), assessment).max, 126);
    put(assessment, exempt("TEST-5"));
    put(assessment, exempt("CI-1"));
    EXPECT_EQ(score(points(), assessment).p0.met, 5);
    EXPECT_EQ(score(points(), assessment).max, 122);
}

TEST(Score, CountsExemptItemsAsTheSetSays) {
    auto assessment = everything(points());
    assessment.platform.targets = {"inference"};
    put(assessment, exempt("TEST-5"));
    const auto with = [&](ExemptPoints how) {
        const auto scored = score(points(), assessment, {.exempt = how});
        return std::pair(scored.proven, scored.max);
    };
    EXPECT_EQ(with(ExemptPoints::exclude), std::pair(122, 122));
    EXPECT_EQ(with(ExemptPoints::credit), std::pair(126, 126));
    EXPECT_EQ(with(ExemptPoints::zero), std::pair(122, 126));
}

TEST(Score, OfAClaimWithoutEvidenceIsNothing) {
    auto assessment = everything(points());
    auto claim = whole(*points().find("HW-1"));
    claim.evidence = {{.id = "nowhere"}};
    put(assessment, claim);
    const auto scored = score(points(), assessment);
    EXPECT_EQ(item(scored, "HW-1").state, State::unproven);
    EXPECT_EQ(scored.proven, 122);
    EXPECT_EQ(scored.potential, 122);
    EXPECT_EQ(score(points(), assessment, {.draft = true}).potential, 126);
}

TEST(Score, TellsUnknownFromUnmet) {
    auto assessment = everything(points());
    put(assessment, Claim{.item = "HW-1", .kind = ClaimKind::unknown});
    auto some = parts("FEAT-2", {"float32"});
    some.rest_unknown = true;
    put(assessment, some);
    const auto scored = score(points(), assessment);
    EXPECT_EQ(scored.proven, 126 - 4 - 10);
    EXPECT_EQ(scored.potential, 126);
    EXPECT_EQ(score(points(), empty_assessment(points())).potential, 126);
}

TEST(Score, FollowsTheValueWhateverTheClaimSays) {
    auto assessment = everything(points());
    auto claim = measured("CI-4", 1212, 20184);
    claim.kind = ClaimKind::met;
    put(assessment, claim);
    EXPECT_EQ(item(score(points(), assessment), "CI-4").proven, 0);
}

TEST(Score, OfFlakyMarksIsLostAtFivePercent) { // G15
    auto assessment = everything(points());
    for (const auto& [num, earned] : {std::pair{1009, 4}, std::pair{1010, 0}, std::pair{1212, 0}}) {
        put(assessment, measured("CI-4", num, 20184));
        EXPECT_EQ(item(score(points(), assessment), "CI-4").proven, earned) << num;
    }
    put(assessment, measured("CI-4", 0, 99)); // too few tests to speak of a rate
    EXPECT_EQ(item(score(points(), assessment), "CI-4").state, State::insufficient);
}

TEST(Score, OfNamedFiguresNeedsEachWithinItsLimit) {
    const auto with = [](std::string_view hours, std::string_view outages) {
        auto assessment = everything(points());
        Claim claim{.item = "CI-5", .kind = ClaimKind::measured, .evidence = {{.id = "e"}}};
        claim.value = Value{};
        claim.value->figures.emplace("max_recovery_h", *parse_amount(hours));
        if (!outages.empty()) {
            claim.value->figures.emplace("outages", *parse_amount(outages));
        }
        put(assessment, claim);
        return item(score(points(), assessment), "CI-5").proven;
    };
    EXPECT_EQ(with("72", "3"), 4);
    EXPECT_EQ(with("72.001", "0"), 0);
    EXPECT_EQ(with("1", "4"), 0);
    EXPECT_EQ(with("1", ""), 0);
}

TEST(Score, NeedsEveryCheckThatIsAskedOfThePlatform) {
    auto assessment = everything(points());
    auto claim = whole(*points().find("PRE-1"));
    claim.checks["stack_no_hw"] = CheckState::fail;
    put(assessment, claim);
    EXPECT_EQ(item(score(points(), assessment), "PRE-1").state, State::unmet);
    assessment.platform.family = "cpu"; // has no device to be without
    EXPECT_EQ(item(score(points(), assessment), "PRE-1").state, State::met);
    claim.checks["minimal_os"] = CheckState::unknown;
    put(assessment, claim);
    EXPECT_EQ(item(score(points(), assessment), "PRE-1").state, State::unknown);
}

TEST(Score, FollowsTheReviewAndShowsWhatItWas) {
    auto assessment = everything(points());
    auto claim = whole(*points().find("UX-1"));
    claim.review = Review{.by = "r", .verdict = ReviewVerdict::adjust, .points = 2, .reason = "no"};
    put(assessment, claim);
    auto scored = score(points(), assessment);
    EXPECT_EQ(item(scored, "UX-1").proven, 2);
    EXPECT_EQ(item(scored, "UX-1").before_review, 6);
    claim.review->verdict = ReviewVerdict::reject;
    put(assessment, claim);
    EXPECT_EQ(score(points(), assessment).proven, 120);
    claim.review->verdict = ReviewVerdict::accept;
    put(assessment, claim);
    EXPECT_EQ(score(points(), assessment).proven, 126);
}

TEST(Score, IsNotMetByWordWhereOnlyAValueCounts) {
    auto assessment = everything(points());
    put(assessment, Claim{.item = "TEST-1", .kind = ClaimKind::met, .evidence = {{.id = "e"}}});
    EXPECT_EQ(item(score(points(), assessment), "TEST-1").proven, 0);
}

TEST(Score, OfAdmissionIsAllOrNothing) {
    const auto& set = *wire::builtin_criteria_set("pytorch-acp/2026.07");
    EXPECT_EQ(score(set, everything(set)).level, 1);
    const auto one_less = assess(set, [](const Item& one) { return one.id != "M4"; });
    EXPECT_EQ(score(set, one_less).level, 0);
}

TEST(PercentText, IsCutAndNamesItsBase) {
    EXPECT_EQ(percent_text(99, 124), "79.8 % of 124");
    EXPECT_EQ(percent_text(126, 124), "101.6 % of 124");
    EXPECT_EQ(percent_text(7999, 10000), "79.9 % of 10000");
    EXPECT_EQ(percent_text(0, 0), "0 of 0");
}

} // namespace

} // namespace baton::quality
