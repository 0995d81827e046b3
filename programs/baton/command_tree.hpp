#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace baton::program {

/// An option or argument as --help shows it.
struct OptionFacts {
    std::vector<std::string> names; // "--port"; empty for an argument
    std::string argument;           // "FILE" of an argument; empty for an option
    std::string value;              // "N", "text|json"; empty for a flag
    std::vector<std::string> choices;
    std::string description;
    bool required{false};
    bool many{false};
};

/// A command with everything that --help says of it. Made from the parser itself, so that what is
/// generated from this (completions, manual pages) cannot disagree with it. Hidden options are left
/// out.
struct CommandFacts {
    std::vector<std::string> path; // {"baton", "db", "backup"}
    std::string description;
    std::string footer;
    std::vector<OptionFacts> options;
    std::vector<CommandFacts> commands;
};

CommandFacts facts_of(const CLI::App& app);

/// `baton db backup`, or with another joint: `baton-db-backup`.
std::string joined(const std::vector<std::string>& path, const std::string& joint);

/// The command and all below it, parents first.
std::vector<const CommandFacts*> flattened(const CommandFacts& command);

} // namespace baton::program
