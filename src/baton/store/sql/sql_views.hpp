#pragma once

#include "baton/base/ids.hpp"
#include "baton/domain/job.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/queue.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace baton::store::sql {

/// ports::Views with connections and threads of its own, so that figures and lists hold up none of
/// the relay's own reads; pages that tell a story ask the relay's verbs too. Each verb sees one
/// snapshot.
class SqlViews final : public ports::Views {
public:
    explicit SqlViews(Queue& readers)
        : readers_(readers) {}

    Awaitable<std::vector<ports::DownstreamView>> downstreams(ports::ViewWindow window) override;
    Awaitable<std::vector<ports::DayView>> days(ports::DownstreamQuery query) override;
    Awaitable<std::vector<ports::JobNameView>> job_names(ports::DownstreamQuery query) override;
    Awaitable<ports::TimesView> times(ports::DownstreamQuery query) override;
    Awaitable<std::vector<ports::GridRow>> grid(ports::GridQuery query) override;
    Awaitable<std::vector<ports::PullRow>> pulls(ports::PullQuery query) override;
    Awaitable<std::vector<ports::HeadView>> heads(RepoName upstream, PrNumber pr) override;
    Awaitable<domain::Job> job(JobId id) override;
    Awaitable<std::vector<ports::DaysView>> all_days(ports::ViewWindow window) override;
    Awaitable<std::vector<ports::DayTimes>> day_times(ports::DownstreamQuery query) override;
    Awaitable<std::vector<ports::DayView>>
    job_days(ports::JobQuery about, ports::ViewWindow window) override;
    Awaitable<ports::JobHistoryPage> job_history(ports::JobHistoryQuery query) override;
    Awaitable<ports::NightsView> nights(ports::NightsQuery query) override;
    Awaitable<ports::SuiteRun> suite_run(ports::SuiteQuery query) override;
    Awaitable<ports::BenchmarkPage> benchmarks(ports::BenchmarkQuery query) override;
    Awaitable<ports::BenchmarkSeries>
    benchmark_series(ports::BenchmarkQuery query, std::string name) override;
    Awaitable<ports::ClusterPage> clusters(ports::ClusterQuery query) override;
    Awaitable<ports::ClusterView> cluster(ports::OneClusterQuery query) override;
    Awaitable<std::vector<ports::ClusterDayView>> cluster_days(ports::OneClusterQuery query
    ) override;
    Awaitable<std::vector<ports::Occurrence>> occurrences(ports::OccurrenceQuery query) override;
    Awaitable<std::vector<ports::TestView>>
    test_history(std::string test, ports::Pairings among) override;
    Awaitable<std::vector<ports::FlakyView>>
    flaky(ports::Pairings among, ports::ViewWindow window) override;
    Awaitable<std::vector<ports::FlakyExample>>
    flaky_examples(ports::FlakyView of, std::size_t limit) override;
    Awaitable<std::vector<ports::CommitCell>> commit_cells(ports::CommitQuery query) override;
    Awaitable<std::vector<ports::ToldTests>> told_tests(std::vector<JobId> jobs) override;
    Awaitable<ports::NewsPage> news(std::int64_t after, std::size_t limit) override;

private:
    Queue& readers_;
};

} // namespace baton::store::sql
