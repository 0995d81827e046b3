#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace baton::domain {

/// One downstream with dispatches that are due, and what bears on how many may go now.
struct Waiting {
    RepoName downstream;
    Level level{Level::l1};
    std::size_t due{0};
    TimePoint oldest_due{};
    std::size_t in_flight{0};  // requests under way to it
    std::size_t running{0};    // sent and not known to have ended
    std::size_t sent_today{0}; // in the last 24 hours
    std::optional<int> max_concurrent;
    std::optional<int> max_per_day;
    std::optional<std::size_t> quota_room; // requests its owner's account has left for this level
    bool held{false};                      // paused, or its installation is under a rate limit
    bool troubled{false};                  // its last attempt got no answer: one probe at a time
};

struct Share {
    RepoName downstream;
    std::size_t count{0};

    friend bool operator==(const Share&, const Share&) = default;
};

struct Slots {
    std::size_t free{0};           // requests that may be added now, all downstreams together
    std::size_t per_downstream{0}; // in flight at most to one
};

/// Shares the free slots out: one each in turn, higher levels first, then whoever has waited
/// longest. No downstream gets more than it has due or than its own limits allow, so a dead one
/// never delays another; nor do those of one account together get more than its quota has room for.
std::vector<Share> share_out(std::vector<Waiting> waiting, Slots slots);

} // namespace baton::domain
