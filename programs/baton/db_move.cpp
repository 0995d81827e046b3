// baton db move --from FILE --to postgresql://… [--config FILE] [--dry-run]
//
// Moves a store from a SQLite file into a PostgreSQL database, and compares every row.

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/store/move.hpp"
#include "baton/store/place.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "command.hpp"
#include "db.hpp"
#include "print.hpp"
#include "progress_line.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

struct MoveOptions {
    std::string from;
    std::string to;
    std::string config; // of the one that is not named
    bool dry_run{false};
    bool json{false};
};

std::optional<store::MoveOrder> order_of(const MoveOptions& options) {
    const auto named = (options.from.empty() ? 0 : 1) + (options.to.empty() ? 0 : 1);
    if (named + (options.config.empty() ? 0 : 1) != 2) {
        complain("say both places: --from and --to, or one of them and --config FILE for the other"
        );
        return std::nullopt;
    }
    auto from = store_path({.config = options.config, .store = options.from});
    auto to = store_path({.config = options.config, .store = options.to});
    if (!from || !to) {
        return std::nullopt;
    }
    return store::MoveOrder{
        .from = *std::move(from),
        .to = *std::move(to),
        .dry_run = options.dry_run,
        .now = present(),
    };
}

void print_cleaned(const store::MovedTable& table) {
    std::string keys;
    for (const auto& key : table.examples) {
        keys += (keys.empty() ? "" : ", ") + key;
    }
    fmt::print(
        "  {} with text that PostgreSQL cannot hold (NUL or broken UTF-8), written as U+FFFD: "
        "{}{}\n",
        counted(table.cleaned, "row"),
        inert(keys),
        table.cleaned > table.examples.size() ? ", ..." : ""
    );
}

void print_text(const store::MoveOrder& order, const store::MoveReport& report) {
    for (const auto& table : report.tables) {
        fmt::print("{:<18}  {:>10}\n", table.name, table.rows);
        if (table.cleaned > 0) {
            print_cleaned(table);
        }
    }
    const auto what = fmt::format(
        "{} in {}", counted(store::rows_in(report), "row"), counted(report.tables.size(), "table")
    );
    if (order.dry_run) {
        fmt::print("would move {} to {}\n", what, inert(store::shown(order.to)));
        if (report.makes_schema) {
            fmt::print("would make the schema first: the database is empty\n");
        }
        return;
    }
    fmt::print("{}: each one is in the database as it is in the file\n", what);
    fmt::print(
        "Let `store` of the configuration be the address that you gave, and put {} away: a relay "
        "that serves from it again would not know what the others do\n",
        inert(order.from)
    );
}

void print_as_json(const store::MoveOrder& order, const store::MoveReport& report) {
    boost::json::array tables;
    for (const auto& table : report.tables) {
        tables.emplace_back(boost::json::object{
            {"name", table.name}, {"rows", table.rows}, {"cleaned", table.cleaned}
        });
    }
    print_json(boost::json::object{
        {"from", json_text(order.from)},
        {"to", json_text(store::shown(order.to))},
        {"dry_run", order.dry_run},
        {"rows", store::rows_in(report)},
        {"tables", std::move(tables)},
    });
}

int move(const MoveOptions& options) {
    const auto order = order_of(options);
    if (!order) {
        return Exit::unusable;
    }
    Result<store::MoveReport> done = fail(Errc::invalid, "");
    {
        ProgressLine line;
        done = store::move_store(*order, [&line](const auto& now) { line.show(now); });
    }
    if (!done) {
        complain(inert(done.error().detail));
        const auto code = done.error().code;
        const bool failed = code == Errc::invalid || code == Errc::unavailable;
        return failed ? Exit::failure : Exit::unusable;
    }
    if (options.json) {
        print_as_json(*order, *done);
    } else {
        print_text(*order, *done);
    }
    return Exit::ok;
}

} // namespace

void add_db_move(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<MoveOptions>();
    auto* command = group.add_subcommand("move", "Move a store from SQLite to PostgreSQL");
    command->add_option("--from", options->from, "The SQLite file")->option_text("PATH");
    command->add_option("--to", options->to, "The database: postgresql://…")->option_text("URL");
    command->add_option("--config", options->config, "The relay's configuration, for the other one")
        ->option_text("FILE");
    command->add_flag("--dry-run", options->dry_run, "Count the rows and change nothing");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(The relay has to be stopped; with --dry-run it may run. The database has to be empty; its schema is
made if there is none. Then all rows are copied, and each copy is read again and compared with its
row, in one transaction: when a row differs, or anything fails, none of them is in the database. The
file is not changed. The address has no password in it: that is in PostgreSQL's password file, or in
PGPASSWORD.

Example:
  baton db move --config /etc/baton/baton.yml --to postgresql://baton@db.internal/baton

Exit codes: 0 done, 1 a copy differs or the database failed, 2 one of them cannot be used: a relay
serves from the file, its schema is not this version's, the database cannot be reached, does not let
the role in, or is not empty.)"
    );
    command->callback([options, &exit_code] { exit_code = move(*options); });
}

} // namespace baton::program
