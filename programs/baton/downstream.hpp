#pragma once

#include "baton/base/ids.hpp"

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <vector>

#include "lookup.hpp"

namespace baton::program {

/// The verbs of `baton downstream`, one file each.
void add_downstream_list(CLI::App& group, int& exit_code);
void add_downstream_suspend(CLI::App& group, int& exit_code);
void add_downstream_resume(CLI::App& group, int& exit_code);
void add_downstream_dispatch(CLI::App& group, int& exit_code);
void add_downstream_repin(CLI::App& group, int& exit_code);

/// Adds the repository that a verb is about, and --actor.
void add_downstream_name(CLI::App& command, std::string& repo);
void add_actor_option(CLI::App& command, std::string& actor);

/// What to say about a repository that no list names, with the nearest name that one does.
std::string not_listed(const RepoName& repo, const std::vector<Listed>& listed);

} // namespace baton::program
