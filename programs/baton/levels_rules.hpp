#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
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

/// What the command line says of them; empty: nothing.
struct RulesChoice {
    std::string profile; // a label or a file
    std::string day;     // "24h"
};

/// Add --profile and --day.
void add_profile_option(CLI::App& command, std::string& profile);
void add_day_option(CLI::App& command, std::string& day);

/// The command line's; what it leaves open is the configuration's, where one is named. nullopt
/// after saying what is wrong.
std::optional<LadderRules> rules_or_complain(const RulesChoice& choice, const StoreChoice& store);

/// `invalid` when nobody who counts in such days could have judged as of then: the figures of a
/// store whose days have another length would be nonsense.
Result<void> check_day(Millis day, TimePoint judged_as_of);

} // namespace baton::program
