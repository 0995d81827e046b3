#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verify_checks.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace baton::store::sql {

namespace {

constexpr Query kTestCount{"failed_test_count", "SELECT count(*) FROM failed_test"};
constexpr Query kStrays{
    "stray_failed_tests",
    "SELECT DISTINCT t.job FROM failed_test AS t LEFT JOIN job AS j ON j.id = t.job "
    "WHERE NOT (coalesce(j.counts, 0) = 1 AND coalesce(j.conclusion, '') IN ('failure', "
    "'timed_out')) "
    "LIMIT 100"
};
constexpr Query kByDownstream{
    "clusters_by_downstream",
    "WITH real AS (SELECT cluster, downstream, count(*) AS failures, min(at_ms) AS "
    "first_at_ms, max(at_ms) AS last_at_ms, max(CASE WHEN trunk = 1 THEN at_ms END) AS "
    "trunk_at_ms FROM failed_test GROUP BY 1, 2) SELECT cluster, downstream FROM "
    "cluster_downstream AS d LEFT JOIN real AS r USING (cluster, downstream) WHERE "
    "(d.failures, d.first_at_ms, d.last_at_ms, d.trunk_at_ms) IS DISTINCT FROM (r.failures, "
    "r.first_at_ms, r.last_at_ms, r.trunk_at_ms) AND NOT (d.first_at_ms < ?1 AND d.failures >= "
    "coalesce(r.failures, 0) AND d.last_at_ms >= coalesce(r.last_at_ms, 0) AND "
    "coalesce(d.trunk_at_ms, 0) >= coalesce(r.trunk_at_ms, 0)) LIMIT 100"
};
constexpr Query kByDay{
    "clusters_by_day",
    "WITH real AS (SELECT cluster, downstream, at_ms - at_ms % 86400000 AS day_ms, count(*) AS "
    "failures FROM failed_test GROUP BY 1, 2, 3) SELECT cluster, downstream FROM cluster_day "
    "AS d LEFT JOIN real AS r USING (cluster, downstream, day_ms) WHERE d.failures IS DISTINCT "
    "FROM r.failures AND NOT (day_ms < ?1 AND d.failures >= coalesce(r.failures, 0)) LIMIT 100"
};
constexpr Query kByPull{
    "clusters_by_pull",
    "WITH real AS (SELECT cluster, downstream, pr_number, count(*) AS failures, max(at_ms) AS "
    "last_at_ms FROM failed_test WHERE pr_number IS NOT NULL GROUP BY 1, 2, 3) SELECT cluster, "
    "downstream FROM cluster_pull AS d LEFT JOIN real AS r USING (cluster, downstream, "
    "pr_number) WHERE (d.failures, d.last_at_ms) IS DISTINCT FROM (r.failures, r.last_at_ms) "
    "AND NOT (d.failures >= coalesce(r.failures, 0) AND d.last_at_ms >= coalesce(r.last_at_ms, 0) "
    "AND EXISTS (SELECT 1 FROM cluster_downstream AS c WHERE c.cluster = d.cluster AND "
    "c.downstream = d.downstream AND c.first_at_ms < ?1)) LIMIT 100"
};
constexpr Query kByTest{
    "clusters_by_test",
    "WITH real AS (SELECT cluster, downstream, test, count(*) AS failures, min(at_ms) AS "
    "first_at_ms, max(at_ms) AS last_at_ms FROM failed_test GROUP BY 1, 2, 3) SELECT cluster, "
    "downstream FROM cluster_test AS d LEFT JOIN real AS r USING (cluster, downstream, test) "
    "WHERE (d.failures, d.first_at_ms, d.last_at_ms) IS DISTINCT FROM (r.failures, "
    "r.first_at_ms, r.last_at_ms) AND NOT (d.first_at_ms < ?1 AND d.failures >= "
    "coalesce(r.failures, 0) AND d.last_at_ms >= coalesce(r.last_at_ms, 0)) LIMIT 100"
};
// Each row counts right: if all of them together count as much as there is, none is missing.
constexpr Query kTotals{
    "cluster_totals",
    "SELECT (SELECT count(*) FROM failed_test), (SELECT coalesce(sum(failures), 0) FROM "
    "cluster_downstream), (SELECT coalesce(sum(failures), 0) FROM cluster_day), (SELECT "
    "coalesce(sum(failures), 0) FROM cluster_test), (SELECT count(*) FROM failed_test WHERE "
    "pr_number IS NOT NULL), (SELECT coalesce(sum(failures), 0) FROM cluster_pull)"
};
constexpr Query kFlaky{
    "flaky_cells",
    "SELECT f.cell FROM flaky_cell AS f LEFT JOIN cell AS c ON c.id = f.cell WHERE c.outcome "
    "IS DISTINCT FROM 'flaky' LIMIT 100"
};
constexpr Query kFlakyTotals{
    "flaky_totals",
    "SELECT (SELECT count(*) FROM flaky_cell), (SELECT count(*) FROM cell WHERE outcome = 'flaky')"
};
constexpr Query kAttributionCount{"attribution_count", "SELECT count(*) FROM attribution"};
constexpr Query kAttributed{
    "attributed_cells",
    "SELECT a.cell FROM attribution AS a LEFT JOIN cell AS c ON c.id = a.cell WHERE "
    "coalesce(c.outcome, '') NOT IN ('failure', 'timed_out') OR "
    "a.day_ms <> c.ended_at_ms - c.ended_at_ms % 86400000 LIMIT 100"
};
constexpr Query kExcused{
    "excused_days",
    "WITH real AS (SELECT upstream, downstream, day_ms, sum(excused) AS excused FROM attribution "
    "GROUP BY 1, 2, 3) SELECT downstream, day_ms, d.excused, coalesce(r.excused, 0) "
    "FROM cell_day AS d LEFT JOIN real AS r USING (upstream, downstream, day_ms) "
    "WHERE d.excused <> coalesce(r.excused, 0) AND NOT (day_ms < ?1 AND d.excused > "
    "coalesce(r.excused, 0)) LIMIT 100"
};

void note_clusters(Connection& db, Checked& checked, const Query& query, const char* by) {
    auto rows = db.rows(query, pruned_until(db));
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "cluster {} at {} does not count its failed tests by {}",
                rows.integer(0),
                rows.view(1),
                by
            )
        );
    }
}

void note_totals(Connection& db, Checked& checked) {
    auto rows = db.rows(kTotals);
    if (!rows.next()) {
        return;
    }
    const auto tests = rows.integer(0);
    const bool pruned = pruned_until(db) > TimePoint{};
    const auto differs = [pruned](std::int64_t kept, std::int64_t there) {
        return kept < there || (kept > there && !pruned);
    };
    if (differs(rows.integer(1), tests) || differs(rows.integer(2), tests) ||
        differs(rows.integer(3), tests) || differs(rows.integer(5), rows.integer(4))) {
        note(
            checked,
            fmt::format(
                "{} failed tests are there; clusters count {} by downstream, {} by day, {} by "
                "name, and {} of {} by pull request",
                tests,
                rows.integer(1),
                rows.integer(2),
                rows.integer(3),
                rows.integer(5),
                rows.integer(4)
            )
        );
    }
}

} // namespace

Checked check_failed_tests(Connection& db) {
    Checked checked{.what = "failed tests", .count = number_of(db, kTestCount), .findings = {}};
    {
        auto rows = db.rows(kStrays);
        while (rows.next()) {
            note(
                checked,
                fmt::format("job {} has failed tests, and does not count as red", rows.integer(0))
            );
        }
    }
    note_clusters(db, checked, kByDownstream, "downstream");
    note_clusters(db, checked, kByDay, "day");
    note_clusters(db, checked, kByPull, "pull request");
    note_clusters(db, checked, kByTest, "name");
    note_totals(db, checked);
    {
        auto rows = db.rows(kFlaky);
        while (rows.next()) {
            note(checked, fmt::format("cell {} is listed as flaky and is not", rows.integer(0)));
        }
    }
    auto rows = db.rows(kFlakyTotals);
    if (rows.next() && rows.integer(0) != rows.integer(1)) {
        note(
            checked,
            fmt::format(
                "{} cells are listed as flaky, and {} are", rows.integer(0), rows.integer(1)
            )
        );
    }
    return checked;
}

Checked check_attributions(Connection& db) {
    Checked checked{
        .what = "attributions", .count = number_of(db, kAttributionCount), .findings = {}
    };
    {
        auto rows = db.rows(kAttributed);
        while (rows.next()) {
            note(
                checked,
                fmt::format("cell {} is attributed, and did not fail that day", rows.integer(0))
            );
        }
    }
    auto rows = db.rows(kExcused, pruned_until(db));
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "failures of others at {} from {} on are kept as {}, counted {}",
                rows.view(0),
                rows.integer(1),
                rows.integer(2),
                rows.integer(3)
            )
        );
    }
    return checked;
}

} // namespace baton::store::sql
