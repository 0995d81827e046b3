#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>

namespace baton::relay {

/// Forgets what is kept for a time only, once an hour, a few hundred rows at a time so that nobody
/// else waits for the store. Relay's executor.
class Pruner {
public:
    struct Settings {
        Millis bodies_for{std::chrono::days{30}};
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

    /// One round through everything whose time is over.
    boost::asio::awaitable<void> round();

private:
    boost::asio::awaitable<Result<std::size_t>> prune_bodies();

    Settings settings_;
    Surroundings around_;
};

} // namespace baton::relay
