#pragma once

#include "contract/results_fixture.hpp"

namespace baton::test {

class StoreSweep : public ResultsContract {};

TEST_P(StoreSweep, MakesAResultOfADispatchThatNobodyStarts) {
    const auto dispatch = a_sent_dispatch("d1"); // at 10
    EXPECT_TRUE(must(store().sweep(a_sweep(at(7209)))).silent.empty());
    const auto swept = must(store().sweep(a_sweep(at(7210))));
    ASSERT_EQ(swept.silent.size(), 1U);
    EXPECT_EQ(swept.silent[0].dispatch, dispatch.id);
    EXPECT_EQ(swept.silent[0].downstream, repo("a/one"));
    EXPECT_FALSE(swept.silent[0].superseded);
    const auto now = now_of(dispatch);
    EXPECT_EQ(now.state, domain::DispatchState::finished);
    EXPECT_EQ(now.reason, "silent: no start within 2h");
    EXPECT_EQ(kinds_in(history_of("d1")), (std::vector<std::string>{"planned", "silent"}));
    EXPECT_EQ(must(store().result_counts()).silent, 1U);
    EXPECT_EQ(day_of(at(7210)).silent, 1U);
    EXPECT_TRUE(must(store().sweep(a_sweep(at(99'000)))).silent.empty()) << "once";
}

TEST_P(StoreSweep, AwaitsNothingOfTheFirstLevelNorOfAClosing) {
    must(store().insert_delivery(a_delivery("d1")));
    auto first_level = a_dispatch("d1", "a/one");
    first_level.level = domain::Level::l1;
    must(store().commit_plan(a_plan("d1", {first_level}, at(0))));
    sent_one("a/one", at(1));
    auto closing = a_delivery("d2");
    closing.action = "closed";
    must(store().insert_delivery(closing));
    must(store().commit_plan(a_plan("d2", {a_dispatch("d2", "b/two")}, at(0))));
    sent_one("b/two", at(1));
    EXPECT_TRUE(must(store().sweep(a_sweep(at(99'000)))).silent.empty());
    must(store().redeliver(
        {.delivery = DeliveryId("d2"),
         .states = {domain::DispatchState::sent},
         .now = at(100'000),
         .actor = "alice"}
    ));
    sent_one("b/two", at(100'001));
    EXPECT_TRUE(must(store().sweep(a_sweep(at(199'000)))).silent.empty());
}

TEST_P(StoreSweep, HoldsNothingAgainstAnybodyWhenThePullRequestHasMovedOn) {
    const auto dispatch = a_sent_dispatch("d1");
    pull_request_is("d2", "bbbb");
    const auto swept = must(store().sweep(a_sweep(at(9000))));
    ASSERT_EQ(swept.silent.size(), 1U);
    EXPECT_TRUE(swept.silent[0].superseded);
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::finished);
    EXPECT_EQ(now_of(dispatch).reason, "superseded before it started");
    EXPECT_EQ(must(store().result_counts()).silent, 0U);
    EXPECT_EQ(day_of(at(9000)).silent, 0U);
}

TEST_P(StoreSweep, HoldsNothingAgainstAnybodyWhenThePullRequestIsClosed) {
    a_sent_dispatch("d1");
    pull_request_is("d2", "aaaa", false);
    const auto swept = must(store().sweep(a_sweep(at(9000))));
    ASSERT_EQ(swept.silent.size(), 1U);
    EXPECT_TRUE(swept.silent[0].superseded);
}

TEST_P(StoreSweep, TakesSilenceBackWhenTheDownstreamSpeaksAfterAll) {
    const auto dispatch = a_sent_dispatch("d1");
    must(store().sweep(a_sweep(at(8000))));
    const auto receipt = report(dispatch, a_start(), at(8100));
    EXPECT_TRUE(receipt.weighed.proceed);
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::started);
    EXPECT_EQ(now_of(dispatch).reason, "");
    EXPECT_EQ(must(store().result_counts()).silent, 0U);
    EXPECT_EQ(day_of(at(8000)).silent, 0U);
    EXPECT_EQ(
        kinds_in(history_of("d1")), (std::vector<std::string>{"planned", "silent", "replaced"})
    );
    EXPECT_EQ(running_at("a/one", at(8200)), 1U);
    EXPECT_TRUE(must(store().sweep(a_sweep(at(8300)))).silent.empty());
}

TEST_P(StoreSweep, TakesSilenceBackForAnEndWhoseStartGotLost) {
    const auto dispatch = a_sent_dispatch("d1");
    must(store().sweep(a_sweep(at(8000))));
    report(dispatch, an_end(), at(8100));
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::finished);
    EXPECT_EQ(now_of(dispatch).reason, "");
    EXPECT_EQ(must(store().result_counts()).silent, 0U);
    EXPECT_EQ(kinds_in(history_of("d1")).back(), "replaced");
}

TEST_P(StoreSweep, ConcludesAJobThatNeverEnds) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, a_start(), at(20));
    EXPECT_TRUE(must(store().sweep(a_sweep(at(21'619)))).unheard.empty());
    const auto swept = must(store().sweep(a_sweep(at(21'620))));
    ASSERT_EQ(swept.unheard.size(), 1U);
    const auto& job = swept.unheard[0];
    EXPECT_EQ(job.status, domain::JobStatus::completed);
    EXPECT_EQ(job.conclusion, domain::Conclusion::timed_out);
    EXPECT_EQ(job.said_by, domain::SaidBy::relay);
    EXPECT_EQ(job.completed_at, at(21'620));
    EXPECT_EQ(jobs_of("d1").at(0), job);
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::finished);
    EXPECT_EQ(must(store().result_counts()).by_relay, 1U);
    EXPECT_EQ(day_of(at(21'620)).ended.at(domain::Conclusion::timed_out), 1U);
    EXPECT_EQ(kinds_in(history_of("d1")).back(), "timed_out");
    EXPECT_TRUE(must(store().sweep(a_sweep(at(99'000)))).unheard.empty()) << "once";
}

TEST_P(StoreSweep, CancelsAJobWhosePullRequestHasMovedOn) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, a_start(), at(20));
    pull_request_is("d2", "bbbb");
    const auto swept = must(store().sweep(a_sweep(at(30'000))));
    ASSERT_EQ(swept.unheard.size(), 1U);
    EXPECT_EQ(swept.unheard[0].conclusion, domain::Conclusion::cancelled);
    EXPECT_EQ(swept.unheard[0].said_by, domain::SaidBy::relay);
    EXPECT_EQ(jobs_of("d1").at(0), swept.unheard[0]);
    EXPECT_FALSE(day_of(at(30'000)).ended.contains(domain::Conclusion::timed_out));
    EXPECT_EQ(kinds_in(history_of("d1")).back(), "stopped");
    EXPECT_TRUE(must(store().sweep(a_sweep(at(99'000)))).unheard.empty()) << "once";
    const auto receipt = report(dispatch, an_end(domain::Conclusion::failure), at(99'100));
    EXPECT_TRUE(receipt.weighed.replaces) << "a genuine end still takes its place";
    EXPECT_EQ(receipt.job.conclusion, domain::Conclusion::failure);
}

TEST_P(StoreSweep, StillTimesOutAJobWhosePullRequestStands) {
    report(a_sent_dispatch("d1"), a_start(), at(20));
    pull_request_is("d2", "aaaa");
    const auto swept = must(store().sweep(a_sweep(at(30'000))));
    ASSERT_EQ(swept.unheard.size(), 1U);
    EXPECT_EQ(swept.unheard[0].conclusion, domain::Conclusion::timed_out);
}

TEST_P(StoreSweep, TellsItsSinksOfAJobThatTimedOut) {
    report(a_sent_dispatch("d1"), a_start(), at(20));
    must(store().sweep(a_sweep(at(30'000))));
    const auto letters = must(store().take_letters(
        {.sink = "hud", .holder = InstanceId("r"), .now = at(30'000), .until = at(30'030)}
    ));
    ASSERT_EQ(letters.size(), 1U);
    EXPECT_EQ(letters[0].body, "");
    EXPECT_EQ(letters[0].job, jobs_of("d1").at(0));
}

TEST_P(StoreSweep, LetsTheDownstreamsOwnWordReplaceATimeout) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, a_start(), at(20));
    must(store().sweep(a_sweep(at(30'000))));
    EXPECT_EQ(
        report(dispatch, a_start(), at(30'100)).weighed.effect, domain::Weighed::Effect::stale
    );
    const auto receipt = report(dispatch, an_end(domain::Conclusion::failure), at(30'200));
    EXPECT_TRUE(receipt.weighed.replaces);
    EXPECT_TRUE(receipt.job.replaced);
    EXPECT_EQ(receipt.job.said_by, domain::SaidBy::downstream);
    EXPECT_EQ(receipt.job.completed_at, at(30'200));
    const auto tally = day_of(at(30'200));
    EXPECT_EQ(tally.ended.size(), 1U);
    EXPECT_EQ(tally.ended.at(domain::Conclusion::failure), 1U);
    EXPECT_EQ(must(store().result_counts()).by_relay, 0U);
    EXPECT_EQ(must(store().result_counts()).completed.at(domain::Conclusion::timed_out), 0U);
    EXPECT_EQ(kinds_in(history_of("d1")).back(), "replaced");
}

TEST_P(StoreSweep, GivesEachDownstreamTheTimeThatItsListSays) {
    plant("d1", {"a/one", "b/two"});
    const auto patient = sent_one("a/one", at(0));
    const auto hasty = sent_one("b/two", at(0));
    auto query = a_sweep(at(100));
    query.own[{repo("up/stream"), repo("B/two")}] = {
        .start = std::chrono::seconds{60}, .run = std::chrono::seconds{30}
    };
    query.own[{repo("else/where"), repo("a/one")}] = {};
    const auto swept = must(store().sweep(query));
    ASSERT_EQ(swept.silent.size(), 1U);
    EXPECT_EQ(swept.silent[0].dispatch, hasty.id);
    EXPECT_EQ(now_of(hasty).reason, "silent: no start within 1m");
    report(hasty, a_start(), at(101));
    report(patient, a_start(), at(101));
    query.now = at(131);
    ASSERT_EQ(must(store().sweep(query)).unheard.size(), 1U);
}

TEST_P(StoreSweep, StopsAtItsLimitAndGoesOnNextTime) {
    for (const auto* id : {"d1", "d2", "d3"}) {
        report(a_sent_dispatch(id), a_start(), at(20));
    }
    for (const auto* id : {"e1", "e2", "e3"}) {
        a_sent_dispatch(id);
    }
    auto query = a_sweep(at(99'000));
    query.limit = 2;
    const auto first = must(store().sweep(query));
    EXPECT_EQ(first.silent.size(), 2U);
    EXPECT_EQ(first.unheard.size(), 2U);
    const auto second = must(store().sweep(query));
    EXPECT_EQ(second.silent.size(), 1U);
    EXPECT_EQ(second.unheard.size(), 1U);
}

} // namespace baton::test
