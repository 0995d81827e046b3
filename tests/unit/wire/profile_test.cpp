#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unit/domain/ladder_story.hpp"

namespace baton::wire {

namespace {

using namespace domain::ladder_story;
using domain::Figure;
using domain::Met;

std::string profile_with(std::string_view lines) {
    return "name: mine\nversion: 3\n" + std::string(lines);
}

TEST(Profile, IsReadWhole) {
    const auto reading = read_profile(profile_with(R"(text: what we ask
quantiles: compat
to_l3:
  - {id: a, figure: pass_run, window: 10, at_least: 92.5%, bound: lower, least: 40, text: runs pass}
  - {id: b, figure: e2e_p50, below: 90m}
  - {id: c, figure: silence, at_most: 3d}
  - {id: d, figure: tenure_l2, at_least: 30}
moves: {cool_down: 21, frozen_share: 0.4, temporary_events: 5}
)"));
    ASSERT_TRUE(reading.profile) << reading.findings[0].message;
    const auto& profile = *reading.profile;
    EXPECT_EQ(label_of(profile), "mine/3");
    EXPECT_EQ(profile.text, "what we ask");
    EXPECT_EQ(profile.quantiles, domain::Quantiles::compat);
    ASSERT_EQ(profile.to_l3.size(), 4U);
    const domain::Criterion first{
        .id = "a",
        .figure = Figure::pass_run,
        .window = 10,
        .comparison = domain::Comparison::at_least,
        .target = 0.925,
        .least = 40,
        .bound = domain::Bound::lower,
        .text = "runs pass",
    };
    EXPECT_EQ(profile.to_l3[0], first);
    EXPECT_EQ(profile.to_l3[1].target, 5'400'000) << "milliseconds";
    EXPECT_EQ(profile.to_l3[2].target, 72) << "hours";
    EXPECT_EQ(profile.to_l3[3].target, 30) << "days";
    EXPECT_EQ(profile.cool_down, 21);
    EXPECT_EQ(profile.frozen_share, 0.4);
    EXPECT_EQ(profile.temporary_events, 5U);
    EXPECT_EQ(profile.restore_after, 3) << "what is not said is as ever";
}

TEST(Profile, SaysWhatIsWrongAndWhere) {
    struct Row {
        std::string text;
        std::string finding;
    };

    const std::vector<Row> rows{
        {"[]", "f:1:1: error: expected a profile, found a list"},
        {"version: 1", "f:1:1: error: name is missing"},
        {"name: a/b\nversion: 1", "f:1:7: error: name: may hold no slash"},
        {profile_with("demotions: []"),
         "f:3:1: error: unknown key \"demotions\"; did you mean \"demotion\"?"},
        {profile_with("to_l3: 7"), "f:3:8: error: to_l3: expected a list of criteria, found text"},
        {profile_with("to_l3: [{id: a, figure: pass_rat, at_least: 90%}]"),
         "f:3:25: error: figure: there is no \"pass_rat\"; did you mean \"pass_raw\"?"},
        {profile_with("to_l3: [{id: a, figure: pass_raw}]"),
         "f:3:9: error: a target is missing: add below, at_most, above or at_least with its value"},
        {profile_with("to_l3: [{id: a, figure: pass_raw, below: 9%, at_least: 90%}]"),
         "f:3:46: error: at_least beside below: one is enough"},
        {profile_with("to_l3: [{id: a, figure: pass_raw, at_least: 90}]"),
         "f:3:45: error: at_least: \"90\" is not a share: write 90% or 0.9"},
        {profile_with("to_l3: [{id: a, figure: e2e_p50, below: 3}]"), "f:3:41: error: below: "},
        {profile_with("to_l3: [{id: a, figure: timeout_rate, below: 0%}]"),
         "f:3:46: error: below: nothing is below 0: write at_most: 0"},
        {profile_with("to_l3: [{id: a, figure: pass_raw, above: 100%}]"),
         "f:3:42: error: above: nothing is above 100 %: write at_least: 100%"},
        {profile_with("to_l3: [{id: a, figure: pass_raw, at_least: 0}]"),
         "f:3:45: error: at_least: everything is at least 0: leave it out"},
        {profile_with("to_l3: [{id: a, figure: pass_raw, at_least: 100%, bound: lower}]"),
         "f:3:45: error: at_least: no sample is large enough for a lower bound of 100 %"},
        {profile_with("to_l3: [{id: a, figure: days_with_data, window: 7, at_least: 10}]"),
         "f:3:62: error: at_least: there are only 7 days in its window"},
        {profile_with("to_l3: [{id: a, figure: events, at_least: 7, bound: lower}]"),
         "f:3:53: error: bound: events has none"},
        {profile_with("to_l3: [{figure: events, at_least: 7}]"), "f:3:9: error: id is missing"},
        {profile_with("to_l3: [{id: a, figure: events, at_least: 7, windows: 3}]"),
         "f:3:46: error: unknown key \"windows\"; did you mean \"window\"?"},
        {profile_with("to_l3: [{id: a, figure: events, at_least: 7, window: 0}]"),
         "f:3:54: error: window: \"0\" is not a whole number from 1 to 366"},
        {profile_with("to_l3: [{id: a, figure: events, at_least: 7}]\n"
                      "demotion: [{id: a, figure: events, at_least: 7}]"),
         "f:4:12: error: id a stands already in line 3"},
        {profile_with("to_l3: [{id: a, figure: events, at_least: 7, window: 7}]\n"
                      "demotion: [{id: b, figure: events, at_least: 7, window: 14}]"),
         "f:4:11: error: demotion: looks back 14 days, to_l3 only 7: make its windows no longer"},
        {profile_with("demotion: [{id: a, figure: pass_adj, at_least: 90%}]\n"
                      "restore: [{id: b, figure: pass_adj, at_least: 85%}]"),
         "f:4:10: error: restore: b asks for less than a, so whoever returns is lowered again"},
        {profile_with("moves: {cooldown: 7}"),
         "f:3:9: error: unknown key \"cooldown\"; did you mean \"cool_down\"?"},
        {profile_with("moves: {cool_down: soon}"),
         "f:3:20: error: cool_down: \"soon\" is not a whole number from 0 to 1000000"},
        {profile_with("quantiles: exact"),
         "f:3:12: error: quantiles: \"exact\" is not nearest_rank or compat"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.text);
        const auto reading = read_profile(row.text);
        EXPECT_FALSE(reading.profile);
        ASSERT_FALSE(reading.findings.empty());
        const auto found = to_text(reading.findings[0], "f");
        EXPECT_EQ(found.substr(0, row.finding.size()), row.finding);
    }
}

TEST(BuiltinProfiles, AreAllReadWithoutAFinding) {
    ASSERT_EQ(profile_files().size(), 3U);
    for (const auto& file : profile_files()) {
        const auto reading = read_profile(file.text);
        for (const auto& finding : reading.findings) {
            ADD_FAILURE() << to_text(finding, file.name);
        }
        ASSERT_TRUE(reading.profile);
        EXPECT_EQ(file.name, reading.profile->name + "-" + reading.profile->version + ".yml");
    }
    ASSERT_EQ(builtin_profiles().size(), 3U);
    EXPECT_NE(builtin_profile(kDefaultProfile), nullptr);
    EXPECT_NE(builtin_profile("crcr-l3/2026.09"), nullptr);
    EXPECT_NE(builtin_profile("viable-strict/1"), nullptr);
    EXPECT_EQ(builtin_profile("baton/2"), nullptr);
}

/// A fortnight of 40 jobs a day with what the rules of upstream look at.
domain::LadderHistory fortnight() {
    std::vector<domain::LadderDay> days;
    for (int i = 0; i < 14; ++i) {
        days.push_back(day(i, 36, 4));
    }
    return history(days);
}

Met met_of(const std::vector<domain::CriterionVerdict>& all, std::string_view id) {
    const auto found =
        std::ranges::find_if(all, [id](const auto& one) { return one.criterion.id == id; });
    return found == all.end() ? Met::insufficient : found->met;
}

domain::LadderVerdict crcr(const domain::LadderHistory& of, domain::Level listed) {
    const auto as_of = kMonday + 14 * kDay;
    return judge_level(
        {.listed = listed, .history = of}, *builtin_profile("crcr-l3/2026.09"), as_of, ""
    );
}

TEST(BuiltinProfiles, CrcrReproducesUpstreamsNumbers) {
    auto of = fortnight();
    auto verdict = crcr(of, domain::Level::l2);
    EXPECT_EQ(verdict.ready_for, domain::Level::l3) << "exactly 90 % is enough";
    EXPECT_EQ(verdict.standing.proposal->to, domain::Level::l3);

    of.days[0].completed_passed -= 1;
    EXPECT_EQ(met_of(crcr(of, domain::Level::l2).next, "l3.pass"), Met::no);

    of = fortnight();
    of.first_at_level2 = kMonday - 16 * kDay;
    EXPECT_EQ(met_of(crcr(of, domain::Level::l2).next, "l3.tenure"), Met::yes);
    of.first_at_level2 = kMonday - 15 * kDay;
    EXPECT_EQ(met_of(crcr(of, domain::Level::l2).next, "l3.tenure"), Met::no);

    of = fortnight();
    of.days[0].overran = 5; // of 560
    EXPECT_EQ(met_of(crcr(of, domain::Level::l2).next, "l3.overrun"), Met::yes);
    of.days[0].overran = 6;
    EXPECT_EQ(met_of(crcr(of, domain::Level::l2).next, "l3.overrun"), Met::no);

    of = fortnight();
    for (auto& one : of.days) { // one slow job: the mean is 30 minutes, the median is 10
        one.queue.back() = 10min + 40 * 20min;
    }
    EXPECT_EQ(met_of(crcr(of, domain::Level::l2).next, "l3.queue"), Met::no);
    of.days[0].queue.back() -= 1ms;
    EXPECT_EQ(met_of(crcr(of, domain::Level::l2).next, "l3.queue"), Met::yes);
}

TEST(BuiltinProfiles, CrcrTakesTheUpperMedianOfQueueAndSpan) {
    auto of = history({day(7, 2, 0)});
    of.days[0].e2e_compat = {Millis{1h}, Millis{3h}};
    of.days[0].e2e = {Millis{1h}, Millis{1h}};
    EXPECT_EQ(met_of(crcr(of, domain::Level::l2).next, "l3.e2e_p50"), Met::no);
    of.days[0].e2e_compat = {Millis{1h}, Millis{3h} - 1ms};
    EXPECT_EQ(met_of(crcr(of, domain::Level::l2).next, "l3.e2e_p50"), Met::yes);
}

TEST(BuiltinProfiles, CrcrLowersByThePlainComplement) {
    auto of = fortnight();
    EXPECT_FALSE(crcr(of, domain::Level::l3).violated);
    of.days[0].completed_passed = 0;
    EXPECT_FALSE(crcr(of, domain::Level::l3).violated) << "demotion looks at seven days";
    of.days[13].completed_passed -= 1;
    const auto verdict = crcr(of, domain::Level::l3);
    ASSERT_EQ(verdict.transitions.size(), 1U);
    EXPECT_EQ(verdict.transitions[0].rules, (std::vector<std::string>{"down.pass"}));
    EXPECT_EQ(verdict.standing.effective, domain::Level::l2);
    EXPECT_EQ(met_of(crcr(history({}), domain::Level::l3).demotion, "down.data"), Met::no);
}

TEST(BuiltinProfiles, BatonRaisesNobodyOfWhomTooMuchWasSetAside) {
    const auto with_excluded = [](std::size_t excluded) {
        std::vector<domain::LadderDay> days;
        for (int i = 0; i < 14; ++i) {
            days.push_back(day(i, 20, excluded));
            days.back().excluded[place(domain::OutcomeClass::test)] = excluded;
        }
        const auto& profile = *builtin_profile(kDefaultProfile);
        const domain::LadderFacts facts{.listed = domain::Level::l2, .history = history(days)};
        const auto verdict = judge_level(facts, profile, kMonday + 14 * kDay, "");
        return met_of(verdict.next, "l3.excluded");
    };
    EXPECT_EQ(with_excluded(8), Met::yes) << "28.6 %";
    EXPECT_EQ(with_excluded(9), Met::no) << "31.0 %";
}

TEST(BuiltinProfiles, BatonWatchesWhatCrcrWouldLower) {
    auto of = fortnight();
    of.days[13].outcomes[place(domain::OutcomeClass::success)] -= 1;
    of.days[13].outcomes[place(domain::OutcomeClass::test)] += 1;
    const auto as_of = kMonday + 14 * kDay;
    const auto verdict = judge_level(
        {.listed = domain::Level::l3, .history = of}, *builtin_profile(kDefaultProfile), as_of, ""
    );
    EXPECT_EQ(verdict.standing.state, domain::LadderState::watch);
    EXPECT_EQ(verdict.standing.effective, domain::Level::l3);
}

} // namespace

} // namespace baton::wire
