// Where downstreams stand on the ladder, as people see it.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/hud/levels.hpp"
#include "baton/hud/shown.hpp"
#include "baton/ports/levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace baton::hud {
namespace {

using domain::LadderMove;
using domain::LadderState;
using domain::Level;
using domain::Met;
using testing::ElementsAre;
using testing::IsEmpty;

const auto kUpstream = *RepoName::parse("up/stream");
const auto kAsOf = *parse_rfc3339("2026-11-15T00:00:00Z");
constexpr std::chrono::hours kDay{24};

domain::Criterion criterion(std::string id, int window = 14) {
    domain::Criterion one;
    one.id = std::move(id);
    one.figure = domain::Figure::pass_raw;
    one.window = window;
    return one;
}

domain::CriterionVerdict judged(std::string id, Met met, double value = 0.5) {
    domain::CriterionVerdict verdict;
    verdict.criterion = criterion(std::move(id));
    verdict.measured.value = value;
    verdict.measured.n = 40;
    verdict.met = met;
    return verdict;
}

LevelFacts facts(const std::string& name, Level level) {
    LevelFacts all;
    all.upstream = kUpstream;
    all.listed.repo = *RepoName::parse("down/" + name);
    all.listed.level = level;
    return all;
}

LevelFacts evaluated(const std::string& name, Level level, LadderState state) {
    auto all = facts(name, level);
    domain::LadderStanding standing;
    standing.listed = level;
    standing.effective = state == LadderState::temporary ? Level::l2 : level;
    standing.state = state;
    standing.since = kAsOf - 2 * kDay;
    standing.as_of = kAsOf;
    all.standing = standing;
    return all;
}

ports::KeptTransition move(LadderMove what, LadderState from, LadderState to, TimePoint as_of) {
    ports::KeptTransition kept;
    kept.as_of = as_of;
    kept.transition.move = what;
    kept.transition.from_state = from;
    kept.transition.to_state = to;
    kept.transition.rules = {"keep.pass"};
    kept.transition.reason = "because";
    return kept;
}

std::vector<std::string> names(const std::vector<LevelLine>& lines) {
    std::vector<std::string> all;
    for (const auto& line : lines) {
        all.push_back(line.listed.repo.text());
    }
    return all;
}

LadderRules rules() {
    LadderRules all;
    all.day_length = kDay;
    all.profile.to_l3 = {criterion("l3.pass", 14)};
    all.profile.demotion = {criterion("keep.pass", 7)};
    all.profile.at_once = {criterion("now.pass", 7)};
    all.profile.restore = {criterion("back.pass", 7)};
    return all;
}

TEST(LevelLines, StandAsListedUntilTheyWereEvaluated) {
    const auto line = level_line_of(facts("fresh", Level::l2), rules().profile);
    EXPECT_EQ(line.standing.effective, Level::l2);
    EXPECT_FALSE(line.standing.as_of);
    EXPECT_EQ(line.next_level, Level::l3);
    EXPECT_EQ(level_line_of(facts("top", Level::l4), rules().profile).next_level, std::nullopt);
}

TEST(LevelLines, TellWhyTheyAreLowered) {
    auto all = evaluated("bad", Level::l3, LadderState::temporary);
    all.moves = {
        move(LadderMove::proposed, LadderState::temporary, LadderState::temporary, kAsOf),
        move(LadderMove::demoted, LadderState::watch, LadderState::temporary, kAsOf - kDay),
    };
    all.moves[1].transition.reason = "violated twice";
    const auto line = level_line_of(all, rules().profile);
    EXPECT_EQ(line.standing.effective, Level::l2);
    EXPECT_EQ(line.reason, "violated twice") << "a proposal led nowhere";
    EXPECT_THAT(line.rules, ElementsAre("keep.pass"));
}

TEST(LevelLines, CountWhatTheNewestEvaluationSays) {
    auto all = evaluated("near", Level::l2, LadderState::ok);
    domain::LadderVerdict newest;
    newest.as_of = kAsOf;
    newest.next = {judged("a", Met::yes), judged("b", Met::no), judged("c", Met::insufficient)};
    newest.demotion = {judged("keep.pass", Met::no)};
    newest.forecast = "b stands in the way";
    all.verdicts = {newest, {}};
    const auto line = level_line_of(all, rules().profile);
    EXPECT_EQ(line.met, 1U);
    EXPECT_EQ(line.asked, 3U);
    EXPECT_EQ(line.violated, 1U);
    EXPECT_EQ(line.forecast, "b stands in the way");
}

TEST(LevelLines, CountDaysAtTheLevel) {
    auto all = evaluated("old", Level::l2, LadderState::ok);
    all.history.day_length = kDay;
    EXPECT_EQ(level_line_of(all, rules().profile).tenure_days, std::nullopt);
    all.history.first_at_level2 = kAsOf - 31 * kDay;
    EXPECT_EQ(level_line_of(all, rules().profile).tenure_days, 31U);
    all.standing->listed = all.listed.level = Level::l3;
    all.history.first_at_level3 = kAsOf - 3 * kDay;
    EXPECT_EQ(level_line_of(all, rules().profile).tenure_days, 3U);
}

TEST(LevelLines, StandWorstFirst) {
    std::vector<LevelLine> lines;
    auto proposed = evaluated("proposed", Level::l2, LadderState::ok);
    proposed.standing->proposal = domain::LevelProposal{};
    for (const auto& one :
         {evaluated("fine", Level::l2, LadderState::ok),
          evaluated("blocking", Level::l4, LadderState::ok),
          proposed,
          evaluated("watched", Level::l3, LadderState::watch),
          evaluated("lowered", Level::l3, LadderState::temporary)}) {
        lines.push_back(level_line_of(one, rules().profile));
    }
    sort_levels(lines);
    EXPECT_THAT(
        names(lines),
        ElementsAre("down/lowered", "down/watched", "down/proposed", "down/blocking", "down/fine")
    );
}

TEST(LevelUpstreams, KnowTheirNewestAndTheirNextEvaluation) {
    const std::vector lines{
        level_line_of(evaluated("one", Level::l2, LadderState::ok), rules().profile)
    };
    const auto soon = level_upstream_of(kUpstream, lines, rules(), kAsOf + kDay / 2);
    EXPECT_EQ(soon.as_of, kAsOf);
    EXPECT_EQ(soon.next_at, kAsOf + kDay);
    const auto due = level_upstream_of(kUpstream, lines, rules(), kAsOf + kDay);
    EXPECT_EQ(due.next_at, std::nullopt) << "it is being made";
    EXPECT_EQ(level_upstream_of(kUpstream, {}, rules(), kAsOf).as_of, std::nullopt);
}

TEST(LevelUpstreams, SayThatTheyAreFrozenOnlyWhileTheyAre) {
    auto all = evaluated("held", Level::l3, LadderState::watch);
    all.moves = {move(LadderMove::frozen, LadderState::watch, LadderState::watch, kAsOf - kDay)};
    EXPECT_EQ(
        level_upstream_of(kUpstream, {level_line_of(all, rules().profile)}, rules(), kAsOf).frozen,
        ""
    ) << "that was the day before";
    all.moves[0].as_of = kAsOf;
    EXPECT_EQ(
        level_upstream_of(kUpstream, {level_line_of(all, rules().profile)}, rules(), kAsOf).frozen,
        "because"
    );
}

TEST(LevelPages, ShowEachCriterionWithItsKindAndItsTrendOldestFirst) {
    auto all = evaluated("near", Level::l3, LadderState::temporary);
    domain::LadderVerdict newest;
    newest.as_of = kAsOf;
    newest.demotion = {
        judged("keep.pass", Met::no, 0.7),
        judged("now.pass", Met::yes),
        judged("back.pass", Met::no)
    };
    auto before = newest;
    before.as_of = kAsOf - kDay;
    before.demotion = {judged("keep.pass", Met::yes, 0.95)};
    all.verdicts = {newest, before};
    const auto page = level_page_of(all, rules(), kAsOf);
    ASSERT_EQ(page.demotion.size(), 3U);
    EXPECT_EQ(page.demotion[0].kind, "demotion");
    EXPECT_EQ(page.demotion[1].kind, "at_once");
    EXPECT_EQ(page.demotion[2].kind, "restore");
    const auto& trend = page.demotion[0].trend;
    ASSERT_EQ(trend.size(), 2U);
    EXPECT_EQ(trend[0].value, 0.95);
    EXPECT_EQ(trend[1].value, 0.7);
    ASSERT_EQ(page.rates.size(), 2U) << "7 and 14 days, as the profile looks";
    EXPECT_EQ(page.rates[0].window, 7);
}

TEST(LevelPages, NameNobodyPrivateInTheirEvidence) {
    domain::Allowlist list;
    domain::Downstream open_one;
    open_one.repo = *RepoName::parse("down/open");
    list.add(open_one);
    domain::Downstream secret;
    secret.repo = *RepoName::parse("down/secret");
    secret.visibility = domain::Visibility::closed;
    list.add(secret);
    const Shown shown({{
        .upstream = kUpstream,
        .allowlist = std::make_shared<const domain::Allowlist>(std::move(list)),
        .trouble = "",
    }});
    ports::RedView reds;
    reds.newest.resize(1);
    reds.newest[0].evidence = "red too: down/open (dispatch 7), down/secret (dispatch 8)";
    hide(reds, shown);
    EXPECT_THAT(reds.newest[0].evidence, testing::HasSubstr("down/open"));
    EXPECT_THAT(reds.newest[0].evidence, testing::Not(testing::HasSubstr("secret")));
}

TEST(LevelPages, AreEmptyAndNotWrongBeforeTheFirstEvaluation) {
    const auto page = level_page_of(facts("fresh", Level::l2), rules(), kAsOf);
    EXPECT_THAT(page.next, IsEmpty());
    EXPECT_THAT(page.demotion, IsEmpty());
    EXPECT_THAT(page.rates, IsEmpty());
    EXPECT_FALSE(page.evaluation.as_of);
}

} // namespace
} // namespace baton::hud
