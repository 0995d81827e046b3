#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/fault_vfs.hpp"

namespace baton::test {

struct PowerCutPlan {
    std::uint64_t seed{1};
    FaultVfs::Fsync fsync{FaultVfs::Fsync::honest};
    double sync_failure{0}; // the chance that one sync fails while there is still power
};

/// What a life came to, and which of its promises were broken: one sentence each.
struct PowerCutReport {
    std::vector<std::string> findings;
    std::size_t cuts{0};
    std::size_t acknowledged{0}; // deeds
    std::size_t refused{0};      // deeds that were answered `unavailable` while there was power
    std::size_t survived{0};     // deeds that were not acknowledged and are there nevertheless
};

/// A store under a random workload of all verbs. The plug is pulled at a random change of the disk,
/// perhaps again while it recovers; each time the store is opened from what the disk may hold:
///
///   - it opens, and SQLite finds it whole;
///   - every acknowledged deed is there;
///   - the deed under way is there as a whole, or not at all, and nothing else is;
///   - it goes on: the same answers as a store that never lost power.
PowerCutReport live_with_power_cuts(const PowerCutPlan& plan);

} // namespace baton::test
