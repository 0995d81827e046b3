#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verify_checks.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>

namespace baton::store::sql {

namespace {

constexpr Query kCellCount{"cell_count", "SELECT count(*) FROM cell"};
constexpr Query kOutsideCells{
    "jobs_outside_cells",
    "SELECT j.id FROM job AS j "
    "LEFT JOIN grid_row AS g ON g.upstream = j.upstream AND g.head_sha = j.head_sha AND "
    "g.event_type = j.event_type AND g.downstream = j.downstream "
    "LEFT JOIN cell AS c ON c.grid_row = g.id AND c.workflow = j.workflow AND "
    "c.job_name = j.job_name "
    "LEFT JOIN cell_job AS m ON m.cell = c.id AND m.dispatch = coalesce(j.dispatch, 0) AND "
    "m.attempt = j.attempt AND m.job = j.id WHERE j.counts = 1 AND m.job IS NULL LIMIT 100"
};
// Each that counts is in its own cell, so as many as count means that none is in another's.
constexpr Query kStrays{
    "jobs_in_wrong_cells",
    "SELECT (SELECT count(*) FROM cell_job), (SELECT count(*) FROM job WHERE counts = 1)"
};
constexpr Query kCells{
    "cells",
    "SELECT c.id, c.workflow, c.job_name, c.outcome, n.outcome FROM cell AS c LEFT JOIN "
    "cell_counted AS n ON n.id = c.id WHERE c.outcome IS NULL OR (c.success, c.failure, "
    "c.timed_out, c.neutral, c.cancelled, c.skipped, c.action_required, c.running, "
    "c.first_conclusion, c.newest_conclusion, c.newest_job, c.first_at_ms, c.last_at_ms, "
    "c.ended_at_ms, c.outcome) IS DISTINCT FROM (n.success, n.failure, n.timed_out, n.neutral, "
    "n.cancelled, n.skipped, n.action_required, n.running, n.first_conclusion, "
    "n.newest_conclusion, n.newest_job, n.first_at_ms, n.last_at_ms, n.ended_at_ms, n.outcome) "
    "LIMIT 100"
};
constexpr Query kGridRows{
    "grid_rows",
    "SELECT g.id, g.downstream, g.head_sha FROM grid_row AS g LEFT JOIN (SELECT grid_row AS "
    "id, count(*) FILTER (WHERE outcome = 'success') AS success, count(*) FILTER (WHERE "
    "outcome = 'flaky') AS flaky, count(*) FILTER (WHERE outcome = 'failure') AS failure, "
    "count(*) FILTER (WHERE outcome = 'timed_out') AS timed_out, count(*) FILTER (WHERE "
    "outcome = 'neutral') AS neutral, count(*) FILTER (WHERE outcome = 'cancelled') AS "
    "cancelled, count(*) FILTER (WHERE outcome = 'skipped') AS skipped, count(*) FILTER (WHERE "
    "outcome = 'action_required') AS action_required, count(*) FILTER (WHERE outcome = "
    "'running') AS running FROM cell GROUP BY grid_row) AS n USING (id) WHERE (g.success, "
    "g.flaky, g.failure, g.timed_out, g.neutral, g.cancelled, g.skipped, g.action_required, "
    "g.running) IS DISTINCT FROM (n.success, n.flaky, n.failure, n.timed_out, n.neutral, "
    "n.cancelled, n.skipped, n.action_required, n.running) LIMIT 100"
};
constexpr Query kDayCount{
    "day_count", "SELECT (SELECT count(*) FROM cell_day) + (SELECT count(*) FROM job_day)"
};
// A row may have come to nothing since: then there is nothing to count.
constexpr Query kCellDays{
    "cell_days",
    "WITH real (upstream, downstream, day_ms, success, flaky, failure, timed_out, no_signal, "
    "first_passed, first_conclusive, executed_passed, executed) AS (SELECT g.upstream, "
    "g.downstream, c.ended_at_ms - c.ended_at_ms % 86400000, count(*) FILTER (WHERE c.outcome "
    "= 'success'), count(*) FILTER (WHERE c.outcome = 'flaky'), count(*) FILTER (WHERE "
    "c.outcome = 'failure'), count(*) FILTER (WHERE c.outcome = 'timed_out'), "
    "sum(c.no_signal), sum(c.first_passed), sum(c.first_conclusive), sum(c.success), "
    "sum(c.executed) FROM cell AS c CROSS JOIN grid_row AS g ON g.id = c.grid_row WHERE "
    "c.outcome <> 'running' GROUP BY 1, 2, 3) SELECT d.downstream, d.day_ms FROM cell_day AS d "
    "LEFT JOIN real AS r USING (upstream, downstream, day_ms) WHERE (d.success, d.flaky, "
    "d.failure, d.timed_out, d.no_signal, d.first_passed, d.first_conclusive, "
    "d.executed_passed, d.executed) IS DISTINCT FROM (coalesce(r.success, 0), "
    "coalesce(r.flaky, 0), coalesce(r.failure, 0), coalesce(r.timed_out, 0), "
    "coalesce(r.no_signal, 0), coalesce(r.first_passed, 0), coalesce(r.first_conclusive, 0), "
    "coalesce(r.executed_passed, 0), coalesce(r.executed, 0)) AND NOT (d.day_ms < ?1 AND d.success "
    ">= coalesce(r.success, 0) AND d.flaky >= coalesce(r.flaky, 0) AND d.failure >= "
    "coalesce(r.failure, 0) AND d.timed_out >= coalesce(r.timed_out, 0) AND d.no_signal >= "
    "coalesce(r.no_signal, 0) AND d.executed >= coalesce(r.executed, 0)) UNION ALL SELECT "
    "r.downstream, "
    "r.day_ms FROM real AS r LEFT JOIN cell_day AS d USING (upstream, downstream, day_ms) "
    "WHERE d.executed IS NULL LIMIT 100"
};
// By job the same cells are told apart further: together they are the day.
constexpr Query kJobDays{
    "job_days",
    "WITH real (upstream, downstream, day_ms, workflow, job_name, success, flaky, failure, "
    "timed_out, no_signal, executed) AS (SELECT g.upstream, g.downstream, c.ended_at_ms - "
    "c.ended_at_ms % 86400000, c.workflow, c.job_name, count(*) FILTER (WHERE c.outcome = "
    "'success'), count(*) FILTER (WHERE c.outcome = 'flaky'), count(*) FILTER (WHERE c.outcome "
    "= 'failure'), count(*) FILTER (WHERE c.outcome = 'timed_out'), sum(c.no_signal), "
    "sum(c.executed) FROM cell AS c CROSS JOIN grid_row AS g ON g.id = c.grid_row WHERE "
    "c.outcome <> 'running' GROUP BY 1, 2, 3, 4, 5) SELECT d.downstream, d.day_ms FROM job_day "
    "AS d LEFT JOIN real AS r USING (upstream, downstream, day_ms, workflow, job_name) WHERE "
    "(d.success, d.flaky, d.failure, d.timed_out, d.no_signal, d.executed) IS DISTINCT FROM "
    "(coalesce(r.success, 0), coalesce(r.flaky, 0), coalesce(r.failure, 0), "
    "coalesce(r.timed_out, 0), coalesce(r.no_signal, 0), coalesce(r.executed, 0)) AND NOT "
    "(d.day_ms < ?1 AND d.success >= coalesce(r.success, 0) AND d.flaky >= coalesce(r.flaky, 0) "
    "AND d.failure >= coalesce(r.failure, 0) AND d.timed_out >= coalesce(r.timed_out, 0) AND "
    "d.no_signal >= coalesce(r.no_signal, 0) AND d.executed >= coalesce(r.executed, 0)) UNION ALL "
    "SELECT r.downstream, r.day_ms FROM real AS r LEFT JOIN job_day AS d USING (upstream, "
    "downstream, day_ms, workflow, job_name) WHERE d.executed IS NULL LIMIT 100"
};
constexpr Query kSilentDays{
    "silent_days",
    "WITH real (upstream, downstream, day_ms, silent) AS ("
    "SELECT upstream, downstream, silent_at_ms - silent_at_ms % 86400000, count(*) FROM dispatch "
    "WHERE silent_at_ms IS NOT NULL GROUP BY 1, 2, 3) "
    "SELECT downstream, day_ms, coalesce(d.silent, 0), coalesce(r.silent, 0) FROM cell_day AS d "
    "FULL JOIN real AS r USING (upstream, downstream, day_ms) "
    "WHERE coalesce(d.silent, 0) <> coalesce(r.silent, 0) AND NOT (day_ms < ?1 AND "
    "coalesce(d.silent, 0) > coalesce(r.silent, 0)) LIMIT 100"
};
constexpr Query kNowCount{"downstream_count", "SELECT count(*) FROM downstream_now"};
constexpr Query kNow{
    "downstreams_now",
    "WITH real (upstream, downstream, pending, running) AS (SELECT upstream, downstream, "
    "sum(pending), sum(running) FROM (SELECT upstream, downstream, CASE WHEN state = 'pending' "
    "THEN 1 ELSE 0 END AS pending, 0 AS running FROM dispatch UNION ALL SELECT upstream, "
    "downstream, 0, CASE WHEN counts = 1 AND status = 'in_progress' THEN 1 ELSE 0 END FROM "
    "job) AS each GROUP BY 1, 2) SELECT downstream, coalesce(d.pending, 0), "
    "coalesce(d.running, 0), coalesce(r.pending, 0), coalesce(r.running, 0) FROM downstream_now AS "
    "d FULL JOIN real AS r USING (upstream, downstream) WHERE (d.pending, d.running) IS DISTINCT "
    "FROM (coalesce(r.pending, 0), coalesce(r.running, 0)) LIMIT 100"
};

void note_days(Connection& db, Checked& checked, const Query& query, const char* by) {
    auto rows = db.rows(query, pruned_until(db));
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "what ended at {} from {} on, {}, does not count the cells that are there",
                rows.view(0),
                rows.integer(1),
                by
            )
        );
    }
}

} // namespace

Checked check_cells(Connection& db) {
    Checked checked{.what = "cells", .count = number_of(db, kCellCount), .findings = {}};
    {
        auto rows = db.rows(kOutsideCells);
        while (rows.next()) {
            note(checked, fmt::format("job {} counts, and is not in its cell", rows.integer(0)));
        }
    }
    {
        auto rows = db.rows(kStrays);
        if (rows.next() && rows.integer(0) > rows.integer(1)) {
            note(
                checked,
                fmt::format(
                    "{} attempts are in cells, and {} count", rows.integer(0), rows.integer(1)
                )
            );
        }
    }
    {
        auto rows = db.rows(kCells);
        while (rows.next()) {
            note(
                checked,
                fmt::format(
                    "cell {} ({} {}) is kept as {}, counted {}, or some of its numbers differ",
                    rows.integer(0),
                    rows.view(1),
                    rows.view(2),
                    rows.view(3),
                    rows.view(4)
                )
            );
        }
    }
    auto rows = db.rows(kGridRows);
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "row {} of the grid ({} at {}) does not count its cells",
                rows.integer(0),
                rows.view(1),
                rows.view(2)
            )
        );
    }
    return checked;
}

Checked check_days(Connection& db) {
    Checked checked{.what = "days", .count = number_of(db, kDayCount), .findings = {}};
    note_days(db, checked, kCellDays, "all together");
    note_days(db, checked, kJobDays, "by job");
    auto rows = db.rows(kSilentDays, pruned_until(db));
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "silent at {} from {} on is kept as {}, counted {}",
                rows.view(0),
                rows.integer(1),
                rows.integer(2),
                rows.integer(3)
            )
        );
    }
    return checked;
}

Checked check_downstreams(Connection& db) {
    Checked checked{.what = "downstreams", .count = number_of(db, kNowCount), .findings = {}};
    auto rows = db.rows(kNow);
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "{} is kept with {} pending and {} running, counted {} and {}",
                rows.view(0),
                rows.integer(1),
                rows.integer(2),
                rows.integer(3),
                rows.integer(4)
            )
        );
    }
    return checked;
}

} // namespace baton::store::sql
