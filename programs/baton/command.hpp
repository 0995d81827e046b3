#pragma once

#include "baton/base/ids.hpp"
#include "baton/config/config.hpp"

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace baton::program {

/// What a command tells the shell: 0 ok, 1 findings or failure, 2 unusable input.
enum Exit : int { ok = 0, failure = 1, unusable = 2 };

/// Each subcommand is one file: it adds itself to the parser and, when chosen, sets the exit code.
void add_serve(CLI::App& app, int& exit_code);
void add_demo(CLI::App& app, int& exit_code);
void add_check_config(CLI::App& app, int& exit_code);
void add_allowlist(CLI::App& app, int& exit_code);
void add_deliveries(CLI::App& app, int& exit_code);
void add_downstream(CLI::App& app, int& exit_code);
void add_gate(CLI::App& app, int& exit_code);
void add_levels(CLI::App& app, int& exit_code);
void add_outbox(CLI::App& app, int& exit_code);
void add_quality(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_shadow(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_db(CLI::App& app, int& exit_code);
void add_sim(CLI::App& app, int& exit_code);
/// These two print what the whole parser knows; they come last.
void add_completion(CLI::App& app, int& exit_code);
void add_man(CLI::App& app, int& exit_code);

/// What a command line that cannot be understood gets to read: what was not expected, the nearest
/// known word, and where to ask.
std::string explain_refusal(const CLI::App* app, const CLI::Error& error);

/// Prints `baton: SENTENCE` on standard error.
void complain(const std::string& sentence);

/// A repository from the command line; nullopt after saying that `what` is not OWNER/REPO.
std::optional<RepoName> repo_or_complain(std::string_view what, const std::string& text);

/// Reads a configuration and prints every finding as `FILE:LINE:COLUMN: error: ...` on standard
/// error; nullopt when it cannot be used.
std::optional<config::Config> load_or_complain(const std::string& path);

} // namespace baton::program
