#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/run.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// The circuit breaker: when a level 4 downstream stops being believed by the gate, and when it
/// comes back. Pure; every decision carries its evidence.
namespace baton::domain {

struct BreakerRules {
    Millis start{std::chrono::minutes{30}}; // as the gate's: later is silence
    Millis run{std::chrono::hours{3}};      // later is a time-out
    int silent{2};                          // in a row
    int timed_out{3};                       // in a row
    int pull_requests{3}; // red, of as many people with write access, and red on the base or canary
    int clean{3};         // in a row, since the suspension, to come back
};

/// A run as the breaker sees it.
struct SeenRun {
    Run run;
    Login author;              // of the pull request; empty: none
    bool author_writes{false}; // has write access, as far as GitHub told
};

struct BreakerFacts {
    RepoName upstream;
    RepoName downstream;
    std::string base_ref;                     // the branch that pull requests are for, mostly
    std::vector<SeenRun> recent;              // newest first: pull requests, pushes, canaries
    std::optional<GateSuspension> suspension; // in force now
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

BreakerVerdict judge_breaker(const BreakerFacts& facts, const BreakerRules& rules, TimePoint now);

} // namespace baton::domain
