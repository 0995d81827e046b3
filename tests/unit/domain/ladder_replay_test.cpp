#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/ladder_replay.hpp"
#include "baton/domain/level.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unit/domain/ladder_story.hpp"

namespace baton::domain {

namespace {

using namespace ladder_story;

ReplayedDownstream one(const std::string& name, Level listed, std::vector<LadderDay> days) {
    return {
        .downstream = *RepoName::parse(name), .listed = listed, .history = history(std::move(days))
    };
}

std::vector<LadderDay> days_of_failures(std::size_t failed) {
    std::vector<LadderDay> days;
    for (int i = 0; i < 10; ++i) {
        days.push_back(day(i, 20 - failed, failed));
    }
    return days;
}

const LadderWindow kTenDays{.from = kMonday, .until = kMonday + 10 * kDay};

TEST(LadderReplay, TellsWhatWouldHaveMovedAndWhen) {
    const auto all = replay(
        {one("a/good", Level::l3, days_of_failures(0)), one("b/bad", Level::l3, days_of_failures(4))
        },
        rules(),
        kTenDays
    );
    ASSERT_EQ(all.size(), 2U);
    EXPECT_TRUE(all[0].moves.empty());
    EXPECT_EQ(all[0].days.at(Level::l3), 10U);
    ASSERT_EQ(all[1].moves.size(), 3U);
    EXPECT_EQ(all[1].moves[0].transition.move, LadderMove::watched);
    EXPECT_EQ(all[1].moves[1].transition.move, LadderMove::demoted);
    EXPECT_EQ(all[1].moves[1].as_of, kMonday + 2 * kDay);
    EXPECT_EQ(all[1].moves[2].transition.move, LadderMove::proposed);
    EXPECT_EQ(all[1].days.at(Level::l3), 1U);
    EXPECT_EQ(all[1].days.at(Level::l2), 9U);
}

TEST(LadderReplay, OfMilderRulesMovesNobody) {
    auto milder = rules();
    milder.demotion[0].target = 0.7;
    milder.watch.clear();
    EXPECT_TRUE(
        replay({one("b/bad", Level::l3, days_of_failures(4))}, milder, kTenDays)[0].moves.empty()
    );
}

TEST(LadderReplay, FreezesAsTheRelayWould) {
    std::vector<ReplayedDownstream> all;
    for (const char* name : {"a/a", "b/b", "c/c"}) {
        all.push_back(one(name, Level::l3, days_of_failures(20)));
    }
    for (const auto& told : replay(all, rules(), kTenDays)) {
        EXPECT_EQ(told.days.at(Level::l3), 10U);
        EXPECT_EQ(told.moves.front().transition.move, LadderMove::frozen);
    }
}

TEST(LadderReplay, LooksAtNoDayThatHadNotBeen) {
    auto days = days_of_failures(0);
    days.back() = day(9, 0, 20);
    const auto told = replay({one("a/a", Level::l3, days)}, rules(), kTenDays)[0];
    ASSERT_FALSE(told.moves.empty());
    EXPECT_EQ(told.moves.front().as_of, kMonday + 10 * kDay);
    EXPECT_TRUE(replay({}, rules(), kTenDays).empty());
}

} // namespace

} // namespace baton::domain
