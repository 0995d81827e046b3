#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/views.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql::views {

namespace {

// As many as there ever were downstreams.
constexpr Query kDownstreams{
    "view_downstreams",
    "SELECT upstream, downstream, pending, running, last_sent_at_ms, last_result_at_ms "
    "FROM downstream_now WHERE upstream > '' ORDER BY upstream, downstream"
};
constexpr Query kEnded{
    "view_ended",
    "SELECT sum(success), sum(flaky), sum(failure), sum(timed_out), sum(no_signal), "
    "sum(first_passed), sum(first_conclusive), sum(executed_passed), sum(executed), sum(silent), "
    "sum(excused) FROM cell_day WHERE upstream = ?1 AND downstream = ?2 AND day_ms >= ?3 AND "
    "day_ms < ?4"
};
// A day on which everything was taken back is a day without anything.
constexpr Query kDays{
    "view_days",
    "SELECT success, flaky, failure, timed_out, no_signal, first_passed, first_conclusive, "
    "executed_passed, executed, silent, day_ms, excused FROM cell_day WHERE upstream = ?1 AND "
    "downstream = ?2 AND day_ms >= ?3 AND day_ms < ?4 AND (executed > 0 OR silent > 0) "
    "ORDER BY day_ms"
};
constexpr Query kJobDays{
    "view_job_days",
    "SELECT success, flaky, failure, timed_out, no_signal, first_passed, first_conclusive, "
    "executed_passed, executed, workflow, job_name FROM job_day WHERE upstream = ?1 AND "
    "downstream = ?2 AND day_ms >= ?3 AND day_ms < ?4 AND executed > 0 ORDER BY day_ms, "
    "workflow, job_name"
};
constexpr Query kTimes{
    "view_times",
    "SELECT completed_at_ms - started_at_ms, queue_ms FROM job INDEXED BY job_time WHERE "
    "upstream = ?1 AND downstream = ?2 AND completed_at_ms >= ?3 AND completed_at_ms < ?4 AND "
    "counts = 1 AND said_by = 'downstream' ORDER BY completed_at_ms"
};

bool is_known_in(const ports::DownstreamView& view, const ports::ViewWindow& window) {
    const auto since = [&window](const std::optional<TimePoint>& when) {
        return when && *when >= window.from;
    };
    return view.ended.executed > 0 || view.silent > 0 || view.pending > 0 || view.running > 0 ||
           since(view.last_result_at) || since(view.last_sent_at);
}

} // namespace

std::vector<ports::DownstreamView> downstreams(Connection& db, const ports::ViewWindow& window) {
    std::vector<ports::DownstreamView> known;
    auto rows = db.rows(kDownstreams);
    while (rows.next()) {
        ports::DownstreamView view{
            .upstream = repo_name(rows.view(0)),
            .downstream = repo_name(rows.view(1)),
            .ended = {},
            .silent = 0,
            .running = count_in(rows, 3),
            .pending = count_in(rows, 2),
            .last_result_at = rows.maybe_time(5),
            .last_sent_at = rows.maybe_time(4),
        };
        auto sums = db.rows(
            kEnded, view.upstream.text(), view.downstream.text(), window.from, window.until
        );
        if (sums.next()) {
            view.ended = ended_in(sums);
            view.silent = count_in(sums, 9);
            view.ended.excused = count_in(sums, 10);
        }
        if (is_known_in(view, window)) {
            known.push_back(std::move(view));
        }
    }
    return known;
}

std::vector<ports::DayView> days(Connection& db, const ports::DownstreamQuery& query) {
    std::vector<ports::DayView> found;
    auto rows = db.rows(
        kDays, query.upstream.text(), query.downstream.text(), query.window.from, query.window.until
    );
    while (rows.next()) {
        auto ended = ended_in(rows);
        ended.excused = count_in(rows, 11);
        found.push_back({.day = rows.time(10), .ended = ended, .silent = count_in(rows, 9)});
    }
    return found;
}

std::vector<ports::JobNameView> job_names(Connection& db, const ports::DownstreamQuery& query) {
    std::map<std::pair<std::string, std::string>, domain::Ended> by_name;
    auto rows = db.rows(
        kJobDays,
        query.upstream.text(),
        query.downstream.text(),
        query.window.from,
        query.window.until
    );
    while (rows.next()) {
        auto& sum = by_name[{rows.text(9), rows.text(10)}];
        sum = sum + ended_in(rows);
    }
    std::vector<ports::JobNameView> found;
    for (const auto& [name, ended] : by_name) {
        found.push_back({.workflow = name.first, .job = name.second, .ended = ended});
    }
    return found;
}

ports::TimesView times(Connection& db, const ports::DownstreamQuery& query) {
    ports::TimesView samples;
    auto rows = db.rows(
        kTimes,
        query.upstream.text(),
        query.downstream.text(),
        query.window.from,
        query.window.until
    );
    while (rows.next()) {
        if (const auto run = rows.maybe_integer(0)) {
            samples.run.emplace_back(*run);
        }
        if (const auto queue = rows.maybe_integer(1)) {
            samples.queue.emplace_back(*queue);
        }
    }
    return samples;
}

} // namespace baton::store::sql::views
