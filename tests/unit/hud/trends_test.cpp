#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/nightly.hpp"
#include "baton/hud/pull_list.hpp"
#include "baton/hud/suites.hpp"
#include "baton/hud/trends.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/views.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::hud {
namespace {

using domain::CellOutcome;
using domain::DispatchState;
using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

const auto kUpstream = *RepoName::parse("up/stream");
const auto kNow = *parse_rfc3339("2026-11-15T13:30:00Z");

TimePoint days_ago(int days) {
    return std::chrono::floor<std::chrono::days>(kNow) - std::chrono::days(days);
}

DownstreamLine line(const std::string& name, domain::Level level = domain::Level::l2) {
    DownstreamLine line;
    line.upstream = kUpstream;
    line.listed.repo = *RepoName::parse("down/" + name);
    line.listed.level = level;
    return line;
}

ports::DayView day(int ago, std::size_t passed, std::size_t failed, std::size_t silent = 0) {
    return {
        .day = days_ago(ago),
        .ended = {.cells = {.success = passed, .failure = failed}},
        .silent = silent
    };
}

ports::DaysView days(const std::string& name, std::vector<ports::DayView> all) {
    return {
        .upstream = kUpstream,
        .downstream = *RepoName::parse("down/" + name),
        .days = std::move(all)
    };
}

// --- trends

TrendFacts week(std::vector<ports::DaysView> all, std::vector<DownstreamLine> lines) {
    TrendFacts facts;
    facts.window = *window_named("7d", kNow);
    facts.days = std::move(all);
    facts.lines = std::move(lines);
    return facts;
}

TEST(Trends, SumUpTheDaysOfAllAndLeaveOutThoseBeforeTheWindow) {
    const auto trends = trends_of(week(
        {days("a", {day(9, 5, 5), day(2, 3, 1), day(0, 1, 0)}), days("b", {day(2, 1, 1, 4)})},
        {line("a"), line("b")}
    ));
    ASSERT_EQ(trends.days.size(), 2U) << "a day without anything is a gap";
    EXPECT_EQ(trends.days[0].day, days_ago(2));
    EXPECT_EQ(trends.days[0].ended.cells, (domain::Cells{.success = 4, .failure = 2}));
    EXPECT_EQ(trends.days[0].silent, 4U);
    EXPECT_EQ(trends.days[0].queue, std::nullopt);
}

TEST(Trends, LeaveOutWhoIsNotShown) {
    const auto trends =
        trends_of(week({days("secret", {day(0, 9, 9)}), days("a", {day(0, 1, 0)})}, {line("a")}));
    ASSERT_EQ(trends.days.size(), 1U);
    EXPECT_EQ(trends.days[0].ended.cells, (domain::Cells{.success = 1}));
    EXPECT_EQ(trends.lines.size(), 1U);
}

TEST(Trends, CompareWithAsManyDaysBeforeAndShowTheWorstChangeFirst) {
    const auto trends = trends_of(week(
        {days("better", {day(8, 10, 10), day(1, 20, 0)}),
         days("few", {day(8, 1, 0), day(1, 0, 1)}),
         days("worse", {day(8, 20, 0), day(1, 15, 5)})},
        {line("better"), line("few"), line("worse")}
    ));
    ASSERT_EQ(trends.lines.size(), 3U);
    EXPECT_EQ(trends.lines[0].repo.repo(), "worse");
    EXPECT_EQ(trends.lines[0].change, -0.25);
    EXPECT_EQ(trends.lines[1].repo.repo(), "few");
    EXPECT_EQ(trends.lines[1].change, std::nullopt) << "two samples tell nothing";
    EXPECT_EQ(trends.lines[2].change, 0.5);
}

TEST(Trends, OfOneDownstreamTellTheSpreadOfEachDay) {
    auto facts = week({days("a", {day(1, 1, 0)})}, {line("a")});
    facts.times = {{.day = days_ago(1), .times = {.queue = {2s}, .run = {3s, 1s}}}};
    const auto trends = trends_of(std::move(facts));
    ASSERT_EQ(trends.days.size(), 1U);
    EXPECT_EQ(trends.days[0].queue->p50, 2s);
    EXPECT_EQ(trends.days[0].run->p50, 1s);
    EXPECT_EQ(trends.days[0].run->n, 2U);
}

// --- nightlies

ports::NightView
night(int ago, std::vector<CellOutcome> cells, std::optional<DispatchState> state = {}) {
    ports::NightView run;
    run.at = days_ago(ago) + 2h;
    run.event_type = "nightly";
    run.head = HeadSha("aaaa");
    run.state = state;
    run.cells = std::move(cells);
    return run;
}

TEST(Nightly, ShowsTheWorstRunOfEachDay) {
    ports::NightsView view;
    view.runs = {
        night(2, {CellOutcome::success}),
        night(1, {CellOutcome::success}),
        night(1, {CellOutcome::success, CellOutcome::failure}),
        night(0, {CellOutcome::flaky})
    };
    const auto nightly = nightly_of(line("a"), std::move(view), kNow);
    ASSERT_EQ(nightly.days.size(), 3U);
    EXPECT_EQ(nightly.days[0].standing, Standing::success);
    EXPECT_EQ(nightly.days[1].standing, Standing::failure);
    EXPECT_EQ(nightly.days[1].runs, 2U);
    EXPECT_EQ(nightly.days[1].cells, (domain::Cells{.success = 2, .failure = 1}));
    EXPECT_EQ(nightly.days[2].standing, Standing::flaky);
    EXPECT_EQ(nightly.passed, 2U);
    EXPECT_EQ(nightly.ran, 3U);
}

TEST(Nightly, TellsAMissedNightFromASilentOneAndFromNone) {
    ports::NightsView view;
    view.runs = {night(3, {}, DispatchState::sent)};
    view.runs[0].silent = true;
    view.missed = {days_ago(1) + 2h};
    view.missed_ever = 7;
    const auto nightly = nightly_of(line("a"), std::move(view), kNow);
    ASSERT_EQ(nightly.days.size(), 2U) << "days on which nothing was due are gaps";
    EXPECT_EQ(nightly.days[0].standing, Standing::silent);
    EXPECT_EQ(nightly.days[1].standing, std::nullopt);
    EXPECT_EQ(nightly.days[1].missed, 1U);
    EXPECT_EQ(nightly.missed_ever, 7U);
    EXPECT_EQ(nightly.ran, 1U);
    EXPECT_EQ(nightly.passed, 0U);
}

TEST(Nightly, SaysWhenTheNextOneIsDue) {
    auto listed = line("a");
    EXPECT_FALSE(has_nights(nightly_of(listed, {}, kNow)));
    listed.listed.schedule = "0 2 * * *";
    const auto nightly = nightly_of(listed, {}, kNow);
    EXPECT_TRUE(has_nights(nightly));
    EXPECT_EQ(nightly.next, days_ago(-1) + 2h);
}

TEST(Nightly, PutsTheWorstFirst) {
    const auto of = [](const std::string& name, std::vector<CellOutcome> cells) {
        ports::NightsView view;
        view.runs = {night(0, std::move(cells))};
        return nightly_of(line(name), std::move(view), kNow);
    };
    std::vector<NightlyLine> lines{
        of("good", {CellOutcome::success}),
        of("bad", {CellOutcome::failure}),
        of("quiet", {CellOutcome::skipped})
    };
    sort_nights(lines);
    EXPECT_EQ(lines[0].line.listed.repo.repo(), "bad");
}

// --- suites

TEST(Suites, StandAgainstDevicesWithTheirWorstJobAndTheirTestsSummedUp) {
    SuiteColumn npu{.line = line("npu"), .run = {.head = HeadSha("aaaa"), .at = kNow}};
    npu.line.listed.device = "npu";
    npu.run.cells = {
        {.suite = "ops",
         .outcome = CellOutcome::success,
         .newest = JobId{1},
         .tests = domain::TestCounts{.passed = 10, .total = 10}},
        {.suite = "ops",
         .outcome = CellOutcome::failure,
         .newest = JobId{2},
         .tests = domain::TestCounts{.passed = 3, .failed = 2, .total = 5}},
        {.suite = "models", .outcome = CellOutcome::success, .newest = JobId{3}, .tests = {}}
    };
    SuiteColumn gpu{.line = line("gpu"), .run = {}};
    gpu.line.listed.device = "gpu";
    const auto table = suites_of({npu, gpu});
    ASSERT_EQ(table.columns.size(), 2U);
    EXPECT_EQ(table.columns[0].line.listed.device, "gpu") << "by device";
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0].suite, "models");
    EXPECT_EQ(table.rows[0].cells[1].tests, std::nullopt);
    const auto& ops = table.rows[1].cells;
    EXPECT_EQ(ops[0].standing, std::nullopt) << "it did not run there";
    EXPECT_EQ(ops[1].standing, Standing::failure);
    EXPECT_EQ(ops[1].jobs, 2U);
    EXPECT_EQ(ops[1].failed_jobs, 1U);
    EXPECT_EQ(ops[1].worst, JobId{2});
    EXPECT_EQ(ops[1].tests, (domain::TestCounts{.passed = 13, .failed = 2, .total = 15}));
}

// --- the list of pull requests

TEST(PullList, IsAboutThoseWithADownstreamThatStandsSo) {
    ports::PullRow row;
    row.backends.push_back({
        .downstream = *RepoName::parse("down/a"),
        .level = domain::Level::l2,
        .state = DispatchState::finished,
        .cells = {CellOutcome::success, CellOutcome::timed_out},
    });
    EXPECT_TRUE(fits(row, Wish::any));
    EXPECT_TRUE(fits(row, Wish::failing));
    EXPECT_FALSE(fits(row, Wish::waiting));
    EXPECT_FALSE(fits(row, Wish::silent));
    row.backends.front().cells = {};
    row.backends.front().silent = true;
    EXPECT_TRUE(fits(row, Wish::silent));
    row.backends.clear();
    EXPECT_TRUE(fits(row, Wish::any));
    EXPECT_FALSE(fits(row, Wish::failing));
}

} // namespace
} // namespace baton::hud
