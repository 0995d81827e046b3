#pragma once

#include "baton/base/result.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/notices.hpp"
#include "baton/ports/sink.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>
#include <vector>

namespace baton::relay {

using Sinks = std::vector<std::shared_ptr<ports::Sink>>;

std::vector<std::string> names_of(const Sinks& sinks);

/// Tells the store who is told of notifications: what is written from then on goes to them and to
/// nobody else. Without a place for it there is nothing to tell.
boost::asio::awaitable<Result<void>> name_receivers(
    ports::Notices* notices, Sinks receivers, ports::Clock& clock, ports::Journal& journal
);

} // namespace baton::relay
