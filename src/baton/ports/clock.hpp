#pragma once

#include "baton/base/time.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>

namespace baton::ports {

/// Wakes one waiting loop. `ring` may be called from any thread; rings before a wait are remembered
/// as one.
class Bell {
public:
    Bell() = default;
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;
    virtual ~Bell() = default;

    virtual void ring() = 0;
    /// Returns when rung, or at `until`, whichever comes first. One waiter at a time.
    virtual boost::asio::awaitable<void> wait_until(TimePoint until) = 0;
};

/// The only source of time. The real one lives in app, the virtual one in sim.
class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    virtual TimePoint now() const = 0; // any thread
    virtual boost::asio::awaitable<void> sleep_until(TimePoint when) = 0;
    virtual std::unique_ptr<Bell> make_bell() = 0;
};

} // namespace baton::ports
