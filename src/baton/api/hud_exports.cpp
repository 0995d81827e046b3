// CSV and NDJSON of each list: the same answers as the JSON's, page after page, each sent before
// the next is asked for.

#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/problem.hpp"
#include "baton/api/table.hpp"
#include "baton/base/result.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/net/url.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

constexpr std::size_t kRowsMax = 1'000'000;
constexpr std::string_view kPageRows = "200";

using Rows = std::vector<json::object>;

/// A list as a table.
struct Table {
    std::string_view path; // without its ending
    Asked answer;
    std::vector<std::string_view> parameters;
    bool in_pages;              // the answer takes limit and cursor
    Rows (*rows)(json::object); // of one answer
    std::vector<std::string_view> columns;
    Rows (*cells)(json::object){nullptr}; // CSV: the rows that one row becomes; null: itself
};

enum class Form : std::uint8_t { csv = 1, ndjson };

// --- rows of the answers

Rows objects_of(json::value& array) {
    Rows rows;
    for (auto& one : array.as_array()) {
        rows.push_back(std::move(one.as_object()));
    }
    return rows;
}

Rows list_rows(json::object answer) {
    return objects_of(answer["rows"]);
}

Rows overview_rows(json::object answer) {
    return objects_of(answer["downstreams"]);
}

Rows day_rows(json::object answer) {
    return objects_of(answer["days"]);
}

Rows dead_rows(json::object answer) {
    Rows rows;
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
Rows grid_rows(json::object answer) {
    Rows rows;
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
Rows one_for_each(json::object row, std::string_view of) {
    Rows lines;
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

Rows pull_cells(json::object row) {
    return one_for_each(std::move(row), "backends");
}

Rows cluster_cells(json::object row) {
    return one_for_each(std::move(row), "downstreams");
}

/// The ids of rules in one cell; figures are not for a table.
Rows move_cells(json::object row) {
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

std::vector<Table> lists() {
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

std::vector<Table> level_tables() {
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

std::vector<Table> failure_tables() {
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

std::vector<Table> downstream_tables() {
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

// --- sending

/// One file on its way: knows where the next page begins.
class Export {
public:
    Export(Around around, net::Request request, std::shared_ptr<const Table> table, Form form)
        : around_(std::move(around))
        , head_(std::move(request.head))
        , captures_(std::move(request.captures))
        , table_(std::move(table))
        , form_(form) {}

    /// The next piece; nullopt: that was all.
    asio::awaitable<Result<std::optional<std::string>>> next() {
        if (over_) {
            co_return std::nullopt;
        }
        BATON_CO_TRY(auto answer, co_await table_->answer(around_, page_request()));
        const auto* behind = answer.if_contains("next");
        const auto* cursor = behind == nullptr ? nullptr : behind->if_string();
        cursor_ = cursor == nullptr ? std::string() : std::string(*cursor);
        std::string text = first_ && form_ == Form::csv ? csv_head(table_->columns) : "";
        first_ = false;
        for (auto& row : table_->rows(std::move(answer))) {
            if (rows_ == kRowsMax) {
                break;
            }
            ++rows_;
            text += text_of(std::move(row));
        }
        over_ = cursor_.empty() || rows_ == kRowsMax;
        co_return text;
    }

private:
    net::Request page_request() const {
        net::Request page;
        page.head = head_;
        page.captures = captures_;
        if (table_->in_pages) {
            auto& query = page.head.query;
            query += fmt::format("{}limit={}", query.empty() ? "" : "&", kPageRows);
            query += cursor_.empty() ? "" : "&cursor=" + net::percent_encode(cursor_);
        }
        return page;
    }

    std::string text_of(json::object row) const {
        if (form_ == Form::ndjson) {
            return json::serialize(row) + "\n";
        }
        if (table_->cells == nullptr) {
            return csv_line(row, table_->columns);
        }
        std::string text;
        for (const auto& line : table_->cells(std::move(row))) {
            text += csv_line(line, table_->columns);
        }
        return text;
    }

    Around around_;
    net::RequestHead head_;
    std::vector<std::string> captures_;
    std::shared_ptr<const Table> table_;
    Form form_;
    std::string cursor_;
    std::size_t rows_{0};
    bool first_{true};
    bool over_{false};
};

/// What cannot be sent whole is broken off, so that nobody takes a part for the whole.
asio::awaitable<std::optional<std::string>> piece_of(std::shared_ptr<Export> file) {
    auto piece = co_await file->next();
    if (!piece) {
        throw std::runtime_error("a table broke off: " + piece.error().detail);
    }
    co_return *std::move(piece);
}

asio::awaitable<net::Response>
send(Around around, net::Request request, std::shared_ptr<const Table> table, Form form) {
    if (auto known = HudQuery(request).only(table->parameters); !known) {
        co_return problem_of(known.error());
    }
    const auto name = request.head.path.substr(request.head.path.rfind('/') + 1);
    auto file = std::make_shared<Export>(std::move(around), std::move(request), table, form);
    auto first = co_await file->next();
    if (!first) {
        co_return problem_of(first.error());
    }
    net::Response response;
    response.content_type = form == Form::csv ? "text/csv; charset=utf-8" : "application/x-ndjson";
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
    response.body = (*std::move(first)).value_or("");
    response.more = [file] { return piece_of(file); };
    co_return response;
}

} // namespace

std::vector<net::Route> export_routes(const Around& around) {
    std::vector<net::Route> routes;
    auto all = lists();
    std::ranges::move(downstream_tables(), std::back_inserter(all));
    std::ranges::move(failure_tables(), std::back_inserter(all));
    std::ranges::move(level_tables(), std::back_inserter(all));
    for (auto& one : all) {
        const auto table = std::make_shared<const Table>(std::move(one));
        for (const auto form : {Form::csv, Form::ndjson}) {
            routes.push_back({
                .method = "GET",
                .path = std::string(table->path) + (form == Form::csv ? ".csv" : ".ndjson"),
                .handler = [around, table, form](net::Request request
                           ) { return send(around, std::move(request), table, form); },
            });
        }
    }
    return routes;
}

} // namespace baton::api
