#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"

#include <cstddef>
#include <map>
#include <vector>

/// What would have happened under other rules or another list: days that are kept, judged again.
namespace baton::domain {

struct ReplayedDownstream {
    RepoName downstream;
    Level listed{Level::l1};
    LadderHistory history;
};

struct ReplayedMove {
    TimePoint as_of{};
    LadderTransition transition;

    friend bool operator==(const ReplayedMove&, const ReplayedMove&) = default;
};

struct Replay {
    RepoName downstream;
    Level listed{Level::l1};
    std::vector<ReplayedMove> moves;
    std::map<Level, std::size_t> days; // evaluations after which it stood there
    LadderStanding standing;           // after the last
};

/// Everybody begins as listed, and is judged as of every midnight after `range.from` up to
/// `range.until`, frozen ones included; how the relay itself fared is not asked.
std::vector<Replay>
replay(const std::vector<ReplayedDownstream>& all, const Profile& profile, LadderWindow range);

} // namespace baton::domain
