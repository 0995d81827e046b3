#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/views.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace baton::store::sql::views {

namespace {

constexpr Query kEverybody{
    "view_everybody",
    "SELECT upstream, downstream FROM downstream_now WHERE upstream > '' "
    "ORDER BY upstream, downstream"
};
constexpr Query kDayTimes{
    "view_day_times",
    "SELECT completed_at_ms, completed_at_ms - started_at_ms, queue_ms FROM job INDEXED BY "
    "job_time WHERE upstream = ?1 AND downstream = ?2 AND completed_at_ms >= ?3 AND "
    "completed_at_ms < ?4 AND counts = 1 AND said_by = 'downstream' ORDER BY completed_at_ms"
};
constexpr Query kDaysOfJob{
    "view_days_of_job",
    "SELECT success, flaky, failure, timed_out, no_signal, first_passed, first_conclusive, "
    "executed_passed, executed, day_ms FROM job_day WHERE upstream = ?1 AND downstream = ?2 AND "
    "day_ms = ?3 AND workflow = ?4 AND job_name = ?5 AND executed > 0"
};
constexpr Query kRowsOfEvent{
    "view_rows_of_event",
    "SELECT id, pr_number, head_sha, last_at_ms FROM grid_row INDEXED BY grid_row_newest WHERE "
    "upstream = ?1 AND downstream = ?2 AND event_type = ?3 AND id < ?4 ORDER BY id DESC LIMIT ?5"
};
constexpr Query kCellOfRow{
    "view_cell_of_row",
    "SELECT c.outcome, c.executed + c.running, c.newest_job, j.queue_ms, "
    "j.completed_at_ms - j.started_at_ms FROM cell AS c CROSS JOIN job AS j ON j.id = c.newest_job "
    "WHERE c.grid_row = ?1 AND c.workflow = ?2 AND c.job_name = ?3"
};

std::optional<Millis> span_in(const Rows& row, int column) {
    const auto span = row.maybe_integer(column);
    return span ? std::optional(Millis(*span)) : std::nullopt;
}

} // namespace

std::vector<ports::DaysView> all_days(Connection& db, const ports::ViewWindow& window) {
    std::vector<ports::DaysView> all;
    auto rows = db.rows(kEverybody);
    while (rows.next()) {
        ports::DaysView view{
            .upstream = repo_name(rows.view(0)), .downstream = repo_name(rows.view(1)), .days = {}
        };
        const ports::DownstreamQuery about{
            .upstream = view.upstream, .downstream = view.downstream, .window = window
        };
        view.days = days(db, about);
        if (!view.days.empty()) {
            all.push_back(std::move(view));
        }
    }
    return all;
}

std::vector<ports::DayTimes> day_times(Connection& db, const ports::DownstreamQuery& query) {
    std::vector<ports::DayTimes> found;
    auto rows = db.rows(
        kDayTimes,
        query.upstream.text(),
        query.downstream.text(),
        query.window.from,
        query.window.until
    );
    while (rows.next()) {
        const TimePoint day = std::chrono::floor<std::chrono::days>(rows.time(0));
        if (found.empty() || found.back().day != day) {
            found.push_back({.day = day, .times = {}});
        }
        auto& times = found.back().times;
        if (const auto run = span_in(rows, 1)) {
            times.run.push_back(*run);
        }
        if (const auto queue = span_in(rows, 2)) {
            times.queue.push_back(*queue);
        }
    }
    return found;
}

std::vector<ports::DayView>
job_days(Connection& db, const ports::JobQuery& about, const ports::ViewWindow& window) {
    std::vector<ports::DayView> found;
    for (auto day = window.from; day < window.until; day += std::chrono::days(1)) {
        auto rows = db.rows(
            kDaysOfJob,
            about.upstream.text(),
            about.downstream.text(),
            day,
            about.workflow,
            about.job
        );
        if (rows.next()) {
            found.push_back({.day = rows.time(9), .ended = ended_in(rows), .silent = 0});
        }
    }
    return found;
}

ports::JobHistoryPage job_history(Connection& db, const ports::JobHistoryQuery& query) {
    ports::JobHistoryPage page;
    const auto& about = query.about;
    auto rows = db.rows(
        kRowsOfEvent,
        about.upstream.text(),
        about.downstream.text(),
        query.event_type,
        query.before.value_or(std::numeric_limits<std::int64_t>::max()),
        ports::kJobHistoryWalk
    );
    std::size_t walked = 0;
    while (page.rows.size() < query.limit && rows.next()) {
        ++walked;
        const auto id = rows.integer(0);
        auto cells = db.rows(kCellOfRow, id, about.workflow, about.job);
        if (cells.next()) {
            page.rows.push_back({
                .pr = pr_in(rows, 1),
                .head = HeadSha(rows.text(2)),
                .at = rows.time(3),
                .outcome = domain::cell_outcome_named(cells.view(0))
                               .value_or(domain::CellOutcome::running),
                .attempts = count_in(cells, 1),
                .newest = JobId{cells.integer(2)},
                .queue = span_in(cells, 3),
                .run = span_in(cells, 4),
            });
        }
        page.next = id;
    }
    if (page.rows.size() < query.limit && walked < ports::kJobHistoryWalk) {
        page.next = std::nullopt;
    }
    return page;
}

} // namespace baton::store::sql::views
