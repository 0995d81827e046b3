// The rules of a time of trouble can be broken: each is broken here once, by hand.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/downstream_book.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "e2e/chaos/history.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
const RepoName kDownstream = *RepoName::parse("two/pass");
const DeliveryId kDelivery("d1");

ports::Attempt attempt(int number, std::optional<domain::Outcome> outcome) {
    return {
        .number = number,
        .started_at = kNow,
        .ended_at = kNow,
        .outcome = outcome,
        .status = 204,
        .detail = {},
    };
}

sim::ReceivedDispatch arrival() {
    return {
        .number = 1,
        .at = kNow,
        .repo = kDownstream,
        .event_type = "push",
        .delivery_id = kDelivery.text(),
    };
}

domain::Job job_of_run(std::int64_t run) {
    domain::Job job;
    job.subject.dispatch = DispatchId{1};
    job.subject.downstream = kDownstream;
    job.key = {.workflow = "ci", .job = "test", .run_id = std::to_string(run), .attempt = 1};
    job.status = domain::JobStatus::completed;
    job.conclusion = domain::Conclusion::success;
    return job;
}

sim::SentReport report_of_run(std::int64_t run) {
    sim::SentReport sent;
    sent.delivery_id = kDelivery.text();
    sent.report.run.id = run;
    sent.report.run.repo = kDownstream;
    sent.report.run.workflow = "ci";
    sent.report.run.attempt = 1;
    sent.report.step.job = "test";
    sent.report.step.conclusion = "success";
    sent.answer.status = 200;
    sent.answer.proceed = true;
    return sent;
}

ports::LedgerLine line(const std::string& kind, TimePoint at) {
    return {
        .sequence = 1,
        .at = at,
        .kind = kind,
        .delivery = kDelivery.text(),
        .dispatch = DispatchId{1},
        .detail = "",
    };
}

/// One delivery to one downstream, sent and reported, and nothing wrong with it.
class HistoryRules : public testing::Test {
protected:
    HistoryRules() {
        ports::DispatchHistory row;
        row.dispatch.id = DispatchId{1};
        row.dispatch.key = {.delivery = kDelivery, .downstream = kDownstream};
        row.dispatch.state = domain::DispatchState::finished;
        row.attempts = {attempt(1, domain::Outcome::accepted)};
        row.jobs = {job_of_run(7)};
        ports::DeliveryHistory one;
        one.delivery.id = kDelivery;
        one.delivery.state = ports::DeliveryState::planned;
        one.dispatches = {row};
        history_.ledger = {one};
        history_.accepted = {kDelivery};
        history_.received = {arrival()};
        history_.reports = {report_of_run(7)};
        history_.downstreams = {kDownstream};
        history_.start_timeout = 10s;
        history_.run_timeout = 20s;
    }

    ports::DispatchHistory& row() { return history_.ledger[0].dispatches[0]; }

    void expect_broken(const std::string& words) const {
        EXPECT_THAT(broken_rules(history_), Contains(HasSubstr(words)));
    }

    History history_;
};

TEST_F(HistoryRules, HoldForAPlainHistory) {
    EXPECT_THAT(broken_rules(history_), IsEmpty());
}

TEST_F(HistoryRules, FindAWebhookThatGotA2xxAndIsNotThere) {
    history_.accepted.insert(DeliveryId("d2"));
    expect_broken("d2 got a 2xx and is not in the store");
}

TEST_F(HistoryRules, FindAWebhookThatGithubSentAndNobodyFetched) {
    history_.entrusted.insert(DeliveryId("d3"));
    expect_broken("d3 was sent by GitHub and never reached the store");
}

TEST_F(HistoryRules, FindADeliveryWithTwoEffects) {
    history_.ledger.push_back(history_.ledger[0]);
    expect_broken("d1 is in the store 2 times");
}

TEST_F(HistoryRules, FindADownstreamThatWasForgotten) {
    history_.downstreams.push_back(*RepoName::parse("two/other"));
    expect_broken("d1 has 0 rows for two/other");
}

TEST_F(HistoryRules, FindADispatchThatNeverCameToRest) {
    row().dispatch.state = domain::DispatchState::pending;
    expect_broken("never came to rest");
}

TEST_F(HistoryRules, FindADispatchThatFailed) {
    row().dispatch.state = domain::DispatchState::failed;
    expect_broken("is failed");
}

TEST_F(HistoryRules, FindWhatIsCalledSentAndNeverArrived) {
    history_.received.clear();
    expect_broken("is called sent and was received 0 times");
}

TEST_F(HistoryRules, FindADoubleSendThatNothingExplains) {
    history_.received.push_back(arrival());
    expect_broken("was received 2 times, and 1 can be explained");
}

TEST_F(HistoryRules, LetAnUnknownOutcomeExplainADoubleSend) {
    history_.received.push_back(arrival());
    row().attempts = {attempt(1, std::nullopt), attempt(2, domain::Outcome::accepted)};
    EXPECT_THAT(broken_rules(history_), IsEmpty());
    EXPECT_EQ(repeats_in(history_).again, 1U);
    EXPECT_EQ(repeats_in(history_).unknown, 1U);
}

TEST_F(HistoryRules, FindTwoAttemptsThatWereBothAccepted) {
    row().attempts.push_back(attempt(2, domain::Outcome::accepted));
    expect_broken("was accepted 2 times");
}

TEST_F(HistoryRules, FindAnArrivalThatNoRowKnows) {
    auto stranger = arrival();
    stranger.repo = *RepoName::parse("two/other");
    history_.received.push_back(stranger);
    expect_broken("two/other received d1 and no row knows of it");
}

TEST_F(HistoryRules, FindASupersededDispatchWithoutACause) {
    row().dispatch.state = domain::DispatchState::superseded;
    expect_broken("is superseded without a cause");
}

TEST_F(HistoryRules, FindADoubleSweep) {
    history_.ledger[0].ledger = {line("silent", kNow + 30s), line("silent", kNow + 60s)};
    expect_broken("silent of dispatch 1 was told 2 times");
}

TEST_F(HistoryRules, FindASweepBeforeItsTime) {
    history_.ledger[0].ledger = {line("timed_out", kNow + 15s)};
    expect_broken("came too early");
}

TEST_F(HistoryRules, FindAResultThatGot200AndIsNotThere) {
    row().jobs.clear();
    expect_broken("was answered with 200 and is not in the store");
}

TEST_F(HistoryRules, FindAResultThatIsNotAsItWasSaid) {
    row().jobs[0].conclusion = domain::Conclusion::failure;
    expect_broken("is not in the store as it was said");
}

TEST_F(HistoryRules, FindASecondVerdict) {
    row().jobs.push_back(job_of_run(8));
    expect_broken("has 2 verdicts of ci test 1");
}

TEST_F(HistoryRules, FindTwoRunsThatWereToldToProceed) {
    row().jobs.push_back(job_of_run(8));
    history_.reports.push_back(report_of_run(8));
    expect_broken("2 runs of two/pass were told to proceed");
}

TEST_F(HistoryRules, FindACheckThatWasMadeTwiceAndOneThatNeverEnded) {
    sim::CheckRun check;
    check.name = "crcr/gate";
    check.status = "in_progress";
    history_.checks = {check, check};
    expect_broken("was made twice");
    expect_broken("is in_progress");
}

TEST_F(HistoryRules, FindALimitThatWasRunInto) {
    history_.limits.answers[sim::LimitKind::points] = 1;
    expect_broken("a limit (points) was run into 1 times");
}

TEST_F(HistoryRules, FindWhoAsksAlthoughToldToWait) {
    history_.limits.while_limited = 3;
    history_.limited_asks_excused = 2;
    expect_broken("3 requests left while limited, and 2 could not know");
}

TEST_F(HistoryRules, FindAnAnswerThatNobodyMayHear) {
    history_.answers[500] = 1;
    history_.page_answers[502] = 2;
    expect_broken("a webhook was answered with 500, 1 times");
    expect_broken("a page was answered with 502, 2 times");
}

} // namespace
} // namespace baton::test
