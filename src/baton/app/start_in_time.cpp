#include "baton/app/start_in_time.hpp"

#include "baton/app/system_clock.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/relay.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace baton::app {

namespace asio = boost::asio;

namespace {

/// The newest time that somebody wrote; the last walk through GitHub's log is minutes old at most.
asio::awaitable<Result<TimePoint>> last_written(ports::Store* store) {
    BATON_CO_TRY(const auto walk, co_await store->last_walk());
    ports::DeliveryPageQuery newest{.limit = 1};
    BATON_CO_TRY(const auto deliveries, co_await store->list_deliveries(std::move(newest)));
    auto written = walk ? walk->ended_at : TimePoint{};
    for (const auto& delivery : deliveries) {
        written = std::max(written, delivery.received_at);
    }
    co_return written;
}

} // namespace

asio::awaitable<Result<void>> start_in_time(
    relay::Relay* relay, store::SqlStore* store, SystemClock* clock, ports::Journal* journal
) {
    BATON_CO_TRY(const auto written, co_await last_written(store));
    const bool is_alone = !store->lead(); // replicas are about to go by another clock
    if (!clock->not_before(written) && is_alone) {
        journal->note(ports::Trouble{
            .healed = false,
            .where = "clock",
            .detail = fmt::format(
                "the store was written at {}, and this machine says that it is {}: it is "
                "believed, and what waits for a moment of then goes on waiting",
                to_rfc3339(written),
                to_rfc3339(clock->now())
            ),
        });
    }
    co_return co_await relay->start();
}

} // namespace baton::app
