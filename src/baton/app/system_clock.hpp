#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>

namespace baton::app {

/// The machine's clock. `now` is the wall clock; waits are measured by the steady one and looked at
/// again once a minute, so a clock that jumps shortens or lengthens a wait by a minute at most.
/// Sleeps and bells belong to the executor they were given.
class SystemClock final : public ports::Clock {
public:
    explicit SystemClock(boost::asio::any_io_executor executor);

    TimePoint now() const override;
    boost::asio::awaitable<void> sleep_until(TimePoint when) override;
    std::unique_ptr<ports::Bell> make_bell() override;

private:
    boost::asio::any_io_executor executor_;
};

} // namespace baton::app
