#include "baton/store/sql/sql_measuring.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/told_attempt.hpp"
#include "baton/ports/measuring.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql {

namespace {

constexpr Query kAttempts{
    "measured_attempts",
    "SELECT id, head_sha, workflow, job_name, device, completed_at_ms, conclusion = 'success', "
    "pr_number IS NULL, coalesce(tests_passed, 0) + coalesce(tests_failed, 0) "
    "FROM job INDEXED BY job_time WHERE upstream = ?1 AND downstream = ?2 AND "
    "completed_at_ms >= ?3 AND completed_at_ms < ?4 AND counts = 1 AND said_by = 'downstream' AND "
    "conclusion IN ('success', 'failure') ORDER BY completed_at_ms, id"
};
constexpr Query kFailed{
    "measured_failed_tests", "SELECT test FROM failed_test WHERE job = ?1 ORDER BY place"
};
constexpr Query kOwnNightlies{
    "measured_nightlies",
    "SELECT completed_at_ms FROM job INDEXED BY job_time WHERE upstream = ?1 AND downstream = ?2 "
    "AND completed_at_ms >= ?3 AND completed_at_ms < ?4 AND counts = 1 AND said_by = 'downstream' "
    "AND dispatch IS NULL AND event_type = 'nightly' AND commit_check <> 'unknown' AND "
    "(conclusion = 'success' OR (conclusion = 'failure' AND tests_total > 0)) "
    "ORDER BY completed_at_ms"
};
constexpr Query kLinks{
    "measured_links",
    "SELECT url, artifact_url FROM job INDEXED BY job_time WHERE upstream = ?1 AND downstream = ?2 "
    "AND completed_at_ms >= ?3 AND completed_at_ms < ?4 AND counts = 1 "
    "ORDER BY completed_at_ms DESC, id DESC"
};

Rows search(Connection& db, const Query& query, const ports::MeasureQuery& what) {
    return db.rows(
        query, what.upstream.text(), what.downstream.text(), what.window.from, what.window.until
    );
}

std::vector<domain::ToldAttempt> attempts_of(Connection& db, const ports::MeasureQuery& query) {
    std::vector<domain::ToldAttempt> attempts;
    auto rows = search(db, kAttempts, query);
    while (rows.next()) {
        domain::ToldAttempt attempt{
            .commit = rows.text(1),
            .workflow = rows.text(2),
            .job = rows.text(3),
            .device = rows.text(4),
            .ended_at = rows.time(5),
            .passed = rows.integer(6) != 0,
            .trunk = rows.integer(7) != 0,
            .tests = rows.integer(8),
        };
        auto failed = db.rows(kFailed, rows.integer(0));
        while (failed.next()) {
            attempt.failed.push_back(failed.text(0));
        }
        attempts.push_back(std::move(attempt));
    }
    return attempts;
}

std::vector<TimePoint> nightlies_of(Connection& db, const ports::MeasureQuery& query) {
    std::vector<TimePoint> ends;
    auto rows = search(db, kOwnNightlies, query);
    while (rows.next()) {
        ends.push_back(rows.time(0));
    }
    return ends;
}

std::vector<std::string>
links_of(Connection& db, const ports::MeasureQuery& query, std::size_t limit) {
    std::vector<std::string> links;
    std::set<std::string> seen;
    auto rows = search(db, kLinks, query);
    while (links.size() < limit && rows.next()) {
        for (const int column : {0, 1}) {
            auto link = rows.text(column);
            if (!link.empty() && links.size() < limit && seen.insert(link).second) {
                links.push_back(std::move(link));
            }
        }
    }
    return links;
}

} // namespace

SqlMeasuring::Awaitable<std::vector<domain::ToldAttempt>>
SqlMeasuring::attempts(ports::MeasureQuery query) {
    using Found = std::vector<domain::ToldAttempt>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return attempts_of(db, query);
    });
}

SqlMeasuring::Awaitable<std::vector<TimePoint>>
SqlMeasuring::own_nightlies(ports::MeasureQuery query) {
    using Found = std::vector<TimePoint>;
    return readers_.submit<Found>([query = std::move(query)](Connection& db) -> Result<Found> {
        return nightlies_of(db, query);
    });
}

SqlMeasuring::Awaitable<std::vector<std::string>>
SqlMeasuring::links(ports::MeasureQuery query, std::size_t limit) {
    using Found = std::vector<std::string>;
    return readers_.submit<Found>(
        [query = std::move(query), limit](Connection& db) -> Result<Found> {
            return links_of(db, query, limit);
        }
    );
}

} // namespace baton::store::sql
