#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/checks_fixture.hpp"
#include "contract/levels_fixture.hpp"
#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "contract/views_fixture.hpp"

namespace baton::test {

namespace {

using domain::Conclusion;
using domain::Level;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LadderEvidenceContract : public LevelsContract {
protected:
    std::vector<domain::LadderEvent> events() { return evidence(at(0), at(86'400)).events; }

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
};

} // namespace

TEST_P(LadderEvidenceContract, ReadWhatWasSentWithTheAttemptsOfEachJobInOrder) {
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

TEST_P(LadderEvidenceContract, KnowWhatADownstreamSaysOfItsOwnFailure) {
    const auto dispatch = sent("d1", at(10));
    auto red = an_end(Conclusion::failure);
    red.detail.triage_verdict = R"({"category":"infra","confidence":"high"})";
    report(dispatch, red, at(30));
    auto odd = an_end(Conclusion::failure, "101", "odd");
    odd.detail.triage_verdict = R"({"category":"the moon","confidence":"high"})";
    report(dispatch, odd, at(30));
    auto green = an_end(Conclusion::success, "101", "quiet");
    green.detail.triage_verdict = R"({"category":"flake","confidence":"low"})";
    report(dispatch, green, at(30));

    const auto all = events();
    ASSERT_EQ(all.size(), 1U);
    ASSERT_EQ(all[0].jobs.size(), 3U);
    EXPECT_EQ(all[0].jobs[0].name, "odd");
    EXPECT_EQ(all[0].jobs[0].attempts[0].triage, "") << "no such category";
    EXPECT_EQ(all[0].jobs[1].attempts[0].triage, "") << "it did not fail";
    EXPECT_EQ(all[0].jobs[2].attempts[0].triage, "infra");
}

TEST_P(LadderEvidenceContract, KnowWhetherACheckOfWhatFailedStandsOnThePullRequest) {
    const auto dispatch = sent("d1", at(10));
    report(dispatch, an_end(Conclusion::success), at(20));
    const auto want = [this](const std::string& name) {
        ports::PostingCommit commit;
        commit.look = {.subject = a_subject(), .version = 0, .first_at = at(20)};
        commit.wanted = {a_check(name)};
        commit.now = at(20);
        must(store().commit_postings(std::move(commit)));
    };
    want("crcr/gate");
    want("crcr/b/two/ci/test");
    EXPECT_FALSE(events().at(0).shown) << "nothing failed";
    again(dispatch, 2, Conclusion::failure, at(40));
    EXPECT_FALSE(events().at(0).shown) << "those are others' checks";
    want("crcr/A/One/ci/test");
    EXPECT_TRUE(events().at(0).shown);
}

TEST_P(LadderEvidenceContract, KnowWhatIsRehearsedAtLevelOne) {
    const auto sent_at_level_one = [this](const std::string& delivery, TimePoint now) {
        must(store().insert_delivery(a_delivery(delivery, now)));
        auto dispatch = a_dispatch(delivery, "a/one");
        dispatch.level = Level::l1;
        must(store().commit_plan(a_plan(delivery, {dispatch}, now)));
        return sent_one("a/one", now);
    };
    const auto whole = sent_at_level_one("d1", at(10));
    must(levels().note_rehearsal({.dispatch = whole.id, .ended = false, .at = at(20)}));
    must(levels().note_rehearsal({.dispatch = whole.id, .ended = true, .at = at(30)}));
    must(levels().note_rehearsal({.dispatch = whole.id, .ended = false, .at = at(40)}));
    const auto begun = sent_at_level_one("d2", at(50));
    must(levels().note_rehearsal({.dispatch = begun.id, .ended = false, .at = at(60)}));
    sent_at_level_one("d3", at(70));

    auto told = evidence(at(0), at(3'600));
    ASSERT_EQ(told.events.size(), 3U);
    const auto classes = [](const domain::LadderEvidence& of) {
        std::vector<std::string> all;
        for (const auto& one : domain::judge_outcomes(of)) {
            all.emplace_back(name_of(one.outcome));
        }
        return all;
    };
    EXPECT_THAT(classes(told), ElementsAre("skipped", "open", "open"));
    EXPECT_EQ(told.events[0].jobs.at(0).attempts.at(0).ended_at, at(30)) << "a later start is none";
    ASSERT_EQ(told.reports.size(), 1U);
    EXPECT_EQ(told.reports[0].reports, 4U);
    told = evidence(at(0), at(86'400));
    EXPECT_THAT(classes(told), ElementsAre("skipped", "zombie", "missing")) << "a day later";
}

TEST_P(LadderEvidenceContract, KnowWhenSomebodyOnCallSaidSomething) {
    const auto answered = [](TimePoint when) {
        return ports::NewAnswer{
            .upstream = upstream(),
            .pr = PrNumber{7},
            .downstreams = {repo("a/one"), repo("b/two")},
            .at = when,
        };
    };
    must(levels().note_answer(answered(at(50))));
    must(levels().note_answer(answered(at(50)))); // the same webhook again
    must(levels().note_answer(answered(at(90'000))));
    const auto told = evidence(at(0), at(86'400));
    const std::vector<domain::OncallAnswer> expected{
        {.downstream = repo("a/one"), .pr = PrNumber{7}, .at = at(50)},
        {.downstream = repo("b/two"), .pr = PrNumber{7}, .at = at(50)},
    };
    EXPECT_EQ(told.answers, expected) << "what came after the window is not known in it";
    EXPECT_EQ(told.until, at(86'400));
    must(levels().note_answer(answered(at(50) + std::chrono::days{31})));
    EXPECT_THAT(evidence(at(0), at(86'400)).answers, IsEmpty()) << "nobody looks back so far";
}

TEST_P(LadderEvidenceContract, TakeCanariesTestsAndTellingsOfAClosingForNoEvents) {
    sent("d1", at(10), "baton_canary", "");
    sent("test-77", at(20));
    sent("d2", at(30), "pull_request", "closed");
    EXPECT_THAT(events(), IsEmpty());
}

TEST_P(LadderEvidenceContract, CountAllGenerationsOfADispatchAsOneEvent) {
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

TEST_P(LadderEvidenceContract, KnowWhenANewerHeadCameAndHowThePullRequestEnded) {
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

TEST_P(LadderEvidenceContract, CountReportsByTheDayWithThoseThatWereRefused) {
    const auto dispatch = sent("d1", at(10));
    report(dispatch, a_start(), at(20));
    report(dispatch, an_end(), at(30));
    auto& operators = static_cast<store::SqlStore&>(store()).operators();
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

TEST_P(LadderEvidenceContract, TellWhatTheRelayCouldNotSend) {
    sent("d1", at(10));
    plant("d2", {"a/one"}, at(20));
    const auto leased = lease_one("a/one", at(20));
    must(store().settle(ended(leased.lease, domain::DispatchState::dead, at(30))));
    plant("d3", {"a/one"}, at(40)); // nobody tried: it waits for its turn
    const auto health = must(levels().sending(upstream(), {.from = at(0), .until = at(86'400)}));
    EXPECT_EQ(health.dispatches, 3U);
    EXPECT_EQ(health.unsent, 1U);
}

INSTANTIATE_TEST_SUITE_P(Every, LadderEvidenceContract, testing::ValuesIn(sql_kinds()), kind_name);

} // namespace baton::test
