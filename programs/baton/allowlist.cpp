// baton allowlist lint | diff | explain: the file that says who gets what.

#include "allowlist.hpp"

#include <CLI/App.hpp>

#include "command.hpp"

namespace baton::program {

void add_allowlist(CLI::App& app, int& exit_code) {
    auto* group = app.add_subcommand(
        "allowlist", "Check and compare allowlists, or ask who would get an event"
    );
    group->require_subcommand(1);
    group->footer("docs/design/allowlist.md describes the format.\n"
                  "`baton allowlist COMMAND --help` says more.");
    add_allowlist_lint(*group, exit_code);
    add_allowlist_diff(*group, exit_code);
    add_allowlist_explain(*group, exit_code);
}

} // namespace baton::program
