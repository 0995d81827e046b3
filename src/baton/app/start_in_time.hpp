#pragma once

#include "baton/app/system_clock.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/journal.hpp"
#include "baton/relay/relay.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <boost/asio/awaitable.hpp>

namespace baton::app {

/// Starts the relay, at a time that is not before what its last life wrote down: its machine's
/// clock may have been set back while nobody was there. Replicas go by their database's.
boost::asio::awaitable<Result<void>> start_in_time(
    relay::Relay* relay, store::SqlStore* store, SystemClock* clock, ports::Journal* journal
);

} // namespace baton::app
