#pragma once

#include "baton/base/ids.hpp"

#include <cstddef>
#include <mutex>
#include <unordered_set>
#include <utility>

namespace baton::store::sql {

/// Ids of deliveries that are on disk for certain, the newest of them: a copy of one is known
/// without packing its body and without the writer. Forgetting is harmless, the schema decides
/// then.
///
/// Two halves: when the young one is full it becomes the old one, and what was old is forgotten. So
/// between `half` and twice as many are remembered. Any thread.
class RecentIds {
public:
    explicit RecentIds(std::size_t half)
        : half_(half) {}

    bool contains(const DeliveryId& id) const {
        const std::scoped_lock lock(mutex_);
        return young_.contains(id) || old_.contains(id);
    }

    /// Only once it is committed.
    void add(DeliveryId id) {
        const std::scoped_lock lock(mutex_);
        if (young_.size() >= half_) {
            old_ = std::exchange(young_, {});
        }
        young_.insert(std::move(id));
    }

private:
    std::size_t half_;
    mutable std::mutex mutex_;
    std::unordered_set<DeliveryId> young_;
    std::unordered_set<DeliveryId> old_;
};

} // namespace baton::store::sql
