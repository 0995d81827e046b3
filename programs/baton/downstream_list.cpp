// baton downstream list [--json]
//
// Every downstream that a list in force names, and those that only history knows: where each stands
// and how it fares.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "downstream.hpp"
#include "lookup.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

struct ListOptions {
    StoreChoice store;
    bool json{false};
};

/// A downstream with the list that names it, if one does.
struct Row {
    std::optional<Listed> listed;
    ports::DownstreamFigures figures;
    std::string state; // one word
    std::string why;   // of a state that is not ok
    std::optional<ports::ScheduleMark> schedule;
};

struct Picture {
    std::vector<Listed> listed;
    std::vector<ports::DownstreamFigures> figures;
    std::vector<domain::Suspension> suspensions;
    std::vector<ports::ScheduleMark> schedules;
};

asio::awaitable<Result<Picture>> look(ports::Store* store, TimePoint now) {
    Picture picture;
    Lookup lookup(*store);
    BATON_CO_TRY(picture.listed, co_await lookup.listed());
    BATON_CO_TRY(picture.figures, co_await store->downstream_figures(now));
    BATON_CO_TRY(picture.suspensions, co_await store->suspensions(now));
    BATON_CO_TRY(picture.schedules, co_await store->schedule_marks());
    co_return picture;
}

/// A suspension comes before a pause, as it does in planning.
void judge(Row& row, const std::vector<domain::Suspension>& suspensions, TimePoint now) {
    const domain::Pairing pairing{
        .upstream = row.listed ? row.listed->upstream : RepoName{},
        .downstream = row.figures.downstream
    };
    if (const auto* held = domain::suspension_of(suspensions, pairing, now)) {
        row.state = "suspended";
        row.why =
            fmt::format("{}, by {} since {}", to_text(*held), held->actor, to_rfc3339(held->since));
    } else if (!row.listed) {
        row.state = "unlisted";
        row.why = "no allowlist in force names it";
    } else if (const auto& entry = row.listed->entry; domain::is_paused(entry, now)) {
        row.state = "paused";
        row.why = to_text(*entry.pause);
    } else {
        row.state = "ok";
    }
}

/// Where the list in force gives it a schedule.
std::optional<ports::ScheduleMark>
mark_of(const Row& row, const std::vector<ports::ScheduleMark>& marks) {
    if (!row.listed || row.listed->entry.schedule.empty()) {
        return std::nullopt;
    }
    for (const auto& mark : marks) {
        if (mark.downstream == row.figures.downstream && mark.upstream == row.listed->upstream) {
            return mark;
        }
    }
    return std::nullopt;
}

std::vector<Row> rows_of(const Picture& picture, TimePoint now) {
    std::map<RepoName, ports::DownstreamFigures> figures;
    for (const auto& one : picture.figures) {
        figures[one.downstream] = one;
    }
    std::vector<Row> rows;
    std::set<RepoName> named;
    for (const auto& listed : picture.listed) {
        auto& known = figures[listed.entry.repo];
        known.downstream = listed.entry.repo; // the list's spelling
        named.insert(listed.entry.repo);
        rows.push_back({.listed = listed, .figures = known, .state = {}, .why = {}});
    }
    for (const auto& one : picture.figures) {
        if (!named.contains(one.downstream)) {
            rows.push_back({.listed = std::nullopt, .figures = one, .state = {}, .why = {}});
        }
    }
    for (auto& row : rows) {
        judge(row, picture.suspensions, now);
        row.schedule = mark_of(row, picture.schedules);
    }
    return rows;
}

std::string oncalls_of(const Row& row) {
    std::string all;
    if (row.listed) {
        for (const auto& login : row.listed->entry.oncalls) {
            all += (all.empty() ? "" : ",") + login.text();
        }
    }
    return all.empty() ? "-" : all;
}

void print_text(const std::vector<Row>& rows) {
    Table table(
        {"DOWNSTREAM",
         "UPSTREAM",
         "LEVEL",
         "DEVICE",
         "STATE",
         "PENDING",
         "SENT 24H",
         "FAILED",
         "LAST SENT (UTC)",
         "ON-CALL"}
    );
    for (const auto& row : rows) {
        const auto& figures = row.figures;
        const bool device = row.listed && !row.listed->entry.device.empty();
        table.add(
            {figures.downstream.text(),
             row.listed ? row.listed->upstream.text() : "-",
             row.listed ? std::string(name_of(row.listed->entry.level)) : "-",
             device ? row.listed->entry.device : "-",
             row.state,
             std::to_string(figures.pending),
             std::to_string(figures.sent_today),
             std::to_string(figures.failed),
             figures.last_sent ? short_time(*figures.last_sent) : "never",
             oncalls_of(row)}
        );
    }
    fmt::print("{}", table.text());
    std::string notes;
    for (const auto& row : rows) {
        const auto name = row.figures.downstream.text();
        if (!row.why.empty()) {
            notes += fmt::format("{}: {}\n", name, inert(row.why));
        }
        if (row.schedule) {
            const auto& mark = *row.schedule;
            notes += fmt::format(
                "{}: schedule {} settled until {}, missed {}{}{}\n",
                name,
                inert(row.listed->entry.schedule),
                short_time(mark.last_due),
                mark.missed,
                mark.last_missed.empty() ? "" : "; the last one: ",
                inert(mark.last_missed)
            );
        }
        if (row.figures.last_error_at) {
            notes += fmt::format(
                "{}: last error {}: {}\n",
                name,
                short_time(*row.figures.last_error_at),
                inert(row.figures.last_error)
            );
        }
    }
    fmt::print("{}{}", notes.empty() ? "" : "\n", notes);
}

json::value time_or_null(const std::optional<TimePoint>& when) {
    return when ? json::value(to_rfc3339(*when)) : json::value(nullptr);
}

json::object json_of(const Row& row) {
    json::array oncalls;
    json::object out{
        {"downstream", row.figures.downstream.text()},
        {"upstream", nullptr},
        {"level", nullptr},
        {"device", nullptr},
        {"state", row.state},
        {"why", json_text(row.why)},
        {"pending", row.figures.pending},
        {"sent_today", row.figures.sent_today},
        {"failed", row.figures.failed},
        {"last_sent_at", time_or_null(row.figures.last_sent)},
        {"last_error", json_text(row.figures.last_error)},
        {"last_error_at", time_or_null(row.figures.last_error_at)},
    };
    if (row.listed) {
        out["upstream"] = row.listed->upstream.text();
        out["level"] = name_of(row.listed->entry.level);
        out["device"] = json_text(row.listed->entry.device);
        for (const auto& login : row.listed->entry.oncalls) {
            oncalls.emplace_back(json_text(login.text()));
        }
    }
    out["oncalls"] = std::move(oncalls);
    out["schedule"] = nullptr;
    if (row.schedule) {
        out["schedule"] = {
            {"cron", json_text(row.listed->entry.schedule)},
            {"settled_until", to_rfc3339(row.schedule->last_due)},
            {"missed", row.schedule->missed},
            {"last_missed", json_text(row.schedule->last_missed)},
        };
    }
    return out;
}

int list(const ListOptions& options) {
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    const auto now = present();
    const auto picture = run(look(store.get(), now));
    if (!picture) {
        complain(inert(picture.error().detail));
        return Exit::failure;
    }
    const auto rows = rows_of(*picture, now);
    if (options.json) {
        json::array all;
        for (const auto& row : rows) {
            all.emplace_back(json_of(row));
        }
        print_json(json::object{{"downstreams", std::move(all)}});
    } else if (!rows.empty()) {
        print_text(rows);
    }
    if (rows.empty()) {
        complain("no downstream is listed or has history: has a relay read an allowlist yet?");
        return Exit::failure;
    }
    return Exit::ok;
}

} // namespace

void add_downstream_list(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<ListOptions>();
    auto* command = group.add_subcommand("list", "Where each downstream stands and how it fares");
    add_store_options(*command, options->store);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(STATE is ok, paused (by its allowlist), suspended (by an operator), or unlisted: it has history, and no
list in force names it. SENT 24H and LAST SENT count what GitHub accepted; FAILED counts what failed
or is dead and was not sent again since. Figures are of all upstreams together. Where the list gives a
schedule, a line says until when its runs are settled and how many were missed.

Example:
  baton downstream list --config baton.yml

Exit codes: 0 found some, 1 found none, 2 the store cannot be opened.)"
    );
    command->callback([options, &exit_code] { exit_code = list(*options); });
}

} // namespace baton::program
