#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace baton::program {

/// What to send again.
struct Redelivery {
    DeliveryId delivery; // empty: every one
    std::optional<RepoName> downstream;
    std::vector<domain::DispatchState> states; // empty: failed and dead
};

/// Of one delivery: the newest generation for each downstream that is asked for, whatever its
/// state.
std::vector<domain::Dispatch>
newest_of(const ports::DeliveryHistory& history, const Redelivery& wanted);

/// Finds dispatches at rest and sends them again, delivery by delivery.
///
/// What matches is settled first. A downstream that fails at once while we are still sending would
/// otherwise match again and again.
class Redeliverer {
public:
    explicit Redeliverer(ports::Store& store)
        : store_(store) {}

    /// The newest generations that match, oldest delivery first. `not_found` for a delivery that is
    /// unknown or whose payload is past retention; among all of them, such are left out.
    boost::asio::awaitable<Result<std::vector<domain::Dispatch>>> matches(Redelivery wanted);

    /// How many were sent again: fewer than `found` when some moved on meanwhile.
    boost::asio::awaitable<Result<std::size_t>> redeliver(
        Redelivery wanted, std::vector<domain::Dispatch> found, std::string actor, TimePoint now
    );

private:
    boost::asio::awaitable<Result<std::vector<DeliveryId>>> candidates(Redelivery wanted);

    ports::Store& store_;
};

} // namespace baton::program
