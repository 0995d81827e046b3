#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The verbs of ports::Views as plain functions over one connection: what they say is said there,
/// and how they fail in verbs.hpp. Each searches what triggers have kept; none walks through
/// history.
namespace baton::store::sql::views {

// --- views_figures.cpp
std::vector<ports::DownstreamView> downstreams(Connection& db, const ports::ViewWindow& window);
std::vector<ports::DayView> days(Connection& db, const ports::DownstreamQuery& query);
std::vector<ports::JobNameView> job_names(Connection& db, const ports::DownstreamQuery& query);
ports::TimesView times(Connection& db, const ports::DownstreamQuery& query);

// --- views_trends.cpp
std::vector<ports::DaysView> all_days(Connection& db, const ports::ViewWindow& window);
std::vector<ports::DayTimes> day_times(Connection& db, const ports::DownstreamQuery& query);
std::vector<ports::DayView>
job_days(Connection& db, const ports::JobQuery& about, const ports::ViewWindow& window);
ports::JobHistoryPage job_history(Connection& db, const ports::JobHistoryQuery& query);

// --- views_runs.cpp
ports::NightsView nights(Connection& db, const ports::NightsQuery& query);
ports::SuiteRun suite_run(Connection& db, const ports::SuiteQuery& query);

// --- views_benchmarks.cpp
ports::BenchmarkPage benchmarks(Connection& db, const ports::BenchmarkQuery& query);
Result<ports::BenchmarkSeries>
benchmark_series(Connection& db, const ports::BenchmarkQuery& query, const std::string& name);

// --- views_rows.cpp: what several of them read
std::size_t count_in(const Rows& row, int column); // a sum of nothing is NULL, and reads 0
std::optional<PrNumber> pr_in(const Rows& row, int column);
/// From nine columns: success, flaky, failure, timed_out, no_signal, first_passed,
/// first_conclusive, executed_passed, executed.
domain::Ended ended_in(const Rows& row);
/// From as many columns as there are outcomes, in their order.
std::vector<domain::CellOutcome> cells_in(const Rows& row, int first_column);

// --- views_lists.cpp
std::vector<ports::GridRow> grid(Connection& db, const ports::GridQuery& query);
std::vector<ports::HeadView> heads(Connection& db, const RepoName& upstream, PrNumber pr);
Result<domain::Job> job(Connection& db, JobId id);
ports::NewsPage news(Connection& db, std::int64_t after, std::size_t limit);

// --- views_pulls.cpp
std::vector<ports::PullRow> pulls(Connection& db, const ports::PullQuery& query);

// --- views_clusters.cpp
ports::ClusterPage clusters(Connection& db, const ports::ClusterQuery& query);
Result<ports::ClusterView> cluster(Connection& db, const ports::OneClusterQuery& query);
std::vector<ports::ClusterDayView>
cluster_days(Connection& db, const ports::OneClusterQuery& query);

// --- views_failures.cpp
std::vector<ports::Occurrence> occurrences(Connection& db, const ports::OccurrenceQuery& query);
std::vector<ports::TestView>
test_history(Connection& db, const std::string& test, const ports::Pairings& among);
std::vector<ports::FlakyView>
flaky(Connection& db, const ports::Pairings& among, const ports::ViewWindow& window);
std::vector<ports::FlakyExample>
flaky_examples(Connection& db, const ports::FlakyView& of, std::size_t limit);

// --- views_commit.cpp
std::vector<ports::CommitCell> commit_cells(Connection& db, const ports::CommitQuery& query);

} // namespace baton::store::sql::views
