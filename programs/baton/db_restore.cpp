// baton db restore [--config FILE | --store PATH] FROM [--force]
//
// Puts a backup in the store's place while no relay serves from it.

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

struct RestoreOptions {
    StoreChoice store;
    std::string from;
    bool force{false};
    bool json{false};
};

void print_text(const std::string& path, const store::RestoreReport& done) {
    fmt::print("{}", to_text(done.verified));
    fmt::print("{} is in place\n", path);
    if (!done.kept_as.empty()) {
        fmt::print("What stood there is kept as {}\n", inert(done.kept_as));
    }
    if (done.pending > 0) {
        fmt::print(
            "{} waited when the backup was made: the next start sends them, perhaps again\n",
            counted(done.pending, "dispatch")
        );
    }
    fmt::print("What GitHub delivered since then is missing: at its next start the relay walks "
               "GitHub's delivery log and asks for it again\n");
}

int restore(const RestoreOptions& options) {
    const auto path = store_path(options.store);
    if (!path) {
        return Exit::unusable;
    }
    Result<store::RestoreReport> done = fail(Errc::invalid, "");
    {
        ProgressLine line;
        done = store::restore_store(
            {.from = options.from, .to = *path, .replace = options.force, .now = present()},
            [&line](const auto& now) { line.show(now); }
        );
    }
    if (!done) {
        const auto* hint =
            done.error().code == Errc::forbidden ? "; --force keeps it aside and goes on" : "";
        complain(inert(done.error().detail) + hint);
        return done.error().code == Errc::invalid ? Exit::failure : Exit::unusable;
    }
    if (options.json) {
        print_json(boost::json::object{
            {"store", json_text(store::shown(*path))},
            {"backup", json_text(options.from)},
            {"bytes", done->bytes},
            {"pending", done->pending},
            {"kept_as", json_text(done->kept_as)},
            {"verified", to_json(done->verified)},
        });
    } else {
        print_text(inert(store::shown(*path)), *done);
    }
    return Exit::ok;
}

} // namespace

void add_db_restore(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<RestoreOptions>();
    auto* command = group.add_subcommand("restore", "Put a backup in the store's place");
    command->add_option("FROM", options->from, "The backup")->required()->option_text(" ");
    add_store_options(*command, options->store);
    command->add_flag("--force", options->force, "Replace a store that is there; it is kept aside");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(The relay has to be stopped. The backup is copied beside the store and verified before anything is
touched. Dispatches that waited when it was made are sent by the next start; webhooks since then
are asked for again from GitHub's delivery log, which goes back three days.

Example:
  baton db restore --config /etc/baton/baton.yml /var/backups/baton-2026-11-15.db --force

Exit codes: 0 done, 1 the backup does not verify, 2 the backup or the store cannot be used,
or a relay serves from it.)"
    );
    command->callback([options, &exit_code] { exit_code = restore(*options); });
}

} // namespace baton::program
