#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "unit/domain/ladder_life.hpp"
#include "unit/domain/ladder_story.hpp"

namespace baton::domain {

namespace {

using namespace ladder_story;

LadderDay two_passed(int number) { // 14 events a week: fewer than any criterion asks for
    return day(number, 2, 0);
}

LadderDay two_unanswered(int number) {
    return silent_day(number, 2);
}

TEST(LadderReturn, WhoIsSentLittleReturnsAfterAWeek) {
    Life life(Level::l3);
    life.live(two_passed, 7);
    life.live(two_unanswered, 4);
    ASSERT_EQ(life.moves(), (Moves{"11 demoted"}));
    const auto verdict = life.live(two_passed, 20);
    EXPECT_TRUE(verdict.insufficient) << "14 of 20 samples";
    // what nobody answered leaves the window with the 18th; the third clean evaluation is the 20th
    EXPECT_EQ(life.moves(), (Moves{"11 demoted", "20 returned"}));
    EXPECT_EQ(verdict.standing.effective, Level::l3);
}

TEST(LadderReturn, ASmallSampleIsBelievedAsLateAsTheProfileSays) {
    Life life(Level::l3);
    life.profile().slow_restore = 12;
    life.live(two_unanswered, 4);
    life.live(two_passed, 20);
    EXPECT_EQ(life.moves(), (Moves{"4 demoted", "18 returned"}));
}

TEST(LadderReturn, WhoDoesNotAnswerOrDoesNotPassStaysLowered) {
    const std::vector<std::function<LadderDay(int)>> lives{
        two_unanswered,
        nothing,
        few,                                                                // half of them fail
        [](int number) { return day(number, number % 4 == 0 ? 1 : 0, 0); }, // two a week at most
        [](int number) {
            auto one = day(number, 1, 1); // upstream's, too much of it to tell anything
            one.excluded[place(OutcomeClass::test)] = 1;
            return one;
        },
    };
    for (std::size_t i = 0; i < lives.size(); ++i) {
        SCOPED_TRACE(i);
        Life life(Level::l3);
        life.live(two_passed, 7);
        life.live(two_unanswered, 4);
        ASSERT_EQ(life.moves(), (Moves{"11 demoted"}));
        const auto verdict = life.live(lives[i], 30);
        EXPECT_EQ(verdict.standing.state, LadderState::temporary);
    }
}

/// As baton/1 asks: bounds over one, two and four weeks.
Profile bounded_rules() {
    auto profile = rules();
    profile.temporary_events = 40;
    profile.demotion.clear();

    struct Row {
        const char* id;
        int window;
        double target;
        std::size_t least;
    };

    for (const auto& row : {
             Row{"down.pass", 7, 0.85, 70},
             Row{"down.pass_14d", 14, 0.88, 140},
             Row{"down.pass_28d", 28, 0.89, 200},
         }) {
        auto one = asks(row.id, Figure::pass_adj, Comparison::at_least, row.target, row.least);
        one.window = row.window;
        one.bound = Bound::upper;
        profile.demotion.push_back(one);
    }
    return profile;
}

LadderDay steady(int number) { // 95 % of 50
    const auto odd = static_cast<std::size_t>(number % 2);
    return day(number, 47 + odd, 3 - odd);
}

LadderDay broken(int number) { // 55 % of 50
    const auto odd = static_cast<std::size_t>(number % 2);
    return day(number, 27 + odd, 23 - odd);
}

TEST(LadderReturn, TheSameBadWeekLowersOnce) {
    Life life(Level::l3, bounded_rules());
    life.live(steady, 28);
    life.live(broken, 6);
    life.live(steady, 60);
    std::size_t demoted = 0;
    for (const auto& move : life.moves()) {
        demoted += move.ends_with(" demoted") ? 1 : 0;
    }
    EXPECT_EQ(demoted, 1U) << testing::PrintToString(life.moves());
    EXPECT_EQ(life.facts().standing->effective, Level::l3);
    EXPECT_EQ(life.facts().standing->state, LadderState::ok);
}

TEST(LadderReturn, AnotherBadWeekLowersAgain) {
    Life life(Level::l3, bounded_rules());
    life.live(steady, 28);
    life.live(broken, 6);
    life.live(steady, 25);
    ASSERT_EQ(life.facts().standing->effective, Level::l3);
    life.live(broken, 6);
    EXPECT_EQ(life.facts().standing->effective, Level::l2);
}

} // namespace

} // namespace baton::domain
