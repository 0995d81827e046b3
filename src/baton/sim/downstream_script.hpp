#pragma once

#include "baton/base/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How a downstream behaves once it was told of something. Pure: the same script, cue and seed give
/// the same steps, whoever plays them.
namespace baton::sim {

enum class Script : std::uint8_t {
    pass = 1,
    fail,
    flaky,        // fails; the second attempt passes
    slow,         // passes, in ten times the time
    silent,       // never says anything
    duplicate,    // says everything twice, and GitHub starts a second run for the same dispatch
    deaf,         // the same second run goes on although it was told not to, and fails
    out_of_order, // the end arrives before the start
    crash,        // starts and never ends
    forged,       // beside an honest run, one report of each Forgery
    matrix,       // twenty legs of one run, one of them fails
    rerun,        // passes; somebody presses "Re-run" much later
    nightly,      // reports by itself, without having been told of anything
};

std::string_view name_of(Script script);
std::optional<Script> script_named(std::string_view name);
std::vector<std::string_view> script_names();

/// What is not true about a report.
enum class Forgery : std::uint8_t {
    none = 1,
    wrong_audience,    // a token that was made for somebody else
    other_repo,        // another repository's token
    other_run,         // the token of another run of the same repository
    other_delivery,    // the body names a delivery that never was
    other_pull,        // the body speaks of another pull request and commit
    other_dispatch,    // the callback_token of another dispatch
    no_callback_token, // left out: not forged, but bound to nothing either
};

std::string_view name_of(Forgery forgery);
/// All but `none`.
std::vector<Forgery> forgeries();

/// How fast a downstream is. Draws from the seed stretch each by up to a half.
struct Pace {
    Millis queue{std::chrono::seconds{2}};  // told, to the first start
    Millis work{std::chrono::seconds{10}};  // start to end
    Millis later{std::chrono::seconds{30}}; // until somebody presses "Re-run"
};

/// What a downstream was told.
struct Cue {
    std::string event_type; // pull_request, push, nightly, periodic
    std::string action;     // of a pull request: nobody runs anything for "closed"
};

/// One report that a downstream makes. Steps of one run and job are made one after the other.
struct ScriptStep {
    Millis after{0};    // since the downstream was told
    std::size_t run{0}; // which of the script's runs, from 0
    int attempt{1};
    std::string job{"test"};
    std::string conclusion; // empty: in_progress
    Forgery forgery{Forgery::none};
    bool obeys{true}; // is not made once its run was told not to proceed
};

/// In the order of time.
std::vector<ScriptStep>
steps_of(Script script, const Cue& cue, const Pace& pace, std::uint64_t seed);

} // namespace baton::sim
