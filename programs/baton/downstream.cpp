// baton downstream list | suspend | resume | dispatch | repin: the operator's hand on downstreams.

#include "downstream.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "lookup.hpp"

namespace baton::program {

void add_downstream(CLI::App& app, int& exit_code) {
    auto* group = app.add_subcommand("downstream", "Look at downstreams, hold them, try them");
    group->require_subcommand(1);
    group->footer(
        "These open the store itself, beside a running relay or without one; every act is "
        "in the ledger.\n`baton downstream COMMAND --help` says more."
    );
    add_downstream_list(*group, exit_code);
    add_downstream_suspend(*group, exit_code);
    add_downstream_resume(*group, exit_code);
    add_downstream_dispatch(*group, exit_code);
    add_downstream_repin(*group, exit_code);
}

void add_downstream_name(CLI::App& command, std::string& repo) {
    command.add_option("DOWNSTREAM", repo, "The downstream, OWNER/REPO")
        ->required()
        ->option_text(" ");
}

void add_actor_option(CLI::App& command, std::string& actor) {
    command.add_option("--actor", actor, "Who acts, for the ledger; default: the user")
        ->option_text("NAME");
}

std::string not_listed(const RepoName& repo, const std::vector<Listed>& listed) {
    auto sentence = fmt::format("no allowlist in force names {}", repo.text());
    std::vector<std::string_view> names;
    names.reserve(listed.size());
    for (const auto& one : listed) {
        names.emplace_back(one.entry.repo.text());
    }
    if (const auto near = nearest(repo.text(), names)) {
        sentence += fmt::format("; did you mean {}?", *near);
    }
    return sentence;
}

} // namespace baton::program
