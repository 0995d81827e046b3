#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/run.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The circuit breaker: when a level 4 downstream stops being believed by the gate, and when it
/// comes back. Pure; every decision carries its evidence.
namespace baton::domain {

/// The event of the small dispatches that tell how a downstream is without any pull request.
inline constexpr std::string_view kCanaryEvent = "baton_canary";

struct BreakerRules {
    Millis start{std::chrono::minutes{30}}; // as the gate's: later is silence
    Millis run{std::chrono::hours{3}};      // later is a time-out
    int silent{2};                          // in a row
    int timed_out{3};                       // in a row
    int pull_requests{3}; // red, of as many people with write access, and red on the canary
    int clean{3};         // in a row, since the suspension, to come back
};

/// A run as the breaker sees it.
struct SeenRun {
    Run run;
    Login author;              // of the pull request; empty: none
    bool overtaken{false};     // its pull request was closed or moved on: nobody need start it
    bool author_writes{false}; // has write access, as far as GitHub told
};

struct BreakerFacts {
    RepoName upstream;
    RepoName downstream;
    std::string base_ref;                     // the branch that pull requests are for, mostly
    std::vector<SeenRun> recent;              // newest first: pull requests, pushes, canaries
    std::optional<GateSuspension> suspension; // in force now
    bool paused{false};                       // for maintenance: nothing is held against it
    std::optional<TimePoint> resumed_at;      // evidence until then is spent; none: never
};

/// What to do: nothing, suspend with this reason, or resume with this reason.
struct BreakerVerdict {
    enum class Move : std::uint8_t { none = 1, suspend, resume };
    Move move{Move::none};
    std::string reason;
    std::string evidence;             // JSON
    std::optional<TimePoint> look_at; // when time alone may change it

    friend bool operator==(const BreakerVerdict&, const BreakerVerdict&) = default;
};

/// Suspends a downstream that was silent or timed out several times in a row, that is red in the
/// same job on a pull request and on its base branch, or red for several people and on the newest
/// canary. What a pull request's code can bring about (an end of whatever kind) counts only when
/// its author has write access; silence counts whoever waits. A suspension by hand is left alone.
BreakerVerdict judge_breaker(const BreakerFacts& facts, const BreakerRules& rules, TimePoint now);

/// Whether `judge_breaker` would like to know if the author of this run has write access: where
/// something went wrong, and while suspended where all went well.
bool author_matters(const Run& run, bool suspended);

} // namespace baton::domain
