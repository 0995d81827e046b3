// Which lists can be had as files, and how their rows come from the JSON's answers.

#include "baton/api/hud_export_tables.hpp"

#include "baton/api/hud_parts.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

// --- rows of the answers

ExportRows objects_of(json::value& array) {
    ExportRows rows;
    for (auto& one : array.as_array()) {
        rows.push_back(std::move(one.as_object()));
    }
    return rows;
}

ExportRows list_rows(json::object answer) {
    return objects_of(answer["rows"]);
}

ExportRows overview_rows(json::object answer) {
    return objects_of(answer["downstreams"]);
}

ExportRows day_rows(json::object answer) {
    return objects_of(answer["days"]);
}

ExportRows dead_rows(json::object answer) {
    ExportRows rows;
    for (const auto& [list, kind] :
         {std::pair{"dispatches", "dispatch"}, std::pair{"letters", "letter"}}) {
        for (auto& row : objects_of(answer[list])) {
            row["kind"] = kind;
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

/// One row for each job of each commit, for the jobs of a page are other ones than those of the
/// next.
ExportRows grid_rows(json::object answer) {
    ExportRows rows;
    const auto& columns = answer["columns"].as_array();
    for (const auto& commit : answer["rows"].as_array()) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (commit.at("cells").at(i).is_null()) {
                continue;
            }
            rows.push_back({
                {"number", commit.at("number")},
                {"sha", commit.at("sha")},
                {"event_type", commit.at("event_type")},
                {"at", commit.at("at")},
                {"workflow", columns[i].at("workflow")},
                {"job", columns[i].at("job")},
                {"outcome", commit.at("cells").at(i)},
                {"attempts", commit.at("attempts").at(i)},
                {"job_id", commit.at("jobs").at(i)},
            });
        }
    }
    return rows;
}

/// As many lines as the row has of these, and one without any.
ExportRows one_for_each(json::object row, std::string_view of) {
    ExportRows lines;
    for (const auto& one : row.at(of).as_array()) {
        auto line = row;
        line[of] = one;
        lines.push_back(std::move(line));
    }
    if (lines.empty()) {
        row[of] = nullptr;
        lines.push_back(std::move(row));
    }
    return lines;
}

ExportRows pull_cells(json::object row) {
    return one_for_each(std::move(row), "backends");
}

ExportRows release_cells(json::object row) {
    return one_for_each(std::move(row), "releases");
}

ExportRows cluster_cells(json::object row) {
    return one_for_each(std::move(row), "downstreams");
}

/// The ids of rules in one cell; figures are not for a table.
ExportRows move_cells(json::object row) {
    std::string rules;
    for (const auto& rule : row.at("rules").as_array()) {
        rules += rules.empty() ? "" : " ";
        rules += rule.as_string();
    }
    row["rules"] = rules;
    return {std::move(row)};
}

// --- the tables

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> all;
    while (!text.empty()) {
        all.push_back(text.substr(0, text.find(' ')));
        text.remove_prefix(std::min(all.back().size() + 1, text.size()));
    }
    return all;
}

std::vector<ExportTable> lists() {
    return {
        {"/api/v1/pulls",
         pulls,
         words("upstream state author standing level"),
         true,
         list_rows,
         words("upstream number title open draft author head updated_at backends.repo "
               "backends.level backends.outcome"),
         pull_cells},
        {"/api/v1/deliveries",
         deliveries,
         words("event number state"),
         true,
         list_rows,
         words("sequence id event action repository number sha received_at state body_bytes worst")
        },
        {"/api/v1/dead",
         dead,
         words("downstream reason kind"),
         true,
         dead_rows,
         words("kind id downstream upstream delivery state reason created_at attempts number "
               "event_type sink lane died_at detail")},
        {"/api/v1/refused",
         refused,
         words("downstream reason"),
         true,
         list_rows,
         words("id at first_at downstream status reason detail hint delivery count")},
        {"/api/v1/audit",
         audit,
         words("action"),
         true,
         list_rows,
         words("id at action actor subject reason detail")},
    };
}

std::vector<ExportTable> level_tables() {
    return {
        {"/api/v1/levels",
         levels,
         words("upstream"),
         false,
         list_rows,
         words("upstream repo device level effective_level state since as_of reason violated "
               "insufficient frozen next_level met asked ready_for proposal.to proposal.since "
               "proposal.pull_request "
               "earliest forecast tenure_days")},
        {"/api/v1/levels/transitions",
         level_transitions,
         words("upstream downstream"),
         true,
         list_rows,
         words("id at as_of upstream downstream move from_state to_state from_level to_level rules "
               "reason digest profile actor pull_request"),
         move_cells},
    };
}

/// Beside its page, as its other twins, and where all tables are.
std::vector<ExportTable> quality_tables() {
    std::vector<ExportTable> tables;
    for (const std::string_view path : {"/quality", "/api/v1/quality"}) {
        tables.push_back(
            {path,
             quality,
             {},
             false,
             list_rows,
             words("id name vendor class os device repo downstream set version documented stale "
                   "trend.since trend.ranks trend.proven due overdue releases.release "
                   "releases.grade releases.rank releases.proven releases.potential releases.max "
                   "releases.exempt releases.p0.met releases.p0.total releases.reading_sensitive "
                   "releases.status releases.assessed_on releases.documented "
                   "releases.decision.level releases.expired releases.errors releases.warnings"),
             release_cells}
        );
    }
    return tables;
}

std::vector<ExportTable> failure_tables() {
    return {
        {"/api/v1/clusters",
         clusters,
         words("window upstream downstream"),
         true,
         list_rows,
         words("id upstream signature test message tests failures pulls.n on_base first_seen "
               "last_seen verdict downstreams.repo downstreams.level downstreams.failures "
               "downstreams.first_seen downstreams.last_seen"),
         cluster_cells},
        {"/api/v1/flaky",
         flaky,
         words("window upstream downstream"),
         true,
         list_rows,
         words("upstream downstream level workflow job flaky n rate.value rate.low rate.high "
               "rate.few")},
    };
}

std::vector<ExportTable> downstream_tables() {
    return {
        {"/api/v1/overview",
         overview,
         words("window upstream"),
         false,
         overview_rows,
         words("upstream repo level effective_level device gate paused_until suspended "
               "rates.final.value rates.final.n rates.final.low rates.final.high rates.final.few "
               "rates.first_attempt.value rates.first_attempt.n rates.compat.value rates.compat.n "
               "cells.success cells.flaky cells.failure cells.timed_out cells.no_signal silent "
               "pending running last_result_at last_sent_at trouble")},
        {"/api/v1/downstreams/{}/{}/grid",
         grid,
         words("upstream event"),
         true,
         grid_rows,
         words("number sha event_type at workflow job outcome attempts job_id")},
        {"/api/v1/downstreams/{}/{}/days",
         downstream,
         words("window upstream"),
         false,
         day_rows,
         words("day cells.success cells.flaky cells.failure cells.timed_out cells.no_signal "
               "rate.value rate.n rate.low rate.high rate.few silent")},
    };
}

} // namespace

std::vector<ExportTable> export_tables() {
    auto all = lists();
    std::ranges::move(downstream_tables(), std::back_inserter(all));
    std::ranges::move(failure_tables(), std::back_inserter(all));
    std::ranges::move(level_tables(), std::back_inserter(all));
    std::ranges::move(quality_tables(), std::back_inserter(all));
    return all;
}

} // namespace baton::api
