// baton levels status [--upstream OWNER/REPO] [--json]
//
// Where every downstream stands on the ladder, as of the last evaluation.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/wire/ladder_json.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "levels.hpp"
#include "levels_print.hpp"
#include "lookup.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

struct StatusOptions {
    StoreChoice store;
    std::string upstream;
    bool json{false};
};

struct Row {
    RepoName upstream;
    RepoName downstream;
    domain::LadderStanding standing;
    std::optional<domain::LadderVerdict> verdict; // of the last evaluation
    std::string profile;
};

asio::awaitable<Result<std::vector<Row>>>
look(ports::Store* store, ports::Levels* levels, std::optional<RepoName> upstream) {
    Lookup lookup(*store);
    BATON_CO_TRY(const auto listed, co_await lookup.listed());
    std::set<RepoName> upstreams;
    for (const auto& one : listed) {
        if (!upstream || one.upstream == *upstream) {
            upstreams.insert(one.upstream);
        }
    }
    if (upstream && upstreams.empty()) {
        co_return fail(Errc::not_found, fmt::format("no list of {} is in force", upstream->text()));
    }
    std::vector<Row> rows;
    for (const auto& of : upstreams) {
        const ports::ViewWindow no_days;
        BATON_CO_TRY(const auto ladders, co_await levels->ladders(of, no_days));
        for (const auto& ladder : ladders) {
            if (!ladder.standing) {
                continue;
            }
            Row row{.upstream = of, .downstream = ladder.downstream, .standing = *ladder.standing};
            BATON_CO_TRY(const auto newest, co_await levels->evaluations(of, row.downstream, 1));
            if (!newest.empty()) {
                BATON_CO_TRY(row.verdict, wire::read_verdict(newest.front().verdict));
                row.profile = newest.front().profile;
            }
            rows.push_back(std::move(row));
        }
    }
    co_return rows;
}

std::string next_text(const Row& row) {
    if (row.standing.proposal) {
        return fmt::format(
            "{} proposed since {}",
            name_of(row.standing.proposal->to),
            date_text(row.standing.proposal->since)
        );
    }
    if (!row.verdict) {
        return "-";
    }
    if (row.verdict->ready_for) {
        return fmt::format("ready for {}", name_of(*row.verdict->ready_for));
    }
    return row.verdict->earliest
               ? fmt::format("{} at the earliest", date_text(*row.verdict->earliest))
               : "-";
}

void print_text(const std::vector<Row>& rows) {
    Table table({"DOWNSTREAM", "UPSTREAM", "LEVEL", "STATE", "SINCE", "AS OF", "NEXT"});
    for (const auto& row : rows) {
        const auto& standing = row.standing;
        table.add(
            {row.downstream.text(),
             row.upstream.text(),
             level_text(standing),
             std::string(name_of(standing.state)),
             date_text(standing.since),
             standing.as_of ? date_text(*standing.as_of) : "never",
             next_text(row)}
        );
    }
    fmt::print("{}", table.text());
}

json::object json_of_row(const Row& row) {
    auto out = json_of(row.standing);
    out["upstream"] = row.upstream.text();
    out["downstream"] = row.downstream.text();
    out["profile"] = json_text(row.profile);
    out["violated"] = row.verdict && row.verdict->violated;
    out["insufficient"] = row.verdict && row.verdict->insufficient;
    out["ready_for"] = row.verdict && row.verdict->ready_for
                           ? json::value(name_of(*row.verdict->ready_for))
                           : json::value(nullptr);
    out["earliest"] = time_json(row.verdict ? row.verdict->earliest : std::nullopt);
    out["forecast"] = json_text(row.verdict ? row.verdict->forecast : "");
    return out;
}

int status(const StatusOptions& options) {
    std::optional<RepoName> upstream;
    if (!options.upstream.empty()) {
        upstream = repo_or_complain("--upstream", options.upstream);
        if (!upstream) {
            return Exit::unusable;
        }
    }
    const auto open = open_ladder(options.store);
    if (!open) {
        return Exit::unusable;
    }
    const auto rows = run(look(open->store.get(), open->levels, upstream));
    if (!rows) {
        complain(inert(rows.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        json::array all;
        for (const auto& row : *rows) {
            all.emplace_back(json_of_row(row));
        }
        print_json(json::object{{"levels", std::move(all)}});
    } else if (!rows->empty()) {
        print_text(*rows);
    }
    if (rows->empty()) {
        complain("nobody was judged yet: a relay does so every midnight (UTC)");
        return Exit::failure;
    }
    return Exit::ok;
}

} // namespace

void add_levels_status(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<StatusOptions>();
    auto* command = group.add_subcommand("status", "Where each downstream stands");
    add_store_options(*command, options->store);
    command->add_option("--upstream", options->upstream, "Of this upstream only")
        ->option_text("OWNER/REPO");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(LEVEL is the listed one, and the one that holds for now where it was lowered. STATE is ok, watch or
temporary. NEXT is what Baton proposes, or when it could at the earliest.

Example:
  baton levels status --config baton.yml

Exit codes: 0 printed, 1 nobody was judged yet, 2 the store cannot be opened.)"
    );
    command->callback([options, &exit_code] { exit_code = status(*options); });
}

} // namespace baton::program
