// The part of the tables that forgets: payloads whose time is over.

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/delivery.hpp"
#include "baton/ports/retention.hpp"
#include "baton/store/memory/memory_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>

namespace baton::store::memory {

bool Tables::is_newest_of_pull(const ports::Delivery& delivery) const {
    const auto newer =
        std::ranges::subrange(deliveries_.upper_bound(delivery.sequence), deliveries_.end());
    const auto repository = lower(delivery.repository);
    return std::ranges::none_of(newer, [&](const auto& entry) {
        const auto& other = entry.second.delivery;
        return other.pr == delivery.pr && lower(other.repository) == repository;
    });
}

bool Tables::is_body_needed(const ports::Delivery& delivery, TimePoint cut) const {
    if (delivery.received_at >= cut || delivery.state == ports::DeliveryState::to_plan) {
        return true;
    }
    const auto at = by_delivery_.find(delivery.sequence);
    const bool pending =
        at != by_delivery_.end() && std::ranges::any_of(at->second, [this](const auto& entry) {
            return dispatches_.at(entry.second).dispatch.state == domain::DispatchState::pending;
        });
    if (pending) {
        return true;
    }
    const auto upstream = RepoName::parse(delivery.repository);
    if (!upstream || !delivery.pr) {
        return false;
    }
    const auto pull = pull_requests_.find({*upstream, *delivery.pr});
    if (pull == pull_requests_.end()) {
        return false;
    }
    const auto& known = pull->second;
    const bool lives = known.open || known.closed_at.value_or(known.updated_at) >= cut;
    return lives && (known.newest_forwarded == delivery.id || is_newest_of_pull(delivery));
}

ports::PruneStep Tables::prune_bodies(const ports::PruneQuery& query) {
    const TimePoint cut = query.now - query.keep_for;
    ports::PruneStep step;
    std::size_t seen = 0;
    bool any_old = false;
    for (auto at = deliveries_.upper_bound(query.after); at != deliveries_.end(); ++at) {
        auto& row = at->second;
        if (!row.body) {
            continue;
        }
        any_old = any_old || row.delivery.received_at < cut;
        if (!is_body_needed(row.delivery, cut)) {
            row.body.reset();
            ++step.removed;
        }
        if (++seen == query.limit) {
            if (any_old) {
                step.next = at->first;
            }
            break;
        }
    }
    return step;
}

} // namespace baton::store::memory
