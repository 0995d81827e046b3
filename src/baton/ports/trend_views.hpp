#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/benchmarks.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/view_window.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What people look at over time; a part of ports/views.hpp.
namespace baton::ports {

struct DayView {
    TimePoint day{};
    domain::Ended ended;
    std::size_t silent{0};
};

/// The days of one downstream, oldest first.
struct DaysView {
    RepoName upstream;
    RepoName downstream;
    std::vector<DayView> days;
};

/// Samples of one window, not sorted.
struct TimesView {
    std::vector<Millis> queue; // dispatch to start, first attempts
    std::vector<Millis> run;   // start to end
};

struct DayTimes {
    TimePoint day{};
    TimesView times;
};

// --- one job over time

struct JobQuery {
    RepoName upstream;
    RepoName downstream;
    std::string workflow;
    std::string job;
};

struct JobHistoryQuery {
    JobQuery about;
    std::string event_type;
    std::optional<std::int64_t> before; // cursor of the last row of the page before
    std::size_t limit{50};
};

struct JobHistoryRow {
    std::optional<PrNumber> pr;
    HeadSha head;
    TimePoint at{};
    domain::CellOutcome outcome{};
    std::size_t attempts{0};
    JobId newest{};
    std::optional<Millis> queue; // of the newest attempt, as the next
    std::optional<Millis> run;
};

/// At most so many commits are looked through for a page: one that the job took part in rarely
/// comes in several.
inline constexpr std::size_t kJobHistoryWalk = 1'000;

struct JobHistoryPage {
    std::vector<JobHistoryRow> rows;  // newest first
    std::optional<std::int64_t> next; // none: this is the end
};

// --- what was started by the clock

struct NightsQuery {
    RepoName upstream;
    RepoName downstream;
    ViewWindow window;
};

/// One run by the clock: what the relay sent, or what a downstream told of by itself.
struct NightView {
    TimePoint at{};
    std::string event_type; // nightly, periodic
    HeadSha head;
    std::optional<domain::DispatchState> state; // none: told by itself
    bool silent{false};
    std::vector<domain::CellOutcome> cells;
    std::optional<JobId> failed; // the newest job that failed
};

struct NightsView {
    std::vector<NightView> runs;   // oldest first
    std::vector<TimePoint> missed; // when one was due and could not be sent
    std::size_t missed_ever{0};
};

// --- suites

struct SuiteQuery {
    RepoName upstream;
    RepoName downstream;
    std::string event_type;
    std::string head; // the beginning of a commit's name; empty: the newest
};

struct SuiteCell {
    std::string suite; // workflow
    domain::CellOutcome outcome{};
    JobId newest{};
    std::optional<domain::TestCounts> tests; // of the newest attempt
};

/// One commit at one downstream; without a head there is none.
struct SuiteRun {
    HeadSha head;
    TimePoint at{};
    std::vector<SuiteCell> cells;
};

// --- benchmarks

struct BenchmarkQuery {
    RepoName upstream;
    RepoName downstream;
    ViewWindow window;
    std::string suite; // empty: all
};

struct BenchmarkPoint {
    TimePoint at{};
    domain::BenchmarkValue value;
    JobId job{};
    HeadSha head;
    std::optional<PrNumber> pr;
    std::string event_type;
};

/// One benchmark with its newest values, oldest first.
struct BenchmarkSeries {
    std::string suite;
    std::string name;
    std::string unit;
    std::vector<BenchmarkPoint> points;
};

inline constexpr std::size_t kBenchmarkLines = 500;    // of one page
inline constexpr std::size_t kBenchmarkPoints = 2'000; // of one series
inline constexpr std::size_t kBenchmarkLookBack = 40;  // points that judge the newest one

struct BenchmarkPage {
    std::vector<std::string> suites;
    std::vector<BenchmarkSeries> series; // by suite and name
    bool more{false};
};

} // namespace baton::ports
