#pragma once

#include "baton/base/time.hpp"

namespace baton::relay {

/// Somebody outside takes nothing: when the next thing may try, and how often that was so. Whoever
/// gets through ends it.
struct Absence {
    TimePoint noted_at{};
    TimePoint try_at{};
    int tries{0};

    /// A time before it was noted is from a clock that was set back: that one waits for nothing.
    bool holds_back(TimePoint now) const { return noted_at <= now && now < try_at; }

    /// What left before the next try was due says nothing new, however late it comes back.
    bool was_known_at(TimePoint began, TimePoint now) const {
        return noted_at <= now && began < try_at;
    }
};

} // namespace baton::relay
