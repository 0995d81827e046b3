#include "baton/relay/body_cache.hpp"

#include "baton/base/result.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/wire/dispatch_body.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <utility>

namespace baton::relay {

boost::asio::awaitable<Result<BodyCache::Shared>> BodyCache::body_for(domain::Dispatch dispatch) {
    Key key(dispatch.key.delivery, dispatch.trim);
    if (const auto found = by_key_.find(key); found != by_key_.end()) {
        slots_.splice(slots_.begin(), slots_, found->second);
        co_return found->second->body;
    }
    BATON_CO_TRY(const auto payload, co_await store_.body_of(dispatch.key.delivery));
    const wire::DeliveryFacts facts{
        .event_type = dispatch.event_type,
        .delivery = dispatch.key.delivery,
        .upstream = dispatch.upstream,
        .trim = dispatch.trim,
    };
    BATON_CO_TRY(auto body, wire::DispatchBody::make(facts, payload));
    auto shared = std::make_shared<const wire::DispatchBody>(std::move(body));
    keep(std::move(key), shared);
    co_return shared;
}

void BodyCache::keep(Key key, Shared body) {
    if (by_key_.contains(key)) {
        return; // another attempt of the same delivery was quicker
    }
    bytes_ += body->bytes();
    slots_.push_front({.key = key, .body = std::move(body)});
    by_key_[std::move(key)] = slots_.begin();
    while (bytes_ > bytes_max_ && slots_.size() > 1) {
        bytes_ -= slots_.back().body->bytes();
        by_key_.erase(slots_.back().key);
        slots_.pop_back();
    }
}

} // namespace baton::relay
