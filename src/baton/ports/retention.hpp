#pragma once

#include "baton/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace baton::ports {

/// One step of a walk through what is kept, the oldest first: so many are looked at, those whose
/// time is over are removed.
struct PruneQuery {
    TimePoint now{};
    Millis keep_for{};
    std::int64_t after{0}; // where the step before came to; 0: from the oldest on
    std::size_t limit{200};
};

struct PruneStep {
    std::size_t removed{0};
    std::optional<std::int64_t> next; // for `after` of the next step; none: the walk is over
};

} // namespace baton::ports
