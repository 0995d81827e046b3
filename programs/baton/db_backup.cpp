// baton db backup [--config FILE | --store PATH] TO [--force]
//
// Copies the store as it is at one moment into one file, beside a relay that goes on writing.

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/store/place.hpp"
#include "baton/store/tools.hpp"

#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <memory>
#include <string>

#include "command.hpp"
#include "db.hpp"
#include "print.hpp"
#include "progress_line.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

struct BackupOptions {
    StoreChoice store;
    std::string to;
    bool force{false};
    bool json{false};
};

/// Nothing wrong with the command, only with what it would replace or copy.
int exit_code_for(const Error& error) {
    const bool failed = error.code == Errc::invalid || error.code == Errc::unavailable;
    return failed ? Exit::failure : Exit::unusable;
}

int back_up(const BackupOptions& options) {
    const auto path = store_path(options.store);
    if (!path) {
        return Exit::unusable;
    }
    Result<store::BackupReport> done = fail(Errc::invalid, "");
    {
        ProgressLine line;
        done = store::back_up_store(
            {.from = *path, .to = options.to, .replace = options.force},
            [&line](const auto& now) { line.show(now); }
        );
    }
    if (!done) {
        const auto* hint = done.error().code == Errc::forbidden
                               ? "; choose another name, or --force replaces it"
                               : "";
        complain(inert(done.error().detail) + hint);
        return exit_code_for(done.error());
    }
    if (options.json) {
        print_json(boost::json::object{
            {"store", json_text(store::shown(*path))},
            {"backup", json_text(options.to)},
            {"bytes", done->bytes},
            {"verified", to_json(done->verified)},
        });
    } else {
        fmt::print("{}", to_text(done->verified));
        fmt::print("{} bytes, verified and on disk\n", done->bytes);
    }
    return Exit::ok;
}

} // namespace

void add_db_backup(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<BackupOptions>();
    auto* command = group.add_subcommand("backup", "Copy a store while the relay serves from it");
    command->add_option("TO", options->to, "The file to make")->required()->option_text(" ");
    add_store_options(*command, options->store);
    command->add_flag("--force", options->force, "Replace the file if it is there");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(The copy is the store as it is at one moment, in one file. It is written as TO.partial, verified,
brought to disk and only then given its name: a file of that name is a whole backup. Webhooks are
taken and dispatches sent meanwhile; the store's log grows until the copy is done.

Example:
  baton db backup --config /etc/baton/baton.yml /var/backups/baton-2026-11-15.db

Exit codes: 0 done, 1 the copy did not verify, 2 the store or the name cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = back_up(*options); });
}

} // namespace baton::program
