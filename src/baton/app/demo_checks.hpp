#pragma once

#include "baton/app/demo_view.hpp"
#include "baton/app/demo_watch.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/checks.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What stands on the upstream's pull requests, as the simulated GitHub shows it.
namespace baton::app::demo {

inline constexpr std::string_view kGateName = "crcr/gate";

enum class GateState : std::uint8_t { waiting = 1, green, red };

/// Of a pull request's head; waiting as long as there is none.
GateState gate_of(const sim::GithubModel& model, const sim::Pull& pull);

/// What the screen shows of it while the play goes on.
Checks checks_so_far(const sim::GithubModel& model);

/// Every check run of the App on the upstream, as it is now.
std::vector<sim::CheckRun> check_runs_of(const sim::GithubModel& model);

/// What was posted, and whether GitHub and the store agree about it.
struct CheckAccount {
    Checks checks;          // as GitHub shows them
    std::size_t changes{0}; // of check runs, after they were created
    std::size_t calls{0};   // to GitHub, for checks
    std::size_t merged{0};
    std::size_t comments{0};
    std::size_t comment_calls{0};
    std::size_t on_the_way{0};       // wanted shortly before the relay stopped
    std::vector<std::string> scenes; // what was seen of the play, a sentence each
    std::vector<std::string> turns;  // who was suspended, and since when it counts again
    std::vector<std::string> wrong;  // each a sentence
};

struct CheckEvidence {
    Checks checks;
    std::vector<sim::CheckRun> runs;
    std::map<PrNumber, sim::Pull> pulls;
    std::vector<ports::KeptPosting> postings;
    ports::CheckCounts counts;
    std::vector<GateTurn> turns;
    std::vector<std::string> scenes;
    TimePoint stopped_at{}; // the relay was asked to
    Millis longest_job{};   // nobody lets one run longer
    Millis longest_gate{};
};

/// Compares what GitHub shows with what the store wants.
///
///   - Each check run of ours is on GitHub once, and as the store believes it to be.
///   - Nothing is out of step for longer than a call takes, and GitHub refused nothing.
///   - What is open is on the head of an open pull request, and not for longer than anybody waits.
CheckAccount audit_checks(const CheckEvidence& evidence);

} // namespace baton::app::demo
