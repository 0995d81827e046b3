// The views about failures.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/sqlite_views.hpp"
#include "baton/store/sqlite/verbs.hpp"
#include "baton/store/sqlite/views.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sqlite {

SqliteViews::Awaitable<ports::ClusterPage> SqliteViews::clusters(ports::ClusterQuery query) {
    using Found = ports::ClusterPage;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::clusters(db, query);
    });
}

SqliteViews::Awaitable<ports::ClusterView> SqliteViews::cluster(ports::OneClusterQuery query) {
    return readers_.submit<ports::ClusterView>([query = std::move(query)](Connection& db) {
        return views::cluster(db, query);
    });
}

SqliteViews::Awaitable<std::vector<ports::ClusterDayView>>
SqliteViews::cluster_days(ports::OneClusterQuery query) {
    using Found = std::vector<ports::ClusterDayView>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::cluster_days(db, query);
    });
}

SqliteViews::Awaitable<std::vector<ports::Occurrence>>
SqliteViews::occurrences(ports::OccurrenceQuery query) {
    using Found = std::vector<ports::Occurrence>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::occurrences(db, query);
    });
}

SqliteViews::Awaitable<std::vector<ports::TestView>>
SqliteViews::test_history(std::string test, ports::Pairings among) {
    using Found = std::vector<ports::TestView>;
    return readers_.submit<Found>(
        [test = std::move(test), among = std::move(among)](Connection& db) -> Result<Found> {
            return views::test_history(db, test, among);
        }
    );
}

SqliteViews::Awaitable<std::vector<ports::FlakyView>>
SqliteViews::flaky(ports::Pairings among, ports::ViewWindow window) {
    using Found = std::vector<ports::FlakyView>;
    return readers_.submit<Found>(
        [among = std::move(among), window](Connection& db) -> Result<Found> {
            return views::flaky(db, among, window);
        }
    );
}

SqliteViews::Awaitable<std::vector<ports::FlakyExample>>
SqliteViews::flaky_examples(ports::FlakyView of, std::size_t limit) {
    using Found = std::vector<ports::FlakyExample>;
    return readers_.submit<Found>([of = std::move(of), limit](Connection& db) -> Result<Found> {
        return views::flaky_examples(db, of, limit);
    });
}

SqliteViews::Awaitable<std::vector<ports::CommitCell>>
SqliteViews::commit_cells(ports::CommitQuery query) {
    using Found = std::vector<ports::CommitCell>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::commit_cells(db, query);
    });
}

SqliteViews::Awaitable<std::vector<ports::ToldTests>>
SqliteViews::told_tests(std::vector<JobId> jobs) {
    using Found = std::vector<ports::ToldTests>;
    return readers_.submit<Found>([jobs = std::move(jobs)](Connection& db) -> Result<Found> {
        Found found;
        for (const auto job : jobs) {
            auto detail = verbs::report_detail(db, job);
            if (!detail && detail.error().code == Errc::not_found) {
                continue;
            }
            BATON_TRY(auto told, std::move(detail));
            found.push_back({.job = job, .tests = std::move(told.failed_tests)});
        }
        return found;
    });
}

} // namespace baton::store::sqlite
