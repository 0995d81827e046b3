// baton db migrate [--config FILE | --store PATH] [--dry-run]
//
// Brings a store to the schema of this version. `serve` does the same when it starts; this is for
// doing it beforehand, and for looking at what would be done.

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/store/known_schema.hpp"
#include "baton/store/place.hpp"
#include "baton/store/tools.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <memory>
#include <string>

#include "command.hpp"
#include "db.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

/// What was done or would be, of which store, and how far this Baton's own knowledge goes.
struct Told {
    std::string store;
    store::SchemaSteps done;
    int known{0};
    bool dry_run{false};
};

struct MigrateOptions {
    StoreChoice store;
    bool dry_run{false};
    bool json{false};
};

void print_text(const Told& told) {
    const auto path = inert(told.store);
    const auto& done = told.done;
    if (done.to > told.known) {
        fmt::print(
            "{}: schema {} of a newer Baton; this one knows {} and may go on beside it\n",
            path,
            done.to,
            told.known
        );
        return;
    }
    if (done.steps.empty()) {
        fmt::print("{}: schema {}, nothing to do\n", path, done.to);
        return;
    }
    for (const auto& step : done.steps) {
        fmt::print("{} {}\n", told.dry_run ? "would apply" : "applied", step);
    }
    const auto* tense = told.dry_run ? "would go" : "went";
    fmt::print("{}: {} from schema {} to {}\n", path, tense, done.from, done.to);
}

void print_as_json(const Told& told) {
    boost::json::array steps;
    for (const auto& step : told.done.steps) {
        steps.emplace_back(step);
    }
    print_json(boost::json::object{
        {"store", json_text(told.store)},
        {"dry_run", told.dry_run},
        {"from", told.done.from},
        {"to", told.done.to},
        {"known", told.known},
        {"steps", steps},
    });
}

int migrate(const MigrateOptions& options) {
    const auto path = store_path(options.store);
    if (!path) {
        return Exit::unusable;
    }
    const auto done =
        options.dry_run ? store::pending_steps(*path) : store::migrate_store(*path, present());
    if (!done) {
        complain(inert(done.error().detail));
        return Exit::unusable;
    }
    const Told told{
        .store = store::shown(*path),
        .done = *done,
        .known = store::known_schema(*path),
        .dry_run = options.dry_run,
    };
    options.json ? print_as_json(told) : print_text(told);
    return Exit::ok;
}

} // namespace

void add_db_migrate(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<MigrateOptions>();
    auto* command = group.add_subcommand("migrate", "Bring a store to this version's schema");
    add_store_options(*command, options->store);
    command->add_flag("--dry-run", options->dry_run, "Say what would be done and change nothing");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(`baton serve` does this by itself when it starts. Steps only go forward, so make a backup first if
you may want to go back. A relay that serves from a file has to be stopped; on PostgreSQL those go on
that may go on beside the steps, and a step that they could not live with is refused while they
serve. With --dry-run everybody may run. A store that is not there is made.

Example:
  baton db migrate --store /var/lib/baton/baton.db --dry-run

Exit codes: 0 done or nothing to do, 2 the store cannot be used: written by a newer Baton that this
one cannot go on beside, another program's file, or served from right now.)"
    );
    command->callback([options, &exit_code] { exit_code = migrate(*options); });
}

} // namespace baton::program
