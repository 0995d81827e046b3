#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/views.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "contract/views_fixture.hpp"

namespace baton::test {

namespace {

using domain::Conclusion;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// How downstreams fare.
class FiguresContract : public ViewsContract {};

} // namespace

TEST_P(FiguresContract, ShowADownstreamWithWhatEndedWhatRunsAndWhatWaits) {
    const auto first = a_sent_dispatch("d1");
    report(first, an_end(Conclusion::success), at(30));
    report(first, a_start("101", "slow"), at(31));
    plant("d2", {"a/one"}, at(40));
    const auto view = view_of("A/One");
    EXPECT_EQ(view.upstream, upstream());
    EXPECT_EQ(view.ended.cells, (domain::Cells{.success = 1}));
    EXPECT_EQ(view.ended.executed, 1U);
    EXPECT_EQ(view.running, 1U);
    EXPECT_EQ(view.pending, 1U);
    EXPECT_EQ(view.last_sent_at, at(10));
    EXPECT_EQ(view.last_result_at, at(30));
}

TEST_P(FiguresContract, ShowNobodyOfWhomNothingIsKnownInTheWindow) {
    report(a_sent_dispatch("d1"), an_end(), at(30));
    EXPECT_EQ(must(views().downstreams({.from = day(0), .until = day(1)})).size(), 1U);
    EXPECT_THAT(must(views().downstreams({.from = day(1), .until = day(2)})), IsEmpty());
    plant("d2", {"a/one"}, at(40));
    EXPECT_EQ(must(views().downstreams({.from = day(1), .until = day(2)})).size(), 1U);
}

TEST_P(FiguresContract, LetWhatWasCancelledChangeNoRate) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::success), at(30));
    report(dispatch, an_end(Conclusion::failure, "101", "lint"), at(31));
    const auto before = domain::rates_of(view_of("a/one").ended);
    report(dispatch, an_end(Conclusion::cancelled, "101", "docs"), at(32));
    again(dispatch, 2, Conclusion::cancelled, at(33));
    const auto view = view_of("a/one");
    EXPECT_EQ(domain::rates_of(view.ended).final_attempt, before.final_attempt);
    EXPECT_EQ(domain::rates_of(view.ended).first_attempt, before.first_attempt);
    EXPECT_EQ(view.ended.cells.no_signal, 1U);
    EXPECT_EQ(view.ended.executed, 4U);
}

TEST_P(FiguresContract, CountARerunThatPassedOnceAsFlakyOnTheDayOnWhichItEnded) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::failure), at(30));
    again(dispatch, 2, Conclusion::success, at(86'400));
    EXPECT_EQ(view_of("a/one", 0, 0).ended, domain::Ended{});
    const auto view = view_of("a/one", 0, 1);
    EXPECT_EQ(view.ended.cells, (domain::Cells{.flaky = 1}));
    EXPECT_EQ(domain::rates_of(view.ended).final_attempt, domain::rate_of(1, 1));
    EXPECT_EQ(domain::rates_of(view.ended).first_attempt, domain::rate_of(0, 1));
    EXPECT_EQ(domain::rates_of(view.ended).compat, domain::rate_of(1, 2));
}

TEST_P(FiguresContract, CountNothingOfACellThatRunsAgainUntilItEnds) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::failure), at(30));
    auto start = a_start();
    start.key.attempt = 2;
    report(dispatch, start, at(40));
    EXPECT_EQ(view_of("a/one").ended, domain::Ended{});
    EXPECT_EQ(view_of("a/one").running, 1U);
    again(dispatch, 2, Conclusion::failure, at(50));
    EXPECT_EQ(view_of("a/one").ended.cells, (domain::Cells{.failure = 1}));
    EXPECT_EQ(view_of("a/one").running, 0U);
}

TEST_P(FiguresContract, LeaveADayWithoutAnythingOut) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::success), at(30));
    report(dispatch, an_end(Conclusion::failure, "101", "lint"), at(2 * 86'400));
    std::vector<TimePoint> shown;
    for (const auto& one : must(views().days(about("a/one", 0, 6)))) {
        shown.push_back(one.day);
    }
    EXPECT_THAT(shown, ElementsAre(day(0), day(2)));
    EXPECT_THAT(must(views().days(about("a/one", 1, 1))), IsEmpty());
}

TEST_P(FiguresContract, GoByOurClockWhenTheirsCannotBeRight) {
    const auto dispatch = a_sent_dispatch("d1");
    auto past = an_end(Conclusion::success);
    past.started_at = TimePoint{};
    past.completed_at = TimePoint{};
    report(dispatch, past, at(30));
    auto future = an_end(Conclusion::failure, "101", "lint");
    future.completed_at = at(30) + std::chrono::years{70};
    report(dispatch, future, at(31));
    EXPECT_EQ(view_of("a/one").ended.cells, (domain::Cells{.success = 1, .failure = 1}));
    EXPECT_EQ(must(views().days(about("a/one", -1, 6))).size(), 1U);
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/lint failure x1 ci/test success x1"));
}

TEST_P(FiguresContract, ShowSilenceUntilItIsBroken) {
    const auto dispatch = a_sent_dispatch("d1");
    must(store().sweep(a_sweep(at(8000))));
    EXPECT_EQ(view_of("a/one").silent, 1U);
    EXPECT_EQ(must(views().days(about("a/one"))).at(0).silent, 1U);
    report(dispatch, a_start(), at(8100));
    EXPECT_EQ(view_of("a/one").silent, 0U);
    EXPECT_THAT(must(views().days(about("a/one"))), IsEmpty());
}

TEST_P(FiguresContract, TellTwoWorkflowsWithTheSameJobApart) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::success), at(30));
    auto other = an_end(Conclusion::failure, "202");
    other.key.workflow = "nightly";
    report(dispatch, other, at(31));
    const auto names = must(views().job_names(about("a/one")));
    ASSERT_EQ(names.size(), 2U);
    EXPECT_EQ(names[0].workflow, "ci");
    EXPECT_EQ(names[0].ended.cells, (domain::Cells{.success = 1}));
    EXPECT_EQ(names[1].workflow, "nightly");
    EXPECT_EQ(names[1].ended.cells, (domain::Cells{.failure = 1}));
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/test success x1 nightly/test failure x1"));
}

TEST_P(FiguresContract, MeasureTheQueueOfFirstAttemptsAndRunsThatTheDownstreamEnded) {
    using namespace std::chrono_literals;
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, a_start(), at(15));
    report(dispatch, an_end(), at(75));
    auto second = a_start();
    second.key.attempt = 2;
    report(dispatch, second, at(100));
    again(dispatch, 2, Conclusion::success, at(110));
    report(dispatch, a_start("101", "stuck"), at(120));
    must(store().sweep(a_sweep(at(30'000))));
    const auto times = must(views().times(about("a/one")));
    EXPECT_THAT(times.queue, ElementsAre(5s));
    EXPECT_THAT(times.run, ElementsAre(60s, 10s));
    EXPECT_THAT(must(views().times(about("a/one", 1, 6))).run, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Every, FiguresContract, testing::ValuesIn(sql_kinds()), kind_name);

} // namespace baton::test
