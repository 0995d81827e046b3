#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/views.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::views {

namespace {

constexpr std::array<std::string_view, 2> kByTheClock{"nightly", "periodic"};
constexpr std::size_t kSelfReportsMax = 1'000; // of one event type, the newest

constexpr Query kScheduled{
    "view_scheduled",
    "SELECT created_at_ms, event_type, head_sha, state, silent_at_ms FROM dispatch INDEXED BY "
    "dispatch_scheduled WHERE upstream = ?1 AND downstream = ?2 AND created_at_ms >= ?3 AND "
    "created_at_ms < ?4 AND event_type IN ('nightly', 'periodic') ORDER BY created_at_ms, id"
};
constexpr Query kRowOfHead{
    "view_row_of_head",
    "SELECT id, success, flaky, failure, timed_out, neutral, cancelled, skipped, action_required, "
    "running FROM grid_row WHERE upstream = ?1 AND head_sha = ?2 AND event_type = ?3 AND "
    "downstream = ?4"
};
constexpr Query kRowsByTheClock{
    "view_rows_by_the_clock",
    "SELECT id, success, flaky, failure, timed_out, neutral, cancelled, skipped, action_required, "
    "running, head_sha, last_at_ms FROM grid_row INDEXED BY grid_row_newest WHERE upstream = ?1 "
    "AND downstream = ?2 AND event_type = ?3 ORDER BY id DESC LIMIT ?4"
};
// Of those that failed the newest.
constexpr Query kFailedCell{
    "view_failed_cell",
    "SELECT max(newest_job) FROM cell WHERE grid_row = ?1 AND outcome IN ('failure', 'timed_out')"
};
constexpr Query kMissed{
    "view_missed",
    "SELECT due_ms FROM schedule_missed WHERE upstream = ?1 AND downstream = ?2 AND due_ms >= ?3 "
    "AND due_ms < ?4 ORDER BY due_ms"
};
constexpr Query kMissedEver{
    "view_missed_ever", "SELECT missed FROM schedule WHERE upstream = ?1 AND downstream = ?2"
};
constexpr Query kNewestRun{
    "view_newest_run",
    "SELECT id, head_sha, last_at_ms FROM grid_row INDEXED BY grid_row_newest WHERE upstream = ?1 "
    "AND downstream = ?2 AND event_type = ?3 ORDER BY id DESC LIMIT 1"
};
// Of the commits that begin so the first.
constexpr Query kRunOfHead{
    "view_run_of_head",
    "SELECT id, head_sha, last_at_ms FROM grid_row WHERE upstream = ?1 AND head_sha >= ?4 AND "
    "head_sha < ?4 || 'g' AND event_type = ?3 AND downstream = ?2 ORDER BY head_sha LIMIT 1"
};
constexpr Query kSuiteCells{
    "view_suite_cells",
    "SELECT c.workflow, c.outcome, c.newest_job, j.tests_passed, j.tests_failed, j.tests_skipped, "
    "j.tests_total FROM cell AS c CROSS JOIN job AS j ON j.id = c.newest_job "
    "WHERE c.grid_row = ?1 ORDER BY c.workflow, c.job_name"
};

std::optional<JobId> failed_of(Connection& db, std::int64_t grid_row) {
    auto rows = db.rows(kFailedCell, grid_row);
    const bool failed = rows.next() && !rows.is_null(0);
    return failed ? std::optional(JobId{rows.integer(0)}) : std::nullopt;
}

/// What its jobs say, as far as there are any.
void add_cells(Connection& db, const ports::NightsQuery& query, ports::NightView& run) {
    auto rows = db.rows(
        kRowOfHead, query.upstream.text(), run.head.text(), run.event_type, query.downstream.text()
    );
    if (rows.next()) {
        run.cells = cells_in(rows, 1);
        run.failed = failed_of(db, rows.integer(0));
    }
}

void add_sent(
    Connection& db, const ports::NightsQuery& query, std::vector<ports::NightView>& runs
) {
    auto rows = db.rows(
        kScheduled,
        query.upstream.text(),
        query.downstream.text(),
        query.window.from,
        query.window.until
    );
    while (rows.next()) {
        ports::NightView run{
            .at = rows.time(0),
            .event_type = rows.text(1),
            .head = HeadSha(rows.text(2)),
            .state = domain::dispatch_state_named(rows.view(3)),
            .silent = !rows.is_null(4),
            .cells = {},
            .failed = std::nullopt,
        };
        add_cells(db, query, run);
        runs.push_back(std::move(run));
    }
}

/// What downstreams told of by themselves: commits that the relay sent nothing for.
void add_told(
    Connection& db, const ports::NightsQuery& query, std::vector<ports::NightView>& runs
) {
    std::set<std::pair<std::string, std::string>> sent;
    for (const auto& run : runs) {
        sent.emplace(run.event_type, run.head.text());
    }
    for (const auto event : kByTheClock) {
        auto rows = db.rows(
            kRowsByTheClock, query.upstream.text(), query.downstream.text(), event, kSelfReportsMax
        );
        while (rows.next()) {
            const auto at = rows.time(11);
            if (at < query.window.from || at >= query.window.until ||
                sent.contains({std::string(event), rows.text(10)})) {
                continue;
            }
            runs.push_back({
                .at = at,
                .event_type = std::string(event),
                .head = HeadSha(rows.text(10)),
                .state = std::nullopt,
                .silent = false,
                .cells = cells_in(rows, 1),
                .failed = failed_of(db, rows.integer(0)),
            });
        }
    }
}

std::optional<domain::TestCounts> tests_in(const Rows& row) {
    if (row.is_null(6)) {
        return std::nullopt;
    }
    return domain::TestCounts{
        .passed = row.integer(3),
        .failed = row.integer(4),
        .skipped = row.integer(5),
        .total = row.integer(6),
    };
}

} // namespace

ports::NightsView nights(Connection& db, const ports::NightsQuery& query) {
    ports::NightsView view;
    add_sent(db, query, view.runs);
    add_told(db, query, view.runs);
    std::ranges::sort(view.runs, {}, [](const ports::NightView& run) {
        return std::pair(run.at, run.head);
    });
    const auto& upstream = query.upstream.text();
    const auto& downstream = query.downstream.text();
    auto missed = db.rows(kMissed, upstream, downstream, query.window.from, query.window.until);
    while (missed.next()) {
        view.missed.push_back(missed.time(0));
    }
    auto ever = db.rows(kMissedEver, upstream, downstream);
    if (ever.next()) {
        view.missed_ever = count_in(ever, 0);
    }
    return view;
}

ports::SuiteRun suite_run(Connection& db, const ports::SuiteQuery& query) {
    ports::SuiteRun run;
    const auto& upstream = query.upstream.text();
    const auto& downstream = query.downstream.text();
    auto rows = query.head.empty()
                    ? db.rows(kNewestRun, upstream, downstream, query.event_type)
                    : db.rows(kRunOfHead, upstream, downstream, query.event_type, query.head);
    if (!rows.next()) {
        return run;
    }
    run.head = HeadSha(rows.text(1));
    run.at = rows.time(2);
    auto cells = db.rows(kSuiteCells, rows.integer(0));
    while (cells.next()) {
        run.cells.push_back({
            .suite = cells.text(0),
            .outcome =
                domain::cell_outcome_named(cells.view(1)).value_or(domain::CellOutcome::running),
            .newest = JobId{cells.integer(2)},
            .tests = tests_in(cells),
        });
    }
    return run;
}

} // namespace baton::store::sql::views
