#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "contract/views_fixture.hpp"

namespace baton::test {

namespace {

using domain::Conclusion;
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
    made.digest = digest;
    return made;
}

/// What the ladder reads and keeps.
class LevelsContract : public ViewsContract {
protected:
    ports::Levels& levels() { return static_cast<store::SqliteStore&>(store()).levels(); }

    domain::LadderEvidence evidence(TimePoint from, TimePoint until) {
        return must(
            levels().evidence({.upstream = upstream(), .window = {.from = from, .until = until}})
        );
    }

    std::vector<domain::LadderEvent> events() { return evidence(at(0), at(86'400)).events; }

    /// One dispatch to a/one, sent right away.
    domain::Dispatch sent(
        const std::string& delivery,
        TimePoint now,
        const std::string& event_type = "pull_request",
        const std::string& action = "opened"
    ) {
        auto heard = a_delivery(delivery, now);
        heard.action = action;
        must(store().insert_delivery(heard));
        auto dispatch = a_dispatch(delivery, "a/one");
        dispatch.event_type = event_type;
        must(store().commit_plan(a_plan(delivery, {dispatch}, now)));
        return sent_one("a/one", now);
    }

    void pull_request_was(const std::string& delivery, const std::string& head, TimePoint when) {
        pull_request_was(delivery, head, when, std::nullopt, std::nullopt);
    }

    void pull_request_was(
        const std::string& delivery,
        const std::string& head,
        TimePoint when,
        std::optional<TimePoint> closed_at,
        std::optional<TimePoint> merged_at
    ) {
        must(store().insert_delivery(a_delivery(delivery, when)));
        const auto known =
            must(store().pull_request({.upstream = upstream(), .number = PrNumber{7}}));
        auto commit = a_plan(delivery, {}, when);
        auto pull = a_pull_request(head, known ? known->version : 0);
        pull.updated_at = when;
        pull.open = !closed_at;
        pull.closed_at = closed_at;
        pull.merged_at = merged_at;
        commit.plan.pull_request = std::move(pull);
        must(store().commit_plan(std::move(commit)));
    }

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

TEST_P(LevelsContract, ReadWhatWasSentWithTheAttemptsOfEachJobInOrder) {
    const auto dispatch = sent("d1", at(10));
    report(dispatch, a_start(), at(20));
    auto red = an_end(Conclusion::failure);
    red.tests = domain::TestCounts{.passed = 9, .failed = 1, .skipped = 0, .total = 10};
    report(dispatch, red, at(30));
    again(dispatch, 2, Conclusion::success, at(40));
    report(dispatch, an_end(Conclusion::success, "101", "build"), at(50));

    const auto all = events();
    ASSERT_EQ(all.size(), 1U);
    const auto& event = all[0];
    EXPECT_EQ(event.id, dispatch.id);
    EXPECT_EQ(event.downstream, repo("a/one"));
    EXPECT_EQ(event.sent_at, at(10));
    EXPECT_EQ(event.level, Level::l2);
    EXPECT_EQ(event.pr, PrNumber{7});
    ASSERT_EQ(event.jobs.size(), 2U);
    EXPECT_EQ(event.jobs[0].name, "build");
    ASSERT_EQ(event.jobs[1].attempts.size(), 2U);
    const auto& first = event.jobs[1].attempts[0];
    EXPECT_EQ(first.conclusion, Conclusion::failure);
    EXPECT_EQ(first.queue, Millis(10'000));
    EXPECT_EQ(first.started_at, at(20));
    EXPECT_EQ(first.ended_at, at(30));
    EXPECT_TRUE(first.tests_told);
    EXPECT_TRUE(first.device_named);
    EXPECT_EQ(event.jobs[1].attempts[1].conclusion, Conclusion::success);
    EXPECT_FALSE(event.jobs[1].attempts[1].tests_told);
    EXPECT_THAT(evidence(at(11), at(86'400)).events, IsEmpty()) << "by when it was sent";
}

TEST_P(LevelsContract, TakeCanariesTestsAndTellingsOfAClosingForNoEvents) {
    sent("d1", at(10), "baton_canary", "");
    sent("test-77", at(20));
    sent("d2", at(30), "pull_request", "closed");
    EXPECT_THAT(events(), IsEmpty());
}

TEST_P(LevelsContract, CountAllGenerationsOfADispatchAsOneEvent) {
    const auto first = sent("d1", at(10));
    report(first, an_end(Conclusion::failure), at(20));
    ports::RedeliverQuery again{.delivery = DeliveryId("d1"), .now = at(30)};
    again.states = {domain::DispatchState::finished};
    must(store().redeliver(again));
    const auto second = sent_one("a/one", at(86'500));
    report(second, an_end(Conclusion::success, "202"), at(86'600));

    const auto all = events();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].id, first.id);
    ASSERT_EQ(all[0].jobs.size(), 1U);
    ASSERT_EQ(all[0].jobs[0].attempts.size(), 2U);
    EXPECT_EQ(all[0].jobs[0].attempts[1].number, 2);
    EXPECT_THAT(evidence(at(86'400), at(90'000)).events, IsEmpty()) << "it is of the day before";
}

TEST_P(LevelsContract, KnowWhenANewerHeadCameAndHowThePullRequestEnded) {
    pull_request_was("p1", "aaaa", at(5));
    sent("d1", at(10));
    EXPECT_EQ(events().at(0).overtaken_at, std::nullopt);
    pull_request_was("p2", "bbbb", at(60));
    pull_request_was("p3", "cccc", at(90));
    EXPECT_EQ(events().at(0).overtaken_at, at(60));
    pull_request_was("p4", "cccc", at(120), at(119), at(119));
    const auto seen = evidence(at(0), at(86'400));
    EXPECT_EQ(seen.events.at(0).overtaken_at, at(60));
    const auto& end = seen.pulls.at(PrNumber{7});
    EXPECT_EQ(end.head, HeadSha("cccc"));
    EXPECT_EQ(end.merged_at, at(119));
    EXPECT_EQ(end.closed_at, std::nullopt) << "that is of those that were not merged";
    pull_request_was("p5", "cccc", at(130), at(129), std::nullopt);
    EXPECT_EQ(evidence(at(0), at(86'400)).pulls.at(PrNumber{7}).closed_at, at(129));
    EXPECT_THAT(evidence(at(100), at(128)).pulls, IsEmpty()) << "nothing was sent or merged";
}

TEST_P(LevelsContract, CountReportsByTheDayWithThoseThatWereRefused) {
    const auto dispatch = sent("d1", at(10));
    report(dispatch, a_start(), at(20));
    report(dispatch, an_end(), at(30));
    auto& operators = static_cast<store::SqliteStore&>(store()).operators();
    must(operators.keep_refusals({
        {.downstream = repo("a/one"), .reason = "unusable body", .status = 400, .at = at(40)},
        {.downstream = repo("a/one"), .reason = "too many", .status = 429, .at = at(41), .count = 3
        },
        {.downstream = repo("a/one"), .reason = "store unavailable", .status = 503, .at = at(42)},
    }));
    const auto reports = evidence(at(0), at(86'400)).reports;
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_EQ(reports[0].downstream, repo("a/one"));
    EXPECT_EQ(reports[0].day, day(0));
    EXPECT_EQ(reports[0].reports, 6U);
    EXPECT_EQ(reports[0].invalid, 1U);
    EXPECT_EQ(reports[0].limited, 3U);
}

TEST_P(LevelsContract, TellWhatTheRelayCouldNotSend) {
    sent("d1", at(10));
    plant("d2", {"a/one"}, at(20));
    const auto leased = lease_one("a/one", at(20));
    must(store().settle(ended(leased.lease, domain::DispatchState::dead, at(30))));
    plant("d3", {"a/one"}, at(40)); // nobody tried: it waits for its turn
    const auto health = must(levels().sending(upstream(), {.from = at(0), .until = at(86'400)}));
    EXPECT_EQ(health.dispatches, 3U);
    EXPECT_EQ(health.unsent, 1U);
}

TEST_P(LevelsContract, KeepDaysAndCountOneAnewOnlyWhenItChanged) {
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

TEST_P(LevelsContract, KeepWhereADownstreamStandsAndHowItCameThere) {
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

TEST_P(LevelsContract, KnowSinceWhenADownstreamIsListedFromWhatItWasSentBefore) {
    sent("d1", at(10)); // at level 2
    must(levels().commit(a_move(day(1), LadderMove::relisted, Level::l2, Level::l3)));
    const auto kept = must(levels().ladders(upstream(), {.from = day(0), .until = day(1)}));
    EXPECT_EQ(kept.at(0).history.first_at_level2, at(10));
    EXPECT_EQ(kept.at(0).history.first_at_level3, day(1));
}

TEST_P(LevelsContract, KeepARevisionOfAnEvaluationOnlyWhenItSaysSomethingElse) {
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

TEST_P(LevelsContract, TakeAPersonsWordAboutAnOutcomeAndItsReplacement) {
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

TEST_P(LevelsContract, KeepRedOutcomesAsTheyWereJudgedLast) {
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

TEST_P(LevelsContract, TellOpenPagesOfAMove) {
    const auto seen = newest_news();
    must(levels().commit(a_move(day(1), LadderMove::demoted, Level::l3, Level::l2)));
    EXPECT_THAT(news_after(seen), ElementsAre("downstream Up/Stream #0 a/one"));
}

INSTANTIATE_TEST_SUITE_P(
    Every, LevelsContract, testing::Values(StoreKind{"sqlite", open_sqlite_store}), kind_name
);

} // namespace baton::test
