#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/retention.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>

namespace baton::relay {

/// Forgets what is kept for a time only, once an hour, a few hundred rows at a time so that nobody
/// else waits for the store. Relay's executor.
class Pruner {
public:
    struct Settings {
        Millis bodies_for{std::chrono::days{30}};
        Millis results_for{std::chrono::days{396}};
    };

    struct Surroundings {
        ports::Store& store;
        ports::Clock& clock;
        ports::Journal& journal;
        std::function<bool()> leads{[] { return true; }}; // whether this is ours to do
    };

    Pruner(Settings settings, Surroundings around);

    /// Goes round for ever. Not at once: a relay that starts has more urgent things to write.
    boost::asio::awaitable<void> run();

    /// One round through everything whose time is over; once a day it measures what is left.
    boost::asio::awaitable<void> round();

private:
    /// One of the store's verbs that walk through what is kept, and for whom.
    struct Walk {
        ports::Store::Awaitable<ports::PruneStep> (ports::Store::*verb)(ports::PruneQuery){};
        Millis keep_for{};
        std::size_t step{0}; // rows that are looked at in one transaction
    };

    boost::asio::awaitable<Result<ports::Pruned>> prune();
    boost::asio::awaitable<Result<std::size_t>> walk(Walk walk);
    boost::asio::awaitable<Result<void>> measure();

    Settings settings_;
    Surroundings around_;
    std::optional<TimePoint> measured_at_;
};

} // namespace baton::relay
