#include "baton/sim/hook_outbox.hpp"

#include "baton/base/ids.hpp"

#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace baton::sim {

void HookOutbox::put(DeliveryId delivery, bool redelivery) {
    const bool twice = draw(mischief_.duplicate);
    const Outgoing one{
        .delivery = std::move(delivery),
        .redelivery = redelivery,
        .lost = draw(mischief_.lose),
    };
    waiting_.push_back(one);
    if (twice) {
        waiting_.push_back(one);
    }
}

std::optional<Outgoing> HookOutbox::take() {
    if (mischief_.paused || waiting_.empty()) {
        return std::nullopt;
    }
    const auto place = draw(mischief_.reorder) ? chance_.draw().below(waiting_.size()) : 0;
    const auto at = std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(place));
    auto next = std::move(*at);
    waiting_.erase(at);
    return next;
}

bool HookOutbox::draw(double probability) {
    // What is certain draws nothing: switching one mischief on does not shift the others.
    if (probability <= 0.0 || probability >= 1.0) {
        return probability >= 1.0;
    }
    return chance_.draw().unit() < probability;
}

} // namespace baton::sim
