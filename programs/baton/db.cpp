// baton db migrate | backup | restore | verify | move: looking after the store.

#include "db.hpp"

#include <CLI/App.hpp>

#include "command.hpp"

namespace baton::program {

void add_db(CLI::App& app, int& exit_code) {
    auto* group =
        app.add_subcommand("db", "Look after the store: migrate, back up, restore, verify, move");
    group->require_subcommand(1);
    group->footer("docs/operations/backup.md tells how to use them.\n"
                  "`baton db COMMAND --help` says more.");
    add_db_migrate(*group, exit_code);
    add_db_backup(*group, exit_code);
    add_db_verify(*group, exit_code);
    add_db_restore(*group, exit_code);
    add_db_move(*group, exit_code);
}

} // namespace baton::program
