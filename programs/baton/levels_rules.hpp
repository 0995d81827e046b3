#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/profile.hpp"

#include <CLI/App.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "store_access.hpp"

namespace baton::program {

/// By what a command judges.
struct LadderRules {
    domain::Profile profile;
    Millis day{std::chrono::hours{24}};
    std::map<RepoName, RepoName> probes; // by upstream; nobody judges them
};

/// Adds --profile.
void add_profile_option(CLI::App& command, std::string& profile);

/// The configuration's, where one is named; `profile` is a label or a file, and comes first.
/// nullopt after saying what is wrong.
std::optional<LadderRules> rules_or_complain(const std::string& profile, const StoreChoice& store);

} // namespace baton::program
