#include "baton/store/sqlite/sqlite_views.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/job.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/views.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sqlite {

SqliteViews::SqliteViews(std::vector<Connection> connections)
    : readers_(std::move(connections)) {}

SqliteViews::Awaitable<std::vector<ports::DownstreamView>>
SqliteViews::downstreams(ports::ViewWindow window) {
    using Found = std::vector<ports::DownstreamView>;
    return readers_.submit<Found>([window](Connection& db) -> Result<Found> {
        return views::downstreams(db, window);
    });
}

SqliteViews::Awaitable<std::vector<ports::DayView>> SqliteViews::days(ports::DownstreamQuery query
) {
    using Found = std::vector<ports::DayView>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::days(db, query);
    });
}

SqliteViews::Awaitable<std::vector<ports::JobNameView>>
SqliteViews::job_names(ports::DownstreamQuery query) {
    using Found = std::vector<ports::JobNameView>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::job_names(db, query);
    });
}

SqliteViews::Awaitable<ports::TimesView> SqliteViews::times(ports::DownstreamQuery query) {
    using Found = ports::TimesView;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::times(db, query);
    });
}

SqliteViews::Awaitable<std::vector<ports::GridRow>> SqliteViews::grid(ports::GridQuery query) {
    using Found = std::vector<ports::GridRow>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::grid(db, query);
    });
}

SqliteViews::Awaitable<std::vector<ports::PullRow>> SqliteViews::pulls(ports::PullQuery query) {
    using Found = std::vector<ports::PullRow>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::pulls(db, query);
    });
}

SqliteViews::Awaitable<std::vector<ports::HeadView>>
SqliteViews::heads(RepoName upstream, PrNumber pr) {
    using Found = std::vector<ports::HeadView>;
    return readers_.submit<Found>(
        [upstream = std::move(upstream), pr](Connection& db) -> Result<Found> {
            return views::heads(db, upstream, pr);
        }
    );
}

SqliteViews::Awaitable<domain::Job> SqliteViews::job(JobId id) {
    return readers_.submit<domain::Job>([id](Connection& db) { return views::job(db, id); });
}

SqliteViews::Awaitable<std::vector<ports::DaysView>> SqliteViews::all_days(ports::ViewWindow window
) {
    using Found = std::vector<ports::DaysView>;
    return readers_.submit<Found>([window](Connection& db) -> Result<Found> {
        return views::all_days(db, window);
    });
}

SqliteViews::Awaitable<std::vector<ports::DayTimes>>
SqliteViews::day_times(ports::DownstreamQuery query) {
    using Found = std::vector<ports::DayTimes>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::day_times(db, query);
    });
}

SqliteViews::Awaitable<std::vector<ports::DayView>>
SqliteViews::job_days(ports::JobQuery about, ports::ViewWindow window) {
    using Found = std::vector<ports::DayView>;
    return readers_.submit<Found>(
        [about = std::move(about), window](Connection& db) -> Result<Found> {
            return views::job_days(db, about, window);
        }
    );
}

SqliteViews::Awaitable<ports::JobHistoryPage> SqliteViews::job_history(ports::JobHistoryQuery query
) {
    using Found = ports::JobHistoryPage;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::job_history(db, query);
    });
}

SqliteViews::Awaitable<ports::NightsView> SqliteViews::nights(ports::NightsQuery query) {
    using Found = ports::NightsView;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::nights(db, query);
    });
}

SqliteViews::Awaitable<ports::SuiteRun> SqliteViews::suite_run(ports::SuiteQuery query) {
    using Found = ports::SuiteRun;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::suite_run(db, query);
    });
}

SqliteViews::Awaitable<ports::BenchmarkPage> SqliteViews::benchmarks(ports::BenchmarkQuery query) {
    using Found = ports::BenchmarkPage;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::benchmarks(db, query);
    });
}

SqliteViews::Awaitable<ports::BenchmarkSeries>
SqliteViews::benchmark_series(ports::BenchmarkQuery query, std::string name) {
    return readers_.submit<ports::BenchmarkSeries>([query = std::move(query),
                                                    name = std::move(name)](Connection& db) {
        return views::benchmark_series(db, query, name);
    });
}

SqliteViews::Awaitable<ports::NewsPage> SqliteViews::news(std::int64_t after, std::size_t limit) {
    using Found = ports::NewsPage;
    return readers_.submit<Found>([after, limit](Connection& db) -> Result<Found> {
        return views::news(db, after, limit);
    });
}

} // namespace baton::store::sqlite
