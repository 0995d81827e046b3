#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The one check that branch protection has to require: what every level 4 downstream says of a
/// commit, and how long anybody is waited for.
namespace baton::domain {

struct GateRules {
    Millis start{std::chrono::minutes{30}}; // no start by then: neutral
    Millis run{std::chrono::hours{3}};      // no end by then: neutral
    Millis settle{std::chrono::seconds{60}};
    int retries{1}; // of what the infrastructure lost; 0: none
};

/// One downstream's part, as far as it is known.
struct GatePartFacts {
    Downstream downstream;     // as listed now
    Run run;                   // the newest generation of the newest delivery for this head
    std::optional<Run> spoken; // the newest earlier one of this head that somebody was heard of
    std::vector<Run> before;   // its other runs for pull requests, newest first: what is usual
    std::vector<Run> base;     // its runs for pushes to the base branch, newest first
    std::vector<Rerun> reruns; // ordered for this head
    std::optional<GateSuspension> suspension;
};

enum class PartState : std::uint8_t {
    waiting = 1, // sent, not started
    running,
    settling, // all have ended; another may still begin
    held,     // red, but the retry is not spent
    passed,
    failed,
    neutral, // silent, too slow, suspended, or red on the base branch too
};

std::string_view name_of(PartState state);
bool is_decided(PartState state);

struct GatePart {
    RepoName downstream;
    std::vector<Login> oncalls;
    PartState state{PartState::waiting};
    std::string reason;             // one sentence: why it is so
    TimePoint since{};              // when that began
    std::optional<TimePoint> until; // when time alone will move it on
    std::vector<Job> failing;       // that make it red, or would
    bool suspended{false};          // by the circuit breaker, or by hand
    bool lost{false};               // the infrastructure lost `failing`, and a retry is left

    friend bool operator==(const GatePart&, const GatePart&) = default;
};

/// `workflow/job`, or the workflow alone when it reports as a whole.
std::string label_of(const Job& job);

/// The newest attempt of each job of a run that counts and proves itself; what a gate believes.
std::vector<Job> standing_jobs(const Run& run);

bool has_ended(const Job& job);

/// Fails the gate: everything but success, neutral and skipped.
bool is_red(Conclusion conclusion);
/// By the downstream's own word: what the relay concluded by itself is silence.
bool is_red(const Job& job);
/// Some job that stands is.
bool is_red(const Run& run);

/// Whether the infrastructure, not the change, ended it: timed out, cancelled, or never heard of
/// again. Never for test failures.
bool is_infrastructure_failure(const Job& job);

/// The names of the jobs that a part waits for: `required_jobs`, or those seen in at least 80 % of
/// the last 20 runs.
std::vector<std::string> awaited_jobs(const GatePartFacts& facts);

GatePart part_of(const GatePartFacts& facts, const GateRules& rules, TimePoint now);

} // namespace baton::domain
