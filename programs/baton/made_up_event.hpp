#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/plan.hpp"

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <vector>

namespace baton::program {

/// An event that did not happen, as the command line describes it.
struct MadeUp {
    std::string event;  // pull_request or push
    std::string action; // of a pull_request; opened when nothing is said
    std::string ref{"refs/heads/main"};
    std::vector<std::string> labels;
    std::string association{"NONE"};
    std::string permission{"read"};
    std::vector<std::string> files;
    std::vector<std::string> label_prefixes{"ciflow/crcr/", "ciflow/oot/"};
};

void add_event_options(CLI::App& command, MadeUp& event);

/// Fills in what was not said; a sentence when what was said does not go together.
std::optional<std::string> complete(MadeUp& event);

/// `pull_request opened`, `push of refs/heads/main`
std::string title_of(const MadeUp& event);

/// What the relay would decide if it happened now.
domain::Plan plan_of(const MadeUp& event, const domain::Allowlist& allowlist, TimePoint now);

} // namespace baton::program
