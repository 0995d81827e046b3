#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>

namespace baton::app {

/// The machine's clock, or a better one: once it was set, `now` is that moment and what has passed
/// since, and whoever sets the machine's own changes nothing here. Until then it is the wall clock;
/// waits are measured by the steady one and looked at
/// again once a minute, so a clock that jumps shortens or lengthens a wait by a minute at most.
/// Sleeps and bells belong to the executor they were given.
class SystemClock final : public ports::Clock {
public:
    explicit SystemClock(boost::asio::any_io_executor executor);

    /// It is this moment. Any thread.
    void set(TimePoint moment);

    TimePoint now() const override;
    boost::asio::awaitable<void> sleep_until(TimePoint when) override;
    std::unique_ptr<ports::Bell> make_bell() override;

    class Reading;

private:
    boost::asio::any_io_executor executor_;
    std::shared_ptr<Reading> reading_; // bells have it too
};

} // namespace baton::app
