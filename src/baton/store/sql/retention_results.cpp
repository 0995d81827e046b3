// Results whose time is over: jobs with all that hangs from them, then dispatches. Roll-ups stay as
// they are, because the triggers that count what is taken back look at `leaving` first.

#include "baton/base/time.hpp"
#include "baton/ports/retention.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verbs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kJobsAfter{
    "jobs_after",
    "SELECT id, coalesce(completed_at_ms, started_at_ms) FROM job WHERE id > ?1 ORDER BY id LIMIT "
    "?2"
};
constexpr Query kDispatchesAfter{
    "dispatches_after", "SELECT id, created_at_ms FROM dispatch WHERE id > ?1 ORDER BY id LIMIT ?2"
};

// A commit at a downstream goes as a whole: its cells say what all their attempts say together.
constexpr Query kLeave{
    "results_leave",
    "INSERT INTO leaving (job) SELECT m.job FROM cell AS c CROSS JOIN cell_job AS m ON m.cell = "
    "c.id WHERE c.grid_row IN (SELECT g.id FROM job AS j CROSS JOIN grid_row AS g ON g.upstream = "
    "j.upstream AND g.head_sha = j.head_sha AND g.event_type = j.event_type AND g.downstream = "
    "j.downstream WHERE j.id > ?1 AND j.id <= ?2 AND j.counts = 1 "
    "AND NOT EXISTS (SELECT 1 FROM cell AS young WHERE young.grid_row = g.id AND (young.running > "
    "0 OR young.last_at_ms >= ?3)) "
    "AND NOT EXISTS (SELECT 1 FROM pull_request AS p WHERE p.upstream = g.upstream AND p.number = "
    "g.pr_number AND p.head_sha = g.head_sha AND (p.open = 1 OR coalesce(p.closed_at_ms, "
    "p.updated_at_ms) >= ?3)) "
    "AND NOT EXISTS (SELECT 1 FROM cell AS told CROSS JOIN cell_job AS t ON t.cell = told.id CROSS "
    "JOIN outbox AS o ON o.job = t.job WHERE told.grid_row = g.id AND o.state = 'waiting'))"
};
// What does not count is in no cell.
constexpr Query kLeaveUncounted{
    "uncounted_leave",
    "INSERT INTO leaving (job) SELECT j.id FROM job AS j WHERE j.id > ?1 AND j.id <= ?2 AND "
    "j.counts = 0 AND j.completed_at_ms < ?3 "
    "AND NOT EXISTS (SELECT 1 FROM pull_request AS p WHERE p.upstream = j.upstream AND p.number = "
    "j.pr_number AND p.head_sha = j.head_sha AND (p.open = 1 OR coalesce(p.closed_at_ms, "
    "p.updated_at_ms) >= ?3)) "
    "AND NOT EXISTS (SELECT 1 FROM outbox AS o WHERE o.job = j.id AND o.state = 'waiting')"
};

constexpr Query kDropAttributions{
    "leave_attributions",
    "DELETE FROM attribution WHERE cell IN (SELECT m.cell FROM leaving AS l CROSS JOIN cell_job AS "
    "m ON m.job = l.job WHERE l.job > 0)"
};
constexpr Query kDropFlakes{
    "leave_flakes",
    "DELETE FROM flaky_cell WHERE cell IN (SELECT m.cell FROM leaving AS l CROSS JOIN cell_job AS "
    "m ON m.job = l.job WHERE l.job > 0)"
};
constexpr Query kDropAttempts{
    "leave_cells_attempts",
    "DELETE FROM cell_job WHERE job IN (SELECT job FROM leaving WHERE job > 0)"
};
constexpr Query kDropCells{
    "leave_cells",
    "DELETE FROM cell WHERE id IN (SELECT c.id FROM leaving AS l CROSS JOIN job AS j ON j.id = "
    "l.job CROSS JOIN grid_row AS g ON g.upstream = j.upstream AND g.head_sha = j.head_sha AND "
    "g.event_type = j.event_type AND g.downstream = j.downstream CROSS JOIN cell AS c ON "
    "c.grid_row = g.id AND c.workflow = j.workflow AND c.job_name = j.job_name WHERE l.job > 0) "
    "AND NOT EXISTS (SELECT 1 FROM cell_job AS m WHERE m.cell = cell.id)"
};
constexpr Query kDropGridRows{
    "leave_grid",
    "DELETE FROM grid_row WHERE id IN (SELECT g.id FROM leaving AS l CROSS JOIN job AS j ON j.id = "
    "l.job CROSS JOIN grid_row AS g ON g.upstream = j.upstream AND g.head_sha = j.head_sha AND "
    "g.event_type = j.event_type AND g.downstream = j.downstream WHERE l.job > 0) "
    "AND NOT EXISTS (SELECT 1 FROM cell AS c WHERE c.grid_row = grid_row.id)"
};
constexpr Query kDropTests{
    "leave_failed_tests",
    "DELETE FROM failed_test WHERE job IN (SELECT job FROM leaving WHERE job > 0)"
};
constexpr Query kDropValues{
    "leave_benchmarks",
    "DELETE FROM benchmark_value WHERE job IN (SELECT job FROM leaving WHERE job > 0)"
};
// Dead ones: nobody has asked for them since. What waits keeps its job.
constexpr Query kDropLetters{
    "leave_letters", "DELETE FROM outbox WHERE job IN (SELECT job FROM leaving WHERE job > 0)"
};
constexpr Query kDropJobs{
    "leave_jobs", "DELETE FROM job WHERE id IN (SELECT job FROM leaving WHERE job > 0)"
};
constexpr Query kLeft{"results_left", "DELETE FROM leaving WHERE job > 0"};

constexpr Query kPruneDispatches{
    "prune_dispatches",
    "DELETE FROM dispatch WHERE id > ?1 AND id <= ?2 AND state <> 'pending' AND created_at_ms < ?3 "
    "AND coalesce(sent_at_ms, created_at_ms) < ?3 AND coalesce(silent_at_ms, created_at_ms) < ?3 "
    "AND NOT EXISTS (SELECT 1 FROM job AS j WHERE j.dispatch = dispatch.id) "
    "AND NOT EXISTS (SELECT 1 FROM pull_request AS p WHERE p.upstream = dispatch.upstream AND "
    "p.number = dispatch.pr_number AND p.head_sha = dispatch.head_sha AND (p.open = 1 OR "
    "coalesce(p.closed_at_ms, p.updated_at_ms) >= ?3))"
};

constexpr Query kMark{
    "results_pruned_until",
    "INSERT INTO retention (one, results_until_ms) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET "
    "results_until_ms = excluded.results_until_ms WHERE excluded.results_until_ms > "
    "retention.results_until_ms"
};
constexpr Query kUntil{"results_until", "SELECT results_until_ms FROM retention WHERE one = 1"};

/// The rows that one step looks at.
struct Stretch {
    std::int64_t last{0};
    std::size_t count{0};
    bool any_old{false};
};

Stretch stretch_after(
    Connection& db, const Query& rows_after, const ports::PruneQuery& query, TimePoint cut
) {
    Stretch stretch{.last = query.after};
    auto rows = db.rows(rows_after, query.after, query.limit);
    while (rows.next()) {
        stretch.last = rows.integer(0);
        ++stretch.count;
        stretch.any_old = stretch.any_old || rows.time(1) < cut;
    }
    return stretch;
}

ports::PruneStep step_to(
    Connection& db, const Stretch& stretch, std::size_t limit, std::int64_t removed, TimePoint cut
) {
    if (removed > 0) {
        db.run(kMark, cut);
    }
    ports::PruneStep step{.removed = static_cast<std::size_t>(removed), .next = std::nullopt};
    if (stretch.count == limit) {
        step.next = stretch.last;
    }
    return step;
}

} // namespace

ports::PruneStep prune_results(Connection& db, const ports::PruneQuery& query) {
    const TimePoint cut = query.now - query.keep_for;
    const auto stretch = stretch_after(db, kJobsAfter, query, cut);
    if (!stretch.any_old) {
        return {}; // everything after is newer still
    }
    const auto leave = db.change(kLeave, query.after, stretch.last, cut) +
                       db.change(kLeaveUncounted, query.after, stretch.last, cut);
    if (leave > 0) {
        constexpr std::array kInOrder{
            &kDropAttributions,
            &kDropFlakes,
            &kDropAttempts,
            &kDropCells,
            &kDropGridRows,
            &kDropTests,
            &kDropValues,
            &kDropLetters,
            &kDropJobs,
            &kLeft
        };
        for (const auto* query_of : kInOrder) {
            db.run(*query_of);
        }
    }
    return step_to(db, stretch, query.limit, leave, cut);
}

ports::PruneStep prune_dispatches(Connection& db, const ports::PruneQuery& query) {
    const TimePoint cut = query.now - query.keep_for;
    const auto stretch = stretch_after(db, kDispatchesAfter, query, cut);
    if (!stretch.any_old) {
        return {};
    }
    const auto removed = db.change(kPruneDispatches, query.after, stretch.last, cut);
    return step_to(db, stretch, query.limit, removed, cut);
}

std::optional<TimePoint> results_until(Connection& db) {
    auto rows = db.rows(kUntil);
    return rows.next() ? std::optional(rows.time(0)) : std::nullopt;
}

} // namespace baton::store::sql::verbs
