#pragma once

#include "baton/base/time.hpp"

#include <optional>

namespace baton::domain {

/// A rate with room for bursts: holds `per_minute` tokens at most, fills evenly, each call takes
/// one. A refused call takes nothing, so asking too often never prolongs the wait.
class TokenBucket {
public:
    TokenBucket(int per_minute, TimePoint now);

    /// nullopt: taken. Else how long until there is one.
    std::optional<Millis> take(TimePoint now);

private:
    Millis spacing_; // of one token
    Millis most_;    // a full bucket, as time
    TimePoint full_at_;
};

} // namespace baton::domain
