#pragma once

#include "contract/results_fixture.hpp"

namespace baton::test {

using Effect = domain::Weighed::Effect;

class StoreResults : public ResultsContract {};

TEST_P(StoreResults, FollowsAJobFromItsStartToItsEnd) {
    const auto dispatch = a_sent_dispatch("d1");
    const auto started = report(dispatch, a_start(), at(70));
    EXPECT_EQ(started.weighed.effect, Effect::recorded);
    EXPECT_TRUE(started.weighed.proceed);
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::started);

    const auto over = report(dispatch, an_end(), at(130));
    EXPECT_EQ(over.weighed.effect, Effect::recorded);
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::finished);
    const auto jobs = jobs_of("d1");
    ASSERT_EQ(jobs.size(), 1U);
    EXPECT_EQ(jobs[0], over.job);
    EXPECT_EQ(jobs[0].id, started.job.id);
    EXPECT_EQ(jobs[0].subject, subject_of(dispatch));
    EXPECT_EQ(jobs[0].conclusion, domain::Conclusion::success);
    EXPECT_EQ(jobs[0].dispatched_at, at(10));
    EXPECT_EQ(jobs[0].started_at, at(70));
    EXPECT_EQ(jobs[0].completed_at, at(130));
    EXPECT_EQ(jobs[0].queue, std::chrono::seconds{60});
    EXPECT_FALSE(jobs[0].start_missed);
    EXPECT_EQ(
        kinds_in(history_of("d1")), (std::vector<std::string>{"planned", "started", "finished"})
    );
}

TEST_P(StoreResults, KeepsEverythingThatAReportSays) {
    const auto dispatch = a_sent_dispatch("d1");
    auto end = an_end(domain::Conclusion::failure);
    end.url = "https://ci.example/1";
    end.check_run_id = "77";
    end.artifact_url = "https://ci.example/1.zip";
    end.started_at = at(20);
    end.completed_at = at(29);
    end.tests = {.passed = 10, .failed = 2, .skipped = 3, .total = 15};
    end.detail.failed_tests = {
        {.name = "a", .message = "b\n", .stack = std::string("\0c", 2), .cut = true}
    };
    end.detail.benchmarks = {{.suite = "s", .name = "n", .value = 0.1 + 0.2, .unit = "ms"}};
    end.detail.environment = R"({"device":"npu"})";
    end.detail.expected_failures = "[]";
    end.detail.artifacts = R"([{"name":"wheel"}])";
    end.detail.triage_verdict = "{}";
    end.detail.notes = {"failed_tests: 3 of 4 kept"};
    const auto job = report(dispatch, end, at(30)).job;
    EXPECT_EQ(job.url, end.url);
    EXPECT_EQ(job.check_run_id, end.check_run_id);
    EXPECT_EQ(job.artifact_url, end.artifact_url);
    EXPECT_EQ(job.their_start, end.started_at);
    EXPECT_EQ(job.their_end, end.completed_at);
    EXPECT_EQ(job.tests, end.tests);
    EXPECT_EQ(job.device, "npu");
    EXPECT_EQ(job.level, domain::Level::l2);
    EXPECT_TRUE(job.bound);
    EXPECT_TRUE(job.run_proven);
    EXPECT_TRUE(job.start_missed) << "its start got lost, its result did not";
    EXPECT_EQ(jobs_of("d1").at(0), job);
    EXPECT_EQ(must(store().report_detail(job.id)), end.detail);
}

TEST_P(StoreResults, HasNoDetailOfAReportThatBroughtNone) {
    const auto job = report(a_sent_dispatch("d1"), a_start(), at(20)).job;
    EXPECT_EQ(must(store().report_detail(job.id)), domain::ReportDetail{});
    EXPECT_EQ(refused(store().report_detail(JobId{99})), Errc::not_found);
}

TEST_P(StoreResults, ChangesNothingForWhatIsNoNews) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, a_start(), at(20));
    auto again = a_commit(dispatch, a_start(), at(21));
    again.report.url = "https://elsewhere.example";
    again.letters = {{.sink = "hud", .body = "again"}};
    EXPECT_EQ(must(store().record_report(again)).weighed.effect, Effect::duplicate);
    report(dispatch, an_end(), at(30));
    const auto before = history_of("d1");
    EXPECT_EQ(report(dispatch, a_start(), at(31)).weighed.effect, Effect::stale);
    EXPECT_EQ(report(dispatch, an_end(), at(32)).weighed.effect, Effect::duplicate);
    const auto other = report(dispatch, an_end(domain::Conclusion::failure), at(33));
    EXPECT_EQ(other.weighed.effect, Effect::contradiction);
    EXPECT_EQ(other.job.conclusion, domain::Conclusion::success) << "the first one stands";
    const auto after = history_of("d1");
    EXPECT_EQ(after.dispatches.at(0).jobs, before.dispatches.at(0).jobs);
    EXPECT_EQ(after.ledger.size(), before.ledger.size());
    EXPECT_EQ(must(store().result_counts()).outbox_waiting, 0U);
    EXPECT_EQ(day_of(at(30)).ended.at(domain::Conclusion::success), 1U);
}

TEST_P(StoreResults, GivesADispatchToTheFirstRunOfAWorkflow) {
    const auto dispatch = a_sent_dispatch("d1");
    EXPECT_TRUE(report(dispatch, a_start("101"), at(20)).weighed.proceed);
    EXPECT_TRUE(report(dispatch, a_start("101", "lint"), at(21)).weighed.proceed);
    const auto second = report(dispatch, a_start("102"), at(22));
    EXPECT_EQ(second.weighed.effect, Effect::recorded) << "it is shown";
    EXPECT_FALSE(second.weighed.proceed);
    EXPECT_FALSE(second.job.counts);
    auto other = a_start("102");
    other.key.workflow = "docs";
    EXPECT_TRUE(report(dispatch, other, at(23)).weighed.proceed);
    auto later = a_start("101");
    later.key.attempt = 2;
    EXPECT_TRUE(report(dispatch, later, at(24)).weighed.proceed);
    EXPECT_FALSE(report(dispatch, an_end(domain::Conclusion::failure, "102"), at(25)).job.counts);
    EXPECT_TRUE(day_of(at(25)).ended.empty()) << "its verdict does not count";
}

TEST_P(StoreResults, TakesAClaimFromARunThatNeverShowedTheToken) {
    const auto dispatch = a_sent_dispatch("d1");
    auto forged = a_commit(dispatch, an_end(domain::Conclusion::success, "102"), at(20));
    forged.bound = false;
    EXPECT_TRUE(must(store().record_report(forged)).job.counts);
    EXPECT_EQ(day_of(at(20)).ended.at(domain::Conclusion::success), 1U);
    const auto genuine = report(dispatch, a_start("101"), at(21));
    EXPECT_TRUE(genuine.weighed.proceed);
    EXPECT_TRUE(genuine.job.counts);
    EXPECT_EQ(genuine.job.queue, std::chrono::seconds{11});
    EXPECT_FALSE(jobs_of("d1").at(0).counts) << "it is only shown";
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::started);
    report(dispatch, an_end(domain::Conclusion::failure, "101"), at(30));
    const auto day = day_of(at(30));
    EXPECT_EQ(day.ended.at(domain::Conclusion::failure), 1U);
    EXPECT_FALSE(day.ended.contains(domain::Conclusion::success));
}

TEST_P(StoreResults, GivesADispatchToARunWhoseStartGotLost) {
    const auto dispatch = a_sent_dispatch("d1");
    EXPECT_TRUE(report(dispatch, an_end(domain::Conclusion::success, "101"), at(20)).job.counts);
    EXPECT_FALSE(report(dispatch, a_start("102"), at(21)).job.counts);
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::finished);
}

TEST_P(StoreResults, TellsOncePerRunHowLongItWaitedToStart) {
    const auto dispatch = a_sent_dispatch("d1");
    EXPECT_EQ(report(dispatch, a_start("101", "a"), at(20)).job.queue, std::chrono::seconds{10});
    EXPECT_FALSE(report(dispatch, a_start("101", "b"), at(30)).job.queue.has_value());
    auto again = a_start("101", "a");
    again.key.attempt = 2;
    EXPECT_FALSE(report(dispatch, again, at(40)).job.queue.has_value());
    auto end = an_end(domain::Conclusion::success, "101", "a");
    EXPECT_EQ(report(dispatch, end, at(50)).job.queue, std::chrono::seconds{10});
}

TEST_P(StoreResults, EndsADispatchWhenTheLastOfItsJobsHasEnded) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, a_start("101", "a"), at(20));
    report(dispatch, a_start("101", "b"), at(21));
    report(dispatch, an_end(domain::Conclusion::success, "101", "a"), at(22));
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::started);
    report(dispatch, an_end(domain::Conclusion::success, "101", "b"), at(23));
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::finished);
    EXPECT_EQ(running_at("a/one", at(24)), 0U);
    auto again = a_start("101", "b");
    again.key.attempt = 2;
    report(dispatch, again, at(25));
    EXPECT_EQ(now_of(dispatch).state, domain::DispatchState::started) << "somebody ran it again";
    EXPECT_EQ(running_at("a/one", at(26)), 1U);
}

TEST_P(StoreResults, SaysSupersededWhenThePullRequestHasMovedOn) {
    const auto dispatch = a_sent_dispatch("d1");
    pull_request_is("d2", "bbbb");
    const auto receipt = report(dispatch, a_start(), at(101));
    EXPECT_FALSE(receipt.weighed.proceed);
    EXPECT_EQ(receipt.weighed.reason, "superseded");
    EXPECT_TRUE(receipt.job.counts);
    auto asked_for = a_start();
    asked_for.key.attempt = 2;
    EXPECT_TRUE(report(dispatch, asked_for, at(102)).weighed.proceed);
}

TEST_P(StoreResults, LeavesASupersededDispatchSuperseded) {
    plant("d1", {"a/one"});
    const auto leased = lease_one("a/one", at(1));
    must(store().settle(ended(leased.lease, domain::DispatchState::superseded, at(2))));
    const auto receipt = report(leased.dispatch, a_start(), at(3));
    EXPECT_EQ(receipt.weighed.reason, "superseded");
    EXPECT_EQ(now_of(leased.dispatch).state, domain::DispatchState::superseded);
}

TEST_P(StoreResults, DoesNotSendAgainWhatReportsAlready) {
    plant("d1", {"a/one"});
    auto leased = lease_one("a/one", at(1));
    must(store().settle(ended(leased.lease, domain::DispatchState::pending, at(2))));
    report(leased.dispatch, a_start(), at(3)); // GitHub's answer got lost, the dispatch did not
    const auto now = now_of(leased.dispatch);
    EXPECT_EQ(now.state, domain::DispatchState::started);
    EXPECT_EQ(now.sent_at, at(3));
    EXPECT_TRUE(must(store().lease(a_lease("a/one", 9, at(500)))).empty());
    EXPECT_EQ(jobs_of("d1").at(0).dispatched_at, at(1)) << "when the attempt began";
    EXPECT_EQ(running_at("a/one", at(600)), 1U);
}

TEST_P(StoreResults, LetsAReportBeFasterThanTheAnswerToOurOwnRequest) {
    using enum domain::DispatchState;
    for (const auto verdict : {sent, pending, failed, dead}) {
        SCOPED_TRACE(name_of(verdict));
        const auto id = "d-" + std::string(name_of(verdict));
        plant(id, {"a/one"});
        const auto leased = lease_one("a/one", at(1));
        report(leased.dispatch, a_start(), at(2));
        EXPECT_EQ(now_of(leased.dispatch).state, pending) << "the attempt is still under way";
        EXPECT_EQ(must(store().settle(ended(leased.lease, verdict, at(3)))), started);
        const auto now = now_of(leased.dispatch);
        EXPECT_EQ(now.state, started);
        EXPECT_EQ(now.sent_at, at(3));
        EXPECT_EQ(now.attempts, 1);
        report(leased.dispatch, an_end(), at(4));
        EXPECT_EQ(now_of(leased.dispatch).state, finished);
    }
}

TEST_P(StoreResults, DoesNotSendAgainWhatReportedBeforeItsSenderDied) {
    plant("d1", {"a/one"});
    plant("d2", {"b/two"});
    const auto first = lease_one("a/one", at(1));
    report(first.dispatch, an_end(), at(2));
    EXPECT_EQ(must(store().adopt(InstanceId("relay-2"), at(3))).voided_leases, 0U);
    EXPECT_EQ(now_of(first.dispatch).state, domain::DispatchState::finished);

    const auto second = lease_one("b/two", at(4));
    report(second.dispatch, a_start(), at(5));
    EXPECT_TRUE(must(store().lease(a_lease("b/two", 9, at(100)))).empty());
    EXPECT_EQ(now_of(second.dispatch).state, domain::DispatchState::started);
}

TEST_P(StoreResults, LearnsFromAReportThatAFailedDispatchArrived) {
    plant("d1", {"a/one"});
    const auto leased = lease_one("a/one", at(1));
    must(store().settle(ended(leased.lease, domain::DispatchState::dead, at(2))));
    report(leased.dispatch, a_start(), at(3));
    EXPECT_EQ(now_of(leased.dispatch).state, domain::DispatchState::started);
    EXPECT_EQ(now_of(leased.dispatch).sent_at, at(3));
}

TEST_P(StoreResults, NotesReportsThatCarryNoToken) {
    const auto dispatch = a_sent_dispatch("d1");
    auto unbound = a_commit(dispatch, a_start(), at(20));
    unbound.bound = false;
    EXPECT_FALSE(must(store().record_report(unbound)).job.bound);
    unbound = a_commit(dispatch, an_end(), at(21));
    unbound.bound = false;
    must(store().record_report(unbound));
    EXPECT_EQ(
        kinds_in(history_of("d1")),
        (std::vector<std::string>{"planned", "started", "unbound", "finished"})
    );
}

TEST_P(StoreResults, RefusesAReportAboutADispatchThatIsNotThere) {
    auto commit = a_commit(a_sent_dispatch("d1"), a_start(), at(20));
    commit.subject.dispatch = DispatchId{99};
    EXPECT_EQ(refused(store().record_report(commit)), Errc::not_found);
}

TEST_P(StoreResults, FindsDispatchesByDeliveryTheNewestGenerationFirst) {
    const auto first = a_sent_dispatch("d1");
    must(store().redeliver(
        {.delivery = DeliveryId("d1"),
         .states = {domain::DispatchState::sent},
         .now = at(20),
         .actor = "alice"}
    ));
    const auto found = must(store().dispatches_to(DeliveryId("d1"), repo("A/one")));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].key.generation, 1);
    EXPECT_EQ(found[1].id, first.id);
    EXPECT_TRUE(must(store().dispatches_to(DeliveryId("d1"), repo("b/two"))).empty());
    EXPECT_TRUE(must(store().dispatches_to(DeliveryId("d9"), repo("a/one"))).empty());
}

TEST_P(StoreResults, KeepsTheDetailThatOnlyTheStartGave) {
    const auto dispatch = a_sent_dispatch("d1");
    auto start = a_start();
    start.detail.environment = R"({"device":"npu"})";
    start.detail.artifacts = "[1]";
    start.detail.notes = {"environment: cut"};
    const auto id = report(dispatch, start, at(20)).job.id;
    auto end = an_end(domain::Conclusion::failure);
    end.detail.failed_tests = {{.name = "t"}};
    end.detail.artifacts = "[2]";
    end.detail.notes = {"failed_tests: cut"};
    report(dispatch, end, at(30));
    auto whole = end.detail;
    whole.environment = start.detail.environment;
    whole.notes = {"environment: cut", "failed_tests: cut"};
    EXPECT_EQ(must(store().report_detail(id)), whole);
}

TEST_P(StoreResults, KeepsNoDetailThatCameWithoutTheTokenOnceItIsThere) {
    const auto dispatch = a_sent_dispatch("d1");
    auto start = a_commit(dispatch, a_start(), at(20));
    start.bound = false;
    start.report.detail.environment = R"({"forged":true})";
    const auto id = must(store().record_report(start)).job.id;
    auto end = an_end();
    end.detail.artifacts = "[2]";
    report(dispatch, end, at(30));
    EXPECT_EQ(must(store().report_detail(id)), end.detail);
}

TEST_P(StoreResults, TakesASelfReportOnce) {
    const auto first = must(store().record_report(a_self_report(an_end(), at(20))));
    EXPECT_EQ(first.weighed.effect, Effect::recorded);
    EXPECT_FALSE(first.job.subject.dispatch.has_value());
    EXPECT_TRUE(first.job.counts);
    auto again = a_self_report(an_end(), at(21));
    again.subject.downstream = repo("A/ONE");
    EXPECT_EQ(must(store().record_report(again)).weighed.effect, Effect::duplicate);
    EXPECT_EQ(must(store().record_report(again)).job.id, first.job.id);
    auto other = a_self_report(an_end(domain::Conclusion::failure), at(22));
    other.subject.head = HeadSha("dddd");
    EXPECT_EQ(must(store().record_report(other)).weighed.effect, Effect::recorded);
    EXPECT_EQ(day_of(at(20)).ended.size(), 2U);
}

TEST_P(StoreResults, RemembersWhichCommitsNobodyVouchesForYet) {
    for (const auto* run : {"1", "2", "3"}) {
        auto commit = a_self_report(an_end(domain::Conclusion::success, run), at(20));
        commit.commit = domain::CommitCheck::unverified;
        must(store().record_report(commit));
    }
    const auto open = must(store().unverified_jobs(2));
    ASSERT_EQ(open.size(), 2U);
    EXPECT_EQ(open[0].key.run_id, "1");
    must(store().settle_commit(open[0].id, domain::CommitCheck::known, at(30)));
    must(store().settle_commit(open[1].id, domain::CommitCheck::unknown, at(31)));
    must(store().settle_commit(open[1].id, domain::CommitCheck::known, at(32))); // it is settled
    EXPECT_EQ(must(store().unverified_jobs(9)).size(), 1U);
    EXPECT_EQ(day_of(at(20)).ended.at(domain::Conclusion::success), 2U)
        << "what the upstream does not have does not count";
    EXPECT_EQ(
        refused(store().settle_commit(JobId{99}, domain::CommitCheck::known, at(33))),
        Errc::not_found
    );
}

TEST_P(StoreResults, KeepsTheFirstPinAndNoOther) {
    const ports::Pin first{
        .repo = repo("a/one"), .repository_id = 11, .owner_id = 12, .pinned_at = at(1)
    };
    EXPECT_EQ(must(store().pin_first(first)).repository_id, 11);
    auto second = first;
    second.repo = repo("A/One");
    second.repository_id = 21;
    EXPECT_EQ(must(store().pin_first(second)).repository_id, 11);
    EXPECT_EQ(must(store().pin_of(repo("a/one")))->repository_id, 11);
}

TEST_P(StoreResults, AccountsOnlyForWhatDownstreamsReallySaid) {
    must(store().note_hooks({
        {.id = 1,
         .delivery = DeliveryId("d1"),
         .event = "pull_request",
         .action = "opened",
         .at = at(0),
         .status = 202},
        {.id = 2,
         .delivery = DeliveryId("d2"),
         .event = "pull_request",
         .action = "opened",
         .at = at(0),
         .status = 202},
        {.id = 3,
         .delivery = DeliveryId("d3"),
         .event = "pull_request",
         .action = "opened",
         .at = at(0),
         .status = 202},
    }));
    const auto heard = a_sent_dispatch("d1");
    report(heard, an_end(), at(20));
    const auto endless = a_sent_dispatch("d2");
    report(endless, a_start(), at(20));
    a_sent_dispatch("d3");
    must(store().sweep(a_sweep(at(30'000))));
    const auto day = must(store().completeness(at(0), at(10)));
    EXPECT_EQ(day.due, 3U);
    EXPECT_EQ(day.accepted, 3U);
    EXPECT_EQ(day.started, 2U) << "silence is no start";
    EXPECT_EQ(day.reported, 1U) << "what the relay concludes by itself is no report";
}

} // namespace baton::test
