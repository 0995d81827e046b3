#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace baton::sim {

/// Time that stands still until the driver moves it. One thread: sleepers, driver and bells share
/// one io_context.
///
/// A sleeper waits on a timer that never expires; only the driver releases it. Sleepers of one
/// moment wake in the order in which they lay down. A cancelled sleep throws operation_aborted,
/// like any cancelled wait; a sleeper whose frame is destroyed leaves the list by itself, whichever
/// of clock and coroutine dies first.
///
/// As on a real machine there are two clocks: the wall clock that `now` shows, and the steady one
/// that sleeps are measured by. `jump` moves only the first: whoever slept a minute still sleeps a
/// minute.
class VirtualClock final : public ports::Clock {
public:
    explicit VirtualClock(TimePoint start);
    ~VirtualClock() override;

    TimePoint now() const override;
    boost::asio::awaitable<void> sleep_until(TimePoint when) override;
    std::unique_ptr<ports::Bell> make_bell() override;

    /// Moves to the earliest sleeper and releases everybody due then; false when nobody sleeps.
    bool advance_to_next();
    /// Moves on by so much and releases everybody due on the way, in their order, at the end of it.
    void advance(Millis by);
    /// Sets the wall clock forward or back, as an operator or a time server would.
    void jump(Millis by);

    std::optional<TimePoint> next_wake() const;
    std::size_t sleepers() const;

    struct State;

private:
    std::shared_ptr<State> state_; // shared with frames that may outlive the clock
};

struct RunLimits {
    TimePoint until;              // of virtual time
    std::size_t steps{5'000'000}; // handlers run; a loop that never sleeps ends here
    /// Asked whenever nothing is ready to run; true ends the run. Empty: run until nobody sleeps
    /// either.
    std::function<bool()> done;
};

enum class RunEnd {
    done,        // `done` said so
    quiet,       // nothing is ready and nobody sleeps
    time_spent,  // the next sleeper wakes after `until`; the clock stands before it
    steps_spent, // probably a loop without a wait
};

/// Runs what is ready until nothing is, then jumps to the next sleeper, and so on.
RunEnd run_until_quiet(boost::asio::io_context& io, VirtualClock& clock, const RunLimits& limits);

} // namespace baton::sim
