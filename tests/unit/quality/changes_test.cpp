#include "baton/quality/changes.hpp"
#include "baton/quality/score.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unit/quality/quality_story.hpp"

namespace baton::quality {

namespace {

using story::points;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Changes between(const Assessment& before, const Assessment& after) {
    const auto old = score(points(), before);
    const auto now = score(points(), after);
    return changes(
        {.set = points(), .assessment = before, .score = old, .documented = {}},
        {.set = points(), .assessment = after, .score = now, .documented = {}}
    );
}

Claim& claim_of(Assessment& assessment, std::string_view item) {
    return *std::ranges::find(assessment.claims, item, &Claim::item);
}

struct Case {
    const char* name;
    std::function<void(Assessment&)> change;
    const char* item;
    Cause cause;
    const char* detail;
};

const Case kCases[] = {
    {"something else is said",
     [](Assessment& now) { story::put(now, story::unmet("HW-1")); },
     "HW-1",
     Cause::claim,
     "unmet, before met"},
    {"a part is no longer there",
     [](Assessment& now) { story::put(now, story::parts("FEAT-3", {"eager"})); },
     "FEAT-3",
     Cause::claim,
     "now without graph"},
    {"the same is said without evidence",
     [](Assessment& now) { claim_of(now, "HW-1").evidence.clear(); },
     "HW-1",
     Cause::evidence,
     "now without evidence"},
    {"less was measured",
     [](Assessment& now) { story::put(now, story::measured("TEST-1", 60, 100)); },
     "TEST-1",
     Cause::measurement,
     "60 of 100, before 100 of 100"},
    {"a reviewer says otherwise",
     [](Assessment& now) {
         claim_of(now, "HW-1").review =
             Review{.by = "ann", .verdict = ReviewVerdict::reject, .reason = "no shop"};
     },
     "HW-1",
     Cause::review,
     "4 before review: no shop"},
    {"it is left out",
     [](Assessment& now) {
         now.platform.targets = {"inference"};
         auto& claim = claim_of(now, "TEST-5");
         claim.kind = ClaimKind::exempt;
         claim.reason = "one device";
     },
     "TEST-5",
     Cause::exemption,
     "exempt: one device"},
};

TEST(Changes, HaveACause) {
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.name);
        const auto before = story::everything(points());
        auto after = before;
        c.change(after);
        const auto found = between(before, after);
        ASSERT_EQ(found.items.size(), 1U);
        EXPECT_EQ(found.items.front().item, c.item);
        EXPECT_EQ(found.items.front().cause, c.cause) << name_of(found.items.front().cause);
        EXPECT_THAT(found.items.front().detail, HasSubstr(c.detail));
        const auto back = between(after, before);
        ASSERT_EQ(back.items.size(), 1U);
        EXPECT_EQ(back.items.front().cause, c.cause) << "and back";
        EXPECT_EQ(back.items.front().after, found.items.front().before);
    }
}

TEST(Changes, OfTheCriteriaComeBeforeWhatIsSaid) {
    const auto before = story::everything(points());
    auto set = points();
    set.digest = "another";
    set.items.front().max = 3;
    set.items.pop_back();
    const auto old = score(points(), before);
    const auto now = score(set, before);
    const auto found = changes(
        {.set = points(), .assessment = before, .score = old, .documented = 1},
        {.set = set, .assessment = before, .score = now, .documented = 2}
    );
    ASSERT_EQ(found.items.size(), 2U);
    EXPECT_EQ(found.items[0].cause, Cause::criteria);
    EXPECT_EQ(found.items[0].detail, "worth 3, before 8");
    EXPECT_EQ(found.items[1].detail, "no longer asked for");
    EXPECT_EQ(found.documented, (LevelChange{.before = "Unstable", .after = "Stable"}));
}

TEST(Changes, StandTheGreatestFirstThenAsInTheCriteria) {
    const auto before = story::everything(points());
    auto after = before;
    for (const auto* item : {"UX-2", "MNT-1", "PRE-2", "HW-1"}) {
        story::put(after, story::unmet(item));
    }
    std::vector<std::string> order;
    for (const auto& change : between(before, after).items) {
        order.push_back(change.item);
    }
    EXPECT_THAT(order, ElementsAre("PRE-2", "HW-1", "MNT-1", "UX-2"));
}

TEST(Changes, AreNoneBetweenEquals) {
    const auto same = story::everything(points());
    const auto found = between(same, same);
    EXPECT_THAT(found.items, IsEmpty());
    EXPECT_EQ(found.level.before, found.level.after);
    EXPECT_FALSE(found.documented);
}

TEST(ValueText, IsAShareOrFigures) {
    EXPECT_EQ(to_text(story::share(9, 14)), "9 of 14");
    Value figures;
    figures.figures = {{"max_recovery_h", *parse_amount("41.5")}, {"outages", *parse_amount("2")}};
    EXPECT_EQ(to_text(figures), "max_recovery_h 41.5, outages 2");
}

} // namespace

} // namespace baton::quality
