#include "baton/domain/token_bucket.hpp"

#include "baton/base/time.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace baton::domain {

TokenBucket::TokenBucket(int per_minute, TimePoint now)
    : spacing_(std::max<Millis>(Millis{1}, Millis{std::chrono::minutes{1}} / per_minute))
    , most_(spacing_ * per_minute)
    , full_at_(now) {}

/// What is missing from a full bucket is told by when it would be full again.
std::optional<Millis> TokenBucket::take(TimePoint now) {
    full_at_ = std::clamp(full_at_, now, now + most_); // also after the clock was set back
    const auto after = full_at_ + spacing_;
    if (after > now + most_) {
        return after - (now + most_);
    }
    full_at_ = after;
    return std::nullopt;
}

} // namespace baton::domain
