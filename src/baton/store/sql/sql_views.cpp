#include "baton/store/sql/sql_views.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/job.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/views.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql {

SqlViews::Awaitable<std::vector<ports::DownstreamView>>
SqlViews::downstreams(ports::ViewWindow window) {
    using Found = std::vector<ports::DownstreamView>;
    return readers_.submit<Found>([window](Connection& db) -> Result<Found> {
        return views::downstreams(db, window);
    });
}

SqlViews::Awaitable<std::vector<ports::DayView>> SqlViews::days(ports::DownstreamQuery query) {
    using Found = std::vector<ports::DayView>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::days(db, query);
    });
}

SqlViews::Awaitable<std::vector<ports::JobNameView>>
SqlViews::job_names(ports::DownstreamQuery query) {
    using Found = std::vector<ports::JobNameView>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::job_names(db, query);
    });
}

SqlViews::Awaitable<ports::TimesView> SqlViews::times(ports::DownstreamQuery query) {
    using Found = ports::TimesView;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::times(db, query);
    });
}

SqlViews::Awaitable<std::vector<ports::GridRow>> SqlViews::grid(ports::GridQuery query) {
    using Found = std::vector<ports::GridRow>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::grid(db, query);
    });
}

SqlViews::Awaitable<std::vector<ports::PullRow>> SqlViews::pulls(ports::PullQuery query) {
    using Found = std::vector<ports::PullRow>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::pulls(db, query);
    });
}

SqlViews::Awaitable<std::vector<ports::HeadView>> SqlViews::heads(RepoName upstream, PrNumber pr) {
    using Found = std::vector<ports::HeadView>;
    return readers_.submit<Found>(
        [upstream = std::move(upstream), pr](Connection& db) -> Result<Found> {
            return views::heads(db, upstream, pr);
        }
    );
}

SqlViews::Awaitable<domain::Job> SqlViews::job(JobId id) {
    return readers_.submit<domain::Job>([id](Connection& db) { return views::job(db, id); });
}

SqlViews::Awaitable<std::vector<ports::DaysView>> SqlViews::all_days(ports::ViewWindow window) {
    using Found = std::vector<ports::DaysView>;
    return readers_.submit<Found>([window](Connection& db) -> Result<Found> {
        return views::all_days(db, window);
    });
}

SqlViews::Awaitable<std::vector<ports::DayTimes>> SqlViews::day_times(ports::DownstreamQuery query
) {
    using Found = std::vector<ports::DayTimes>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::day_times(db, query);
    });
}

SqlViews::Awaitable<std::vector<ports::DayView>>
SqlViews::job_days(ports::JobQuery about, ports::ViewWindow window) {
    using Found = std::vector<ports::DayView>;
    return readers_.submit<Found>(
        [about = std::move(about), window](Connection& db) -> Result<Found> {
            return views::job_days(db, about, window);
        }
    );
}

SqlViews::Awaitable<ports::JobHistoryPage> SqlViews::job_history(ports::JobHistoryQuery query) {
    using Found = ports::JobHistoryPage;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::job_history(db, query);
    });
}

SqlViews::Awaitable<ports::NightsView> SqlViews::nights(ports::NightsQuery query) {
    using Found = ports::NightsView;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::nights(db, query);
    });
}

SqlViews::Awaitable<ports::SuiteRun> SqlViews::suite_run(ports::SuiteQuery query) {
    using Found = ports::SuiteRun;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::suite_run(db, query);
    });
}

SqlViews::Awaitable<ports::BenchmarkPage> SqlViews::benchmarks(ports::BenchmarkQuery query) {
    using Found = ports::BenchmarkPage;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::benchmarks(db, query);
    });
}

SqlViews::Awaitable<ports::BenchmarkSeries>
SqlViews::benchmark_series(ports::BenchmarkQuery query, std::string name) {
    return readers_.submit<ports::BenchmarkSeries>([query = std::move(query),
                                                    name = std::move(name)](Connection& db) {
        return views::benchmark_series(db, query, name);
    });
}

SqlViews::Awaitable<ports::NewsPage> SqlViews::news(std::int64_t after, std::size_t limit) {
    using Found = ports::NewsPage;
    return readers_.submit<Found>([after, limit](Connection& db) -> Result<Found> {
        return views::news(db, after, limit);
    });
}

} // namespace baton::store::sql
