#pragma once

#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"

#include <cstdint>
#include <string>

namespace baton::sim {

/// GitHub's answer to something that was posted: a status, a message when it refused, and the
/// number of what there is now.
struct PostReply {
    int status{201};
    std::string message;
    std::int64_t id{0};

    bool good() const { return status < 300; }
};

/// A run of Actions to be run again.
struct Rerun {
    RepoId repo{};
    std::int64_t run{0};
    bool failed_only{true};
    TimePoint now{};
};

} // namespace baton::sim
