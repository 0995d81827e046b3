// The views about failures.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/sql_views.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/views.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql {

SqlViews::Awaitable<ports::ClusterPage> SqlViews::clusters(ports::ClusterQuery query) {
    using Found = ports::ClusterPage;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::clusters(db, query);
    });
}

SqlViews::Awaitable<ports::ClusterView> SqlViews::cluster(ports::OneClusterQuery query) {
    return readers_.submit<ports::ClusterView>([query = std::move(query)](Connection& db) {
        return views::cluster(db, query);
    });
}

SqlViews::Awaitable<std::vector<ports::ClusterDayView>>
SqlViews::cluster_days(ports::OneClusterQuery query) {
    using Found = std::vector<ports::ClusterDayView>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::cluster_days(db, query);
    });
}

SqlViews::Awaitable<std::vector<ports::Occurrence>>
SqlViews::occurrences(ports::OccurrenceQuery query) {
    using Found = std::vector<ports::Occurrence>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::occurrences(db, query);
    });
}

SqlViews::Awaitable<std::vector<ports::TestView>>
SqlViews::test_history(std::string test, ports::Pairings among) {
    using Found = std::vector<ports::TestView>;
    return readers_.submit<Found>(
        [test = std::move(test), among = std::move(among)](Connection& db) -> Result<Found> {
            return views::test_history(db, test, among);
        }
    );
}

SqlViews::Awaitable<std::vector<ports::FlakyView>>
SqlViews::flaky(ports::Pairings among, ports::ViewWindow window) {
    using Found = std::vector<ports::FlakyView>;
    return readers_.submit<Found>(
        [among = std::move(among), window](Connection& db) -> Result<Found> {
            return views::flaky(db, among, window);
        }
    );
}

SqlViews::Awaitable<std::vector<ports::FlakyExample>>
SqlViews::flaky_examples(ports::FlakyView of, std::size_t limit) {
    using Found = std::vector<ports::FlakyExample>;
    return readers_.submit<Found>([of = std::move(of), limit](Connection& db) -> Result<Found> {
        return views::flaky_examples(db, of, limit);
    });
}

SqlViews::Awaitable<std::vector<ports::CommitCell>> SqlViews::commit_cells(ports::CommitQuery query
) {
    using Found = std::vector<ports::CommitCell>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return views::commit_cells(db, query);
    });
}

SqlViews::Awaitable<std::vector<ports::ToldTests>> SqlViews::told_tests(std::vector<JobId> jobs) {
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

} // namespace baton::store::sql
