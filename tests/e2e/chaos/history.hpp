#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/downstream_book.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace baton::test {

/// What is left of a time of trouble: what the store tells, and what was seen from outside. Values
/// only, so that a test can make one in which a rule is broken.
struct History {
    // --- from outside
    std::set<DeliveryId> accepted;               // webhooks that got a 2xx
    std::set<DeliveryId> entrusted;              // that GitHub was to send by itself
    std::map<int, std::size_t> answers;          // to webhooks; 0: none
    std::map<int, std::size_t> page_answers;     // to whoever looked
    std::vector<sim::ReceivedDispatch> received; // by downstreams, as GitHub wrote it down
    std::vector<sim::SentReport> reports;        // of downstreams, with the answer to each
    std::vector<sim::CheckRun> checks;           // that stand on pull requests
    sim::ApiLimits::Counts limits;
    std::size_t limited_asks_excused{0};  // by those who could not know yet
    std::vector<std::string> stream_gaps; // what was missed by those who listened

    // --- from inside
    std::vector<ports::DeliveryHistory> ledger; // of every delivery in the store
    std::vector<std::string> damage;            // what `baton db verify` says

    // --- what was agreed
    std::vector<RepoName> downstreams; // each of which gets everything
    Millis start_timeout{};
    Millis run_timeout{};
};

/// What must hold once everything is well again and at rest. Each broken rule is one sentence.
///
///   - A webhook that got a 2xx is in the store, once, planned, and has a row for every downstream;
///     so is one that GitHub was left to send, whatever the first try came to.
///   - Every dispatch comes to rest; none fails or is given up.
///   - What is called sent was received; what was received has a row.
///   - Nothing is received twice but for attempts whose outcome nobody can know, and one attempt of
///     a dispatch at most was accepted.
///   - What was superseded or cancelled has a later webhook of its pull request to show for it.
///   - Silence and time-outs are told once each, and not before their time.
///   - What a callback was answered with 200 for is in the store as it was said; of a job and
///     attempt one verdict counts, and one run per dispatch and workflow is told to proceed.
///   - A commit has one check of a name, and it has ended.
///   - No limit of GitHub's is run into, and nobody asks who was told to wait.
///   - A webhook hears 200, 202, 503 or nothing; a page too.
///   - Who listens is told of everything, and the store agrees with itself.
std::vector<std::string> broken_rules(const History& history);

/// How often a dispatch arrived again, and how many attempts have an outcome that nobody knows.
struct Repeats {
    std::size_t dispatches{0};
    std::size_t again{0};
    std::size_t unknown{0};
};

Repeats repeats_in(const History& history);

} // namespace baton::test
