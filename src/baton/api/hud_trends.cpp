#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/nightly.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/hud/suites.hpp"
#include "baton/hud/trends.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

json::value spread_json(const std::optional<domain::Spread>& spread) {
    return spread ? json::value(json_of(*spread)) : json::value(nullptr);
}

json::value id_json(std::optional<JobId> job) {
    return job ? json::value(static_cast<std::int64_t>(*job)) : json::value(nullptr);
}

// --- trends

json::object trend_day_json(const hud::TrendDay& day) {
    return {
        {"day", date_of(day.day)},
        {"cells", json_of(day.ended.cells)},
        {"rates", json_of(domain::rates_of(day.ended))},
        {"silent", day.silent},
        {"queue", spread_json(day.queue)},
        {"run", spread_json(day.run)},
    };
}

json::object trend_line_json(const hud::TrendLine& line) {
    return {
        {"upstream", line.upstream.text()},
        {"repo", line.repo.text()},
        {"level", domain::name_of(line.level)},
        {"rate", json_of(domain::rates_of(line.ended).final_attempt)},
        {"before", json_of(line.before)},
        {"change", json_of(line.change)},
        {"cells", json_of(line.ended.cells)},
        {"silent", line.silent},
    };
}

// --- nightlies

json::object nightly_day_json(const hud::NightlyDay& day) {
    return {
        {"day", date_of(day.day)},
        {"outcome", day.standing ? hud::name_of(*day.standing) : "missed"},
        {"event_type", day.event_type},
        {"runs", day.runs},
        {"missed", day.missed},
        {"sha", day.head.text()},
        {"job", id_json(day.failed)},
        {"cells", json_of(day.cells)},
    };
}

json::object nightly_line_json(const hud::NightlyLine& nightly) {
    const auto& listed = nightly.line.listed;
    json::object written{
        {"upstream", nightly.line.upstream.text()},
        {"repo", listed.repo.text()},
        {"device", listed.device},
        {"schedule", listed.schedule},
        {"next_at", json_of(nightly.next)},
        {"missed", nightly.missed_ever},
        {"passed", nightly.passed},
        {"ran", nightly.ran},
        {"days", array_of(nightly.days, nightly_day_json)},
    };
    put_levels(written, listed.level, listed.lowered_from);
    return written;
}

/// Whole weeks that end with this one: from Monday, and until Monday.
Result<ports::ViewWindow> weeks_of(const HudQuery& query, TimePoint now) {
    constexpr std::int64_t kWeeks = 6;
    constexpr std::int64_t kWeeksMax = 26;
    BATON_TRY(const auto wanted, query.number("weeks"));
    const auto weeks = wanted.value_or(kWeeks);
    if (weeks < 1 || weeks > kWeeksMax) {
        return fail(Errc::invalid, fmt::format("weeks must be between 1 and {}", kWeeksMax));
    }
    const auto today = std::chrono::floor<std::chrono::days>(now);
    const auto monday = today - (std::chrono::weekday(today) - std::chrono::Monday);
    const auto until = monday + std::chrono::days(7);
    return ports::ViewWindow{.from = until - std::chrono::days(7 * weeks), .until = until};
}

// --- one job

json::object history_row_json(const ports::JobHistoryRow& row) {
    return {
        {"number", number_or_null(row.pr)},
        {"sha", row.head.text()},
        {"at", to_rfc3339(row.at)},
        {"outcome", domain::name_of(row.outcome)},
        {"attempts", row.attempts},
        {"job", static_cast<std::int64_t>(row.newest)},
        {"queue_ms", json_of(row.queue)},
        {"run_ms", json_of(row.run)},
    };
}

// --- suites

json::object suite_column_json(const hud::SuiteColumn& column) {
    const bool ran = !column.run.head.empty();
    return {
        {"device", column.line.listed.device},
        {"repo", column.line.listed.repo.text()},
        {"level", domain::name_of(domain::listed_level(column.line.listed))},
        {"sha", column.run.head.text()},
        {"at", json_of(ran ? std::optional(column.run.at) : std::nullopt)},
    };
}

json::object suite_row_json(const hud::SuiteTable& table, const hud::SuiteRow& row) {
    json::array cells;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const auto& cell = row.cells[i];
        const auto& listed = table.columns[i].line.listed;
        cells.push_back(json::object{
            {"device", listed.device},
            {"repo", listed.repo.text()},
            {"outcome",
             cell.standing ? json::value(hud::name_of(*cell.standing)) : json::value(nullptr)},
            {"jobs", cell.jobs},
            {"failed_jobs", cell.failed_jobs},
            {"tests", cell.tests ? json::value(json_of(*cell.tests)) : json::value(nullptr)},
            {"job", id_json(cell.worst)},
        });
    }
    return {{"suite", row.suite}, {"cells", std::move(cells)}};
}

} // namespace

Answer trends(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto window, query.window(around->clock.now()));
    BATON_CO_TRY(auto upstream, upstream_in(query, around));
    BATON_CO_TRY(const auto downstream, query.repository("downstream"));
    BATON_CO_TRY(
        const auto found,
        co_await around->desk.trends(std::move(window), std::move(upstream), downstream)
    );
    const auto whose = downstream ? json::value(downstream->text()) : json::value(nullptr);
    co_return json::object{
        {"window", json_of(found.window)},
        {"downstream", whose},
        {"days", array_of(found.days, trend_day_json)},
        {"downstreams", array_of(found.lines, trend_line_json)},
    };
}

Answer nightly(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto days, weeks_of(query, around->clock.now()));
    BATON_CO_TRY(auto upstream, upstream_in(query, around));
    BATON_CO_TRY(auto downstream, query.repository("downstream"));
    BATON_CO_TRY(
        const auto found,
        co_await around->desk.nightly(days, std::move(upstream), std::move(downstream))
    );
    co_return json::object{
        {"from", date_of(days.from)},
        {"until", date_of(days.until - std::chrono::days(1))},
        {"lines", array_of(found, nightly_line_json)},
    };
}

Answer job_history(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto repo, query.captured_repo(0));
    BATON_CO_TRY(const auto upstream, upstream_in(query, around));
    BATON_CO_TRY(const auto window, query.window(around->clock.now()));
    ports::JobHistoryQuery wanted;
    BATON_CO_TRY(wanted.about.workflow, query.needed("workflow"));
    wanted.about.job = query.text("job");
    BATON_CO_TRY(wanted.event_type, query.event_type());
    BATON_CO_TRY(wanted.limit, query.limit());
    BATON_CO_TRY(wanted.before, query.number("cursor"));
    BATON_CO_TRY(auto pairing, around->desk.listed(repo, upstream));
    wanted.about.upstream = std::move(pairing.upstream);
    wanted.about.downstream = std::move(pairing.downstream);
    BATON_CO_TRY(const auto days, co_await around->views.job_days(wanted.about, window.days));
    BATON_CO_TRY(const auto page, co_await around->views.job_history(wanted));
    if (days.empty() && page.rows.empty() && !page.next && !wanted.before) {
        co_return fail(
            Errc::not_found, fmt::format("{} told of no such job", wanted.about.downstream.text())
        );
    }
    domain::Ended ended;
    for (const auto& day : days) {
        ended = ended + day.ended;
    }
    ports::TimesView times;
    for (const auto& row : page.rows) {
        if (row.queue) {
            times.queue.push_back(*row.queue);
        }
        if (row.run) {
            times.run.push_back(*row.run);
        }
    }
    auto rates = json_of(domain::rates_of(ended));
    rates["adjusted"] = nullptr; // whose failure it is is counted by downstream, not by job
    co_return json::object{
        {"upstream", wanted.about.upstream.text()},
        {"repo", wanted.about.downstream.text()},
        {"workflow", wanted.about.workflow},
        {"job", wanted.about.job},
        {"event_type", wanted.event_type},
        {"window", json_of(window)},
        {"cells", json_of(ended.cells)},
        {"rates", std::move(rates)},
        {"queue", json_of(domain::spread_of(std::move(times.queue)))},
        {"run", json_of(domain::spread_of(std::move(times.run)))},
        {"days", array_of(days)},
        {"rows", array_of(page.rows, history_row_json)},
        {"next", cursor_behind(page.next.has_value(), fmt::to_string(page.next.value_or(0)))},
    };
}

Answer suites(Around around, net::Request request) {
    const HudQuery query(request);
    ports::SuiteQuery wanted;
    BATON_CO_TRY(const auto upstream, upstream_in(query, around));
    if (!upstream && around->upstreams.empty()) {
        co_return fail(Errc::not_found, "this relay has no upstream yet");
    }
    wanted.upstream = upstream ? *upstream : around->upstreams.front();
    wanted.event_type = "nightly";
    if (!query.text("event").empty()) {
        BATON_CO_TRY(wanted.event_type, query.event_type());
    }
    BATON_CO_TRY(const auto sha, query.sha());
    wanted.head = sha.text();
    BATON_CO_TRY(const auto table, co_await around->desk.suites(wanted));
    json::array rows;
    for (const auto& row : table.rows) {
        rows.push_back(suite_row_json(table, row));
    }
    co_return json::object{
        {"upstream", wanted.upstream.text()},
        {"event_type", wanted.event_type},
        {"sha", wanted.head},
        {"columns", array_of(table.columns, suite_column_json)},
        {"rows", std::move(rows)},
    };
}

} // namespace baton::api
