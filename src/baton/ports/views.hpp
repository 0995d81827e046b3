#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/trend_views.hpp"
#include "baton/ports/view_window.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What people look at: read-only, and never as expensive as history is long.
namespace baton::ports {

/// How one downstream fared for one upstream.
struct DownstreamView {
    RepoName upstream;
    RepoName downstream;
    domain::Ended ended;
    std::size_t silent{0};  // dispatches, in the window
    std::size_t running{0}; // jobs, now
    std::size_t pending{0}; // dispatches, now
    std::optional<TimePoint> last_result_at;
    std::optional<TimePoint> last_sent_at;
};

struct DownstreamQuery {
    RepoName upstream;
    RepoName downstream;
    ViewWindow window;
};

struct JobNameView {
    std::string workflow;
    std::string job;
    domain::Ended ended;
};

/// A commit or pull request by jobs.
struct CellView {
    std::string workflow;
    std::string job;
    domain::CellOutcome outcome{};
    std::size_t attempts{0};
    JobId newest{};
};

struct GridRow {
    std::optional<PrNumber> pr;
    HeadSha head;
    std::string event_type;
    TimePoint at{}; // of its newest news
    std::vector<CellView> cells;
    std::int64_t cursor{0};
};

struct GridQuery {
    RepoName upstream;
    RepoName downstream;
    std::string event_type;
    std::optional<std::int64_t> before; // cursor of the last row of the page before
    std::size_t limit{50};
};

struct PullRow {
    RepoName upstream;
    PrNumber number{};
    HeadSha head;
    bool open{true};
    bool draft{false};
    std::string author;
    std::string title;
    TimePoint updated_at{};

    struct Backend {
        RepoName downstream;
        domain::Level level{};
        std::optional<domain::DispatchState> state; // of the newest dispatch for the head
        std::vector<domain::CellOutcome> cells;
        bool silent{false};
    };

    std::vector<Backend> backends;
};

enum class PullState : std::uint8_t { open = 1, closed, all };

struct PullQuery {
    std::optional<RepoName> upstream;
    PullState state{PullState::open};
    std::string author;                     // empty: anybody
    domain::Level level{domain::Level::l1}; // of the downstreams that are looked at, and above

    struct Place {
        TimePoint updated_at{};
        RepoName upstream;
        PrNumber number{};
    };

    std::optional<Place> before; // the last row of the page before
    std::size_t limit{50};
};

struct HeadView {
    HeadSha head;
    TimePoint first_seen{};
};

struct DeadDispatch {
    DispatchId id{};
    std::string delivery;
    RepoName downstream;
    RepoName upstream;
    domain::DispatchState state{};
    std::string reason;
    TimePoint created_at{};
    std::size_t attempts{0};
    std::optional<PrNumber> pr;
    std::string event_type;
};

/// That something changed; what it is now is asked elsewhere.
struct News {
    std::int64_t id{0};
    std::string topic; // "pull", "downstream", "relay"
    std::string upstream;
    std::optional<PrNumber> pr;
    std::string downstream;
};

struct NewsPage {
    std::vector<News> news; // oldest first
    std::int64_t newest{0}; // the newest id there is, 0 when there was never any
    bool gap{false};        // what came after the id that was asked for is not there any more
};

class Views {
public:
    template <class T> using Awaitable = boost::asio::awaitable<Result<T>>;

    Views() = default;
    Views(const Views&) = delete;
    Views& operator=(const Views&) = delete;
    virtual ~Views() = default;

    /// Everybody of whom anything is known in the window, or who has something pending or running.
    virtual Awaitable<std::vector<DownstreamView>> downstreams(ViewWindow window) = 0;
    virtual Awaitable<std::vector<DayView>> days(DownstreamQuery query) = 0; // oldest first
    virtual Awaitable<std::vector<JobNameView>> job_names(DownstreamQuery query) = 0;
    virtual Awaitable<TimesView> times(DownstreamQuery query) = 0;
    virtual Awaitable<std::vector<GridRow>> grid(GridQuery query) = 0;
    virtual Awaitable<std::vector<PullRow>> pulls(PullQuery query) = 0;
    virtual Awaitable<std::vector<HeadView>>
    heads(RepoName upstream, PrNumber pr) = 0;        // newest first
    virtual Awaitable<domain::Job> job(JobId id) = 0; // not_found

    // --- over time
    virtual Awaitable<std::vector<DaysView>> all_days(ViewWindow window) = 0;
    virtual Awaitable<std::vector<DayTimes>> day_times(DownstreamQuery query) = 0; // oldest first
    virtual Awaitable<std::vector<DayView>> job_days(JobQuery about, ViewWindow window) = 0;
    virtual Awaitable<JobHistoryPage> job_history(JobHistoryQuery query) = 0;
    virtual Awaitable<NightsView> nights(NightsQuery query) = 0;
    virtual Awaitable<SuiteRun> suite_run(SuiteQuery query) = 0;
    virtual Awaitable<BenchmarkPage> benchmarks(BenchmarkQuery query) = 0;
    /// not_found when nobody ever told a value of it.
    virtual Awaitable<BenchmarkSeries> benchmark_series(BenchmarkQuery query, std::string name) = 0;

    // --- failures
    virtual Awaitable<ClusterPage> clusters(ClusterQuery query) = 0;
    virtual Awaitable<ClusterView> cluster(OneClusterQuery query) = 0; // not_found
    virtual Awaitable<std::vector<ClusterDayView>> cluster_days(OneClusterQuery query
    ) = 0; // oldest first
    virtual Awaitable<std::vector<Occurrence>> occurrences(OccurrenceQuery query
    ) = 0; // newest first
    virtual Awaitable<std::vector<TestView>> test_history(std::string test, Pairings among) = 0;
    virtual Awaitable<std::vector<FlakyView>> flaky(Pairings among, ViewWindow window) = 0;
    virtual Awaitable<std::vector<FlakyExample>>
    flaky_examples(FlakyView of, std::size_t limit) = 0; // newest first
    virtual Awaitable<std::vector<CommitCell>> commit_cells(CommitQuery query) = 0;
    /// Of those that have a report; in the order asked for.
    virtual Awaitable<std::vector<ToldTests>> told_tests(std::vector<JobId> jobs) = 0;

    virtual Awaitable<NewsPage> news(std::int64_t after, std::size_t limit) = 0;
};

} // namespace baton::ports
