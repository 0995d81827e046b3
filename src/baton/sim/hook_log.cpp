#include "baton/sim/hook_log.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace baton::sim {

std::shared_ptr<const Webhook> HookLog::add(Webhook webhook) {
    auto kept = std::make_shared<const Webhook>(std::move(webhook));
    ++made_;
    webhooks_[kept->id] = kept;
    order_.push_back(kept->id);
    while (order_.size() > webhooks_max_) {
        webhooks_.erase(order_.front());
        order_.pop_front();
    }
    return kept;
}

Result<std::int64_t> HookLog::record(const AttemptResult& result) {
    auto kept = webhook(result.delivery);
    if (!kept) {
        return fail(Errc::not_found, fmt::format("no delivery {}", result.delivery.text()));
    }
    const auto id = next_id_++;
    attempts_.push_back(HookAttempt{
        .id = id,
        .webhook = std::move(kept),
        .at = result.at,
        .took = result.took,
        .redelivery = result.redelivery,
        .status_code = result.status_code,
        .status = result.status,
        .exchange = std::make_shared<const HookExchange>(result.exchange),
    });
    if (attempts_.size() > kExchangesMax) {
        attempts_[attempts_.size() - kExchangesMax - 1].exchange.reset();
    }
    if (attempts_.size() > 4 * webhooks_max_) {
        attempts_.pop_front();
    }
    return id;
}

std::vector<HookAttempt> HookLog::page(const HookPageQuery& query) const {
    const auto end = query.before
                         ? std::ranges::lower_bound(attempts_, *query.before, {}, &HookAttempt::id)
                         : attempts_.end();
    std::vector<HookAttempt> out;
    for (auto line = std::make_reverse_iterator(end);
         line != attempts_.rend() && out.size() < query.limit;
         ++line) {
        const bool wanted = (!query.succeeded || *query.succeeded == line->succeeded()) &&
                            line->at + kKept > query.now;
        if (wanted) {
            out.push_back(*line);
        }
    }
    return out;
}

const HookAttempt* HookLog::attempt(std::int64_t id, TimePoint now) const {
    const auto found = std::ranges::lower_bound(attempts_, id, {}, &HookAttempt::id);
    const bool there = found != attempts_.end() && found->id == id && found->at + kKept > now;
    return there ? &*found : nullptr;
}

std::shared_ptr<const Webhook> HookLog::webhook(const DeliveryId& id) const {
    const auto found = webhooks_.find(id);
    return found == webhooks_.end() ? nullptr : found->second;
}

} // namespace baton::sim
