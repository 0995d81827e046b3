#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/views.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "contract/views_fixture.hpp"

namespace baton::test {

namespace {

using domain::CellOutcome;
using domain::Conclusion;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

/// How things went over time.
class TrendsContract : public ViewsContract {
protected:
    ports::JobHistoryQuery history(const std::string& job = "test") {
        return {
            .about =
                {.upstream = upstream(), .downstream = repo("a/one"), .workflow = "ci", .job = job},
            .event_type = "pull_request"
        };
    }

    /// A dispatch for a commit of its own.
    domain::Dispatch sent_for(const std::string& head, TimePoint now) {
        const auto id = "d-" + head;
        must(store().insert_delivery(a_delivery(id, now)));
        auto dispatch = a_dispatch(id, "a/one");
        dispatch.head = HeadSha(head);
        must(store().commit_plan(a_plan(id, {dispatch}, now)));
        return sent_one("a/one", now + 1s);
    }

    void fire(const std::string& id, const std::string& head, TimePoint due) {
        auto delivery = a_delivery(id, due);
        delivery.event = "schedule";
        delivery.pr.reset();
        auto dispatch = a_dispatch(id, "a/one");
        dispatch.event_type = "nightly";
        dispatch.pr.reset();
        dispatch.head = HeadSha(head);
        must(store().fire_schedule(
            {.delivery = std::move(delivery),
             .dispatch = std::move(dispatch),
             .due = due,
             .now = due}
        ));
    }

    ports::NightsView nights(int first = 0, int last = 6) {
        return must(views().nights(
            {.upstream = upstream(),
             .downstream = repo("a/one"),
             .window = {.from = day(first), .until = day(last + 1)}}
        ));
    }

    void measure(
        const domain::Dispatch& dispatch, double value, TimePoint now, std::string unit = "ms"
    ) {
        auto said = an_end();
        said.detail.benchmarks = {
            {.suite = "models", .name = "resnet", .value = value, .unit = std::move(unit)}
        };
        report(dispatch, said, now);
    }

    ports::BenchmarkQuery measured(const std::string& suite = "") {
        return {
            .upstream = upstream(),
            .downstream = repo("a/one"),
            .window = {.from = day(0), .until = day(1)},
            .suite = suite
        };
    }
};

std::vector<double> values_of(const ports::BenchmarkSeries& series) {
    std::vector<double> values;
    for (const auto& point : series.points) {
        values.push_back(point.value.value);
    }
    return values;
}

} // namespace

TEST_P(TrendsContract, TellTheDaysOfEverybodyAtOnce) {
    report(sent_for("aaaa", at(0)), an_end(), at(30));
    const auto all = must(views().all_days({.from = day(0), .until = day(2)}));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].downstream, repo("a/one"));
    ASSERT_EQ(all[0].days.size(), 1U);
    EXPECT_EQ(all[0].days[0].ended.cells, (domain::Cells{.success = 1}));
    EXPECT_THAT(must(views().all_days({.from = day(3), .until = day(4)})), IsEmpty());
}

TEST_P(TrendsContract, SortTimesByTheDayOnWhichTheyEnded) {
    const auto first = sent_for("aaaa", at(0));
    report(first, a_start(), at(11));
    report(first, an_end(), at(21));
    const auto second = sent_for("bbbb", at(86'400));
    report(second, a_start("102"), at(86'405));
    report(second, an_end(Conclusion::failure, "102"), at(86'435));
    const auto times = must(views().day_times(about("a/one", 0, 3)));
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(times[0].day, day(0));
    EXPECT_THAT(times[0].times.run, ElementsAre(10s));
    EXPECT_THAT(times[1].times.run, ElementsAre(30s));
    EXPECT_THAT(times[1].times.queue, ElementsAre(4s));
}

TEST_P(TrendsContract, TellOneJobCommitByCommitNewestFirst) {
    const auto first = sent_for("aaaa", at(0));
    report(first, an_end(Conclusion::failure), at(20));
    again(first, 2, Conclusion::success, at(40));
    report(sent_for("bbbb", at(50)), an_end(Conclusion::success, "102", "other"), at(60));
    const auto third = sent_for("cccc", at(70));
    report(third, a_start("103"), at(75));
    report(third, an_end(Conclusion::failure, "103"), at(80));
    const auto page = must(views().job_history(history()));
    ASSERT_EQ(page.rows.size(), 2U) << "it was not part of every commit's run";
    EXPECT_EQ(page.rows[0].head, HeadSha("cccc"));
    EXPECT_EQ(page.rows[0].outcome, CellOutcome::failure);
    EXPECT_EQ(page.rows[0].run, 5s);
    EXPECT_EQ(page.rows[0].queue, 4s);
    EXPECT_EQ(page.rows[1].outcome, CellOutcome::flaky);
    EXPECT_EQ(page.rows[1].attempts, 2U);
    EXPECT_EQ(page.next, std::nullopt);
    const auto& about = history().about;
    const auto days = must(views().job_days(about, {.from = day(0), .until = day(7)}));
    ASSERT_EQ(days.size(), 1U);
    EXPECT_EQ(days[0].ended.cells, (domain::Cells{.flaky = 1, .failure = 1}));
}

TEST_P(TrendsContract, TellOneJobInPages) {
    for (const auto* head : {"aaaa", "bbbb", "cccc"}) {
        report(sent_for(head, at(0)), an_end(), at(20));
    }
    auto query = history();
    query.limit = 2;
    auto page = must(views().job_history(query));
    ASSERT_EQ(page.rows.size(), 2U);
    ASSERT_TRUE(page.next.has_value());
    query.before = page.next;
    page = must(views().job_history(query));
    ASSERT_EQ(page.rows.size(), 1U);
    EXPECT_EQ(page.rows[0].head, HeadSha("aaaa"));
    EXPECT_EQ(page.next, std::nullopt);
}

TEST_P(TrendsContract, TellOfNightsThatWereSentToldAndMissed) {
    fire("n1", "aaaa", at(10));
    report(sent_one("a/one", at(11)), an_end(Conclusion::failure), at(30));
    must(store().record_report(a_self_report(an_end(), at(86'400))));
    must(store().miss_schedule(
        {.upstream = upstream(),
         .downstream = repo("a/one"),
         .due = at(2 * 86'400),
         .reason = "GitHub was away",
         .now = at(2 * 86'400)}
    ));
    fire("n2", "dddd", at(3 * 86'400));
    const auto view = nights();
    ASSERT_EQ(view.runs.size(), 3U);
    EXPECT_EQ(view.runs[0].head, HeadSha("aaaa"));
    EXPECT_THAT(view.runs[0].cells, ElementsAre(CellOutcome::failure));
    EXPECT_TRUE(view.runs[0].failed.has_value());
    EXPECT_EQ(view.runs[1].state, std::nullopt) << "it told of itself";
    EXPECT_THAT(view.runs[1].cells, ElementsAre(CellOutcome::success));
    EXPECT_EQ(view.runs[1].failed, std::nullopt);
    EXPECT_EQ(view.runs[2].state, domain::DispatchState::pending);
    EXPECT_THAT(view.runs[2].cells, IsEmpty());
    EXPECT_THAT(view.missed, ElementsAre(at(2 * 86'400)));
    EXPECT_EQ(view.missed_ever, 1U);
    EXPECT_THAT(nights(4, 6).runs, IsEmpty());
}

TEST_P(TrendsContract, HoldNoExcusedNightAgainstAnybody) {
    must(store().miss_schedule(
        {.upstream = upstream(),
         .downstream = repo("a/one"),
         .due = at(10),
         .reason = "paused",
         .now = at(10),
         .excused = true}
    ));
    EXPECT_THAT(nights().missed, IsEmpty());
}

TEST_P(TrendsContract, TellTheSuitesOfTheNewestNightOrOfACommit) {
    auto said = an_end();
    said.tests = domain::TestCounts{.passed = 3, .failed = 1, .skipped = 0, .total = 4};
    must(store().record_report(a_self_report(said, at(20))));
    auto newer = a_self_report(an_end(Conclusion::failure, "102"), at(90'000));
    newer.subject.head = HeadSha("dddd");
    must(store().record_report(newer));
    ports::SuiteQuery query{
        .upstream = upstream(), .downstream = repo("a/one"), .event_type = "nightly"
    };
    auto run = must(views().suite_run(query));
    EXPECT_EQ(run.head, HeadSha("dddd"));
    query.head = "cc";
    run = must(views().suite_run(query));
    EXPECT_EQ(run.head, HeadSha("cccc"));
    ASSERT_EQ(run.cells.size(), 1U);
    EXPECT_EQ(run.cells[0].suite, "ci");
    EXPECT_EQ(run.cells[0].outcome, CellOutcome::success);
    EXPECT_EQ(run.cells[0].tests, said.tests);
    query.head = "ee";
    EXPECT_TRUE(must(views().suite_run(query)).head.empty());
}

TEST_P(TrendsContract, KeepWhatWasMeasuredInTheOrderInWhichItWas) {
    const auto first = sent_for("aaaa", at(0));
    measure(first, 10.5, at(20));
    measure(sent_for("bbbb", at(30)), 11, at(40));
    const auto page = must(views().benchmarks(measured()));
    EXPECT_THAT(page.suites, ElementsAre("models"));
    ASSERT_EQ(page.series.size(), 1U);
    EXPECT_THAT(values_of(page.series[0]), ElementsAre(10.5, 11));
    EXPECT_TRUE(page.series[0].points[0].value.of_pull_request);
    EXPECT_EQ(page.series[0].points[0].head, HeadSha("aaaa"));
    EXPECT_FALSE(page.more);
    EXPECT_THAT(must(views().benchmarks(measured("none"))).series, IsEmpty());
    EXPECT_EQ(refused(views().benchmark_series(measured("models"), "nothing")), Errc::not_found);
}

TEST_P(TrendsContract, TakeAnotherUnitForAnotherBenchmarkAndShowTheNewest) {
    measure(sent_for("aaaa", at(0)), 10, at(20), "ms");
    measure(sent_for("bbbb", at(30)), 0.01, at(40), "s");
    EXPECT_EQ(must(views().benchmarks(measured())).series.size(), 2U);
    const auto series = must(views().benchmark_series(measured("models"), "resnet"));
    EXPECT_EQ(series.unit, "s");
    EXPECT_THAT(values_of(series), ElementsAre(0.01));
}

INSTANTIATE_TEST_SUITE_P(Every, TrendsContract, testing::ValuesIn(sql_kinds()), kind_name);

} // namespace baton::test
