#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/dispatch_body.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <utility>

namespace baton::relay {

/// The dispatch body of a delivery, read and trimmed once for all its downstreams. Bounded by
/// bytes; the one used longest ago goes first. Relay's executor only.
class BodyCache {
public:
    explicit BodyCache(ports::Store& store, std::size_t bytes_max = limits::kPayloadCacheBytesMax)
        : store_(store)
        , bytes_max_(bytes_max) {}

    using Shared = std::shared_ptr<const wire::DispatchBody>;

    /// not_found: the body is gone. invalid: nothing that may be dropped makes it small enough.
    /// unavailable: the store.
    boost::asio::awaitable<Result<Shared>> body_for(domain::Dispatch dispatch);

private:
    using Key = std::pair<DeliveryId, domain::TrimStep>;

    struct Slot {
        Key key;
        Shared body;
    };

    void keep(Key key, Shared body);

    ports::Store& store_;
    std::size_t bytes_max_;
    std::size_t bytes_{0};
    std::list<Slot> slots_; // most recently used first
    std::map<Key, std::list<Slot>::iterator> by_key_;
};

} // namespace baton::relay
