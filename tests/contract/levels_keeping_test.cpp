#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/notification.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/levels_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "contract/views_fixture.hpp"

namespace baton::test {

namespace {

using domain::LadderMove;
using domain::LadderState;
using domain::Level;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

domain::LadderDay a_day(TimePoint day, const std::string& digest) {
    domain::LadderDay made;
    made.day = day;
    made.level = Level::l3;
    made.events = 12;
    made.outcomes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    made.excluded[9] = 4;
    made.false_alarms = 1;
    made.last_answer_at = day + std::chrono::hours{3};
    made.queue = {Millis(10), Millis(20)};
    made.e2e_compat = {Millis(5)};
    made.oncall = {Millis(7), Millis(9)};
    made.digest = digest;
    return made;
}

/// What the ladder keeps.
class LadderKeepingContract : public LevelsContract {
protected:
    /// What one evaluation of a/one leaves behind.
    static ports::LadderCommit a_move(TimePoint as_of, LadderMove move, Level from, Level to) {
        domain::LadderStanding standing{
            .listed = Level::l3,
            .effective = to,
            .state = to == Level::l3 ? LadderState::ok : LadderState::temporary,
            .since = as_of,
            .as_of = as_of,
            .violated = 2,
            .temporaries = {as_of},
            .lowered_at = as_of,
            .watched_at = as_of - std::chrono::hours{24},
            .proposal =
                domain::LevelProposal{
                    .from = Level::l3, .to = Level::l2, .since = as_of, .reason = "it stays bad"
                },
        };
        ports::KeptTransition transition{
            .upstream = upstream(),
            .downstream = repo("a/one"),
            .at = as_of + std::chrono::minutes{1},
            .as_of = as_of,
            .transition =
                {.move = move,
                 .from_state = LadderState::ok,
                 .to_state = standing.state,
                 .from = from,
                 .to = to,
                 .rules = {"d.pass_adj", "d.silence"},
                 .reason = "it fails"},
            .profile = "baton/1",
            .figures = R"({"criteria":[]})",
            .digest = "d1",
            .actor = "baton",
        };
        ports::KeptEvaluation evaluation{
            .upstream = upstream(),
            .downstream = repo("a/one"),
            .as_of = as_of,
            .profile = "baton/1",
            .verdict = R"({"said":"bad"})",
            .digest = "d1",
        };
        ports::LadderCommit commit{.upstream = upstream(), .as_of = as_of};
        commit.outcomes.push_back({
            .downstream = repo("a/one"),
            .standing = std::move(standing),
            .evaluation = std::move(evaluation),
            .transitions = {std::move(transition)},
        });
        commit.now = as_of + std::chrono::minutes{1};
        return commit;
    }

    std::vector<std::string> moves(ports::TransitionQuery query) {
        std::vector<std::string> lines;
        for (const auto& kept : must(levels().transitions(std::move(query)))) {
            lines.push_back(fmt::format(
                "{} {}: {} {}->{}",
                kept.id,
                kept.downstream.text(),
                name_of(kept.transition.move),
                name_of(kept.transition.from),
                name_of(kept.transition.to)
            ));
        }
        return lines;
    }
};

} // namespace

TEST_P(LadderKeepingContract, KeepDaysAndCountOneAnewOnlyWhenItChanged) {
    ports::LadderCommit commit{.upstream = upstream(), .as_of = day(1)};
    commit.now = day(1);
    commit.days = {{.downstream = repo("a/one"), .days = {a_day(day(0), "d1")}}};
    must(levels().commit(commit));
    must(levels().commit(commit));
    const ports::ViewWindow window{.from = day(0), .until = day(1)};
    auto kept = must(levels().ladders(upstream(), window));
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_THAT(kept[0].history.days, ElementsAre(a_day(day(0), "d1")));
    EXPECT_FALSE(kept[0].standing.has_value());

    auto changed = a_day(day(0), "d2");
    changed.answered = 5;
    commit.days[0].days = {changed};
    must(levels().commit(commit));
    kept = must(levels().ladders(upstream(), window));
    EXPECT_THAT(kept.at(0).history.days, ElementsAre(changed));
    EXPECT_THAT(must(levels().ladders(upstream(), {.from = day(1), .until = day(2)})), IsEmpty());
}

TEST_P(LadderKeepingContract, KeepWhereADownstreamStandsAndHowItCameThere) {
    const auto bad = a_move(day(1), LadderMove::demoted, Level::l3, Level::l2);
    must(levels().commit(bad));
    const auto kept = must(levels().ladders(upstream(), {.from = day(0), .until = day(1)}));
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept[0].standing, bad.outcomes[0].standing);
    EXPECT_EQ(kept[0].history.first_at_level2, day(1));
    EXPECT_EQ(kept[0].history.first_at_level3, day(1));

    must(levels().commit(a_move(day(2), LadderMove::returned, Level::l2, Level::l3)));
    EXPECT_THAT(
        moves({.upstream = upstream(), .downstream = repo("A/One")}),
        ElementsAre("2 a/one: returned L2->L3", "1 a/one: demoted L3->L2")
    );
    EXPECT_THAT(moves({.upstream = upstream(), .before = 2}).size(), 1U);
    EXPECT_THAT(moves({.downstream = repo("a/one"), .limit = 1}).size(), 1U);
    EXPECT_THAT(moves({}).size(), 2U);
    EXPECT_THAT(moves({.upstream = repo("other/one")}), IsEmpty());
    const auto line = must(levels().transitions({})).back();
    EXPECT_THAT(line.transition.rules, ElementsAre("d.pass_adj", "d.silence"));
    EXPECT_EQ(line.figures, R"({"criteria":[]})");
    EXPECT_EQ(line.actor, "baton");
}

TEST_P(LadderKeepingContract, KnowSinceWhenADownstreamIsListedFromWhatItWasSentBefore) {
    sent("d1", at(10)); // at level 2
    must(levels().commit(a_move(day(1), LadderMove::relisted, Level::l2, Level::l3)));
    const auto kept = must(levels().ladders(upstream(), {.from = day(0), .until = day(1)}));
    EXPECT_EQ(kept.at(0).history.first_at_level2, at(10));
    EXPECT_EQ(kept.at(0).history.first_at_level3, day(1));
}

TEST_P(LadderKeepingContract, KeepARevisionOfAnEvaluationOnlyWhenItSaysSomethingElse) {
    auto commit = a_move(day(1), LadderMove::demoted, Level::l3, Level::l2);
    must(levels().commit(commit));
    commit.outcomes[0].transitions.clear();
    must(levels().commit(commit));
    auto kept = must(levels().evaluations(upstream(), repo("a/one"), 10));
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept[0].revision, 1);
    EXPECT_EQ(kept[0].verdict, R"({"said":"bad"})");

    commit.outcomes[0].evaluation->verdict = R"({"said":"better"})";
    must(levels().commit(commit));
    must(levels().commit(a_move(day(2), LadderMove::returned, Level::l2, Level::l3)));
    kept = must(levels().evaluations(upstream(), repo("a/one"), 10));
    ASSERT_EQ(kept.size(), 2U) << "the newest revision of each day, the newest day first";
    EXPECT_EQ(kept[0].as_of, day(2));
    EXPECT_EQ(kept[1].revision, 2);
    EXPECT_EQ(kept[1].verdict, R"({"said":"better"})");
    EXPECT_EQ(must(levels().evaluations(upstream(), repo("a/one"), 1)).size(), 1U);
}

TEST_P(LadderKeepingContract, TakeAPersonsWordAboutAnOutcomeAndItsReplacement) {
    const auto dispatch = sent("d1", at(10));
    domain::LadderRuling ruling{
        .dispatch = dispatch.id,
        .workflow = "ci",
        .job = "test",
        .excluded = true,
        .by = "olga",
        .reason = "the racks moved",
        .at = at(50),
    };
    must(levels().rule(ruling));
    EXPECT_THAT(evidence(at(0), at(100)).rulings, ElementsAre(ruling));
    ruling.excluded = false;
    must(levels().rule(ruling));
    EXPECT_THAT(evidence(at(0), at(100)).rulings, ElementsAre(ruling));
    EXPECT_THAT(kinds_in(history_of("d1")), testing::Contains("ladder_ruled"));
    ruling.dispatch = DispatchId{999};
    EXPECT_EQ(refused(levels().rule(ruling)), Errc::not_found);
}

TEST_P(LadderKeepingContract, KeepRedOutcomesAsTheyWereJudgedLast) {
    const auto dispatch = sent("d1", at(10));
    const auto red = [&](const std::string& job, domain::ExclusionRule rule, bool excluded) {
        ports::RedOutcome outcome;
        outcome.dispatch = dispatch.id;
        outcome.sent_at = at(10);
        outcome.pr = PrNumber{7};
        outcome.head = HeadSha("abc");
        outcome.event_type = "pull_request";
        outcome.workflow = "ci";
        outcome.job = job;
        outcome.outcome = domain::OutcomeClass::test;
        outcome.rule = rule;
        outcome.excluded = excluded;
        outcome.evidence = "as a/two and a/three";
        return outcome;
    };
    ports::LadderCommit commit;
    commit.upstream = upstream();
    commit.as_of = at(86'400);
    commit.counted_from = at(0);
    const auto mine = red("one", domain::ExclusionRule::unknown, false);
    const auto trunks = red("two", domain::ExclusionRule::trunk, true);
    const auto other = red("three", domain::ExclusionRule::trunk, true);
    commit.days = {{.downstream = repo("a/one"), .days = {}, .red = {mine, trunks, other}}};
    must(levels().commit(commit));
    const ports::RedQuery query{
        .upstream = upstream(),
        .downstream = repo("a/one"),
        .window = {.from = at(0), .until = at(86'400)},
        .newest = 1
    };
    const auto view = must(levels().reds(query));
    ASSERT_EQ(view.by_rule.size(), 2U);
    EXPECT_EQ(view.by_rule[0].rule, domain::ExclusionRule::trunk);
    EXPECT_EQ(view.by_rule[0].red, 2U);
    EXPECT_EQ(view.by_rule[0].excluded, 2U);
    EXPECT_EQ(view.by_rule[1].excluded, 0U);
    EXPECT_THAT(view.newest, testing::ElementsAre(other)) << "as many as were asked for";
    commit.days[0].red = {mine};
    must(levels().commit(commit));
    EXPECT_TRUE(must(levels().reds(query)).newest.empty()) << "judged anew";
}

TEST_P(LadderKeepingContract, WriteALetterToEveryReceiverWithTheMoveItTellsOf) {
    must(static_cast<store::SqlStore&>(store()).name_receivers({"notify:a", "notify:b"}, at(0)));
    auto commit = a_move(day(1), LadderMove::demoted, Level::l3, Level::l2);
    commit.notifications = {
        {.kind = domain::NotificationKind::demoted,
         .upstream = upstream(),
         .downstream = repo("a/one"),
         .level = Level::l3,
         .reason = "it fails",
         .evidence = R"({"criteria":[]})",
         .actor = "baton",
         .since = day(1),
         .at = day(1)},
        {.kind = domain::NotificationKind::watch,
         .upstream = upstream(),
         .level = Level::l3,
         .reason = "b/two (d.pass)",
         .evidence = R"({"downstreams":[]})",
         .actor = "baton",
         .since = day(1),
         .at = day(1)},
    };
    must(levels().commit(commit));
    for (const auto* sink : {"notify:a", "notify:b"}) {
        ports::LetterQuery query{
            .sink = sink,
            .holder = InstanceId("c"),
            .now = day(2),
            .until = day(2) + std::chrono::minutes{1}
        };
        const auto letters = must(store().take_letters(query));
        ASSERT_EQ(letters.size(), 2U) << "two lanes: neither waits for the other";
        EXPECT_THAT(letters[0].body, testing::HasSubstr(R"("kind":"demoted")"));
        EXPECT_THAT(letters[1].body, testing::HasSubstr(R"("downstream":"")"));
        EXPECT_THAT(
            letters[1].body,
            testing::HasSubstr("At Up/Stream these are watched from now on: b/two (d.pass)")
        );
    }
}

TEST_P(LadderKeepingContract, NoteWhereAProposalWasPutBeforeTheKeepersOnce) {
    must(levels().commit(a_move(day(1), LadderMove::proposed, Level::l2, Level::l2)));
    const auto line = must(levels().transitions({})).front();
    EXPECT_EQ(line.pull, "");
    const auto note = [&](std::int64_t move, std::string url) {
        ports::ProposalPull pull{
            .move = move,
            .repo = upstream(),
            .number = PrNumber{7},
            .url = std::move(url),
            .at = day(1),
        };
        return run_awaitable(levels().note_pull(std::move(pull)));
    };
    EXPECT_TRUE(note(line.id, "https://github.com/up/stream/pull/7"));
    EXPECT_TRUE(note(line.id, "https://github.com/up/stream/pull/8")) << "the first one stands";
    EXPECT_EQ(must(levels().transitions({})).front().pull, "https://github.com/up/stream/pull/7");
    EXPECT_EQ(note(line.id + 1, "https://x").error().code, Errc::not_found);
}

TEST_P(LadderKeepingContract, TellOpenPagesOfAMove) {
    const auto seen = newest_news();
    must(levels().commit(a_move(day(1), LadderMove::demoted, Level::l3, Level::l2)));
    EXPECT_THAT(news_after(seen), ElementsAre("downstream Up/Stream #0 a/one"));
}

INSTANTIATE_TEST_SUITE_P(Every, LadderKeepingContract, testing::ValuesIn(sql_kinds()), kind_name);

} // namespace baton::test
