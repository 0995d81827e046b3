#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>

namespace baton::app {

/// The machine's clock as domain::Timekeeper follows it, or a better one, followed in the same way:
/// once this was set, whoever sets the machine's own changes nothing here.
/// Waits are measured by the steady clock and looked at again once a minute.
/// Sleeps and bells belong to the executor they were given.
class SystemClock final : public ports::Clock {
public:
    explicit SystemClock(boost::asio::any_io_executor executor);

    /// The better clock shows this moment; the first time it is believed at once, but for what was
    /// written before. Any thread.
    void set(TimePoint moment);

    /// This moment was written down before we began: time goes on from there. False when it is too
    /// far ahead (domain::Timekeeper). Any thread.
    bool not_before(TimePoint when);

    /// What others would call the time, for what they signed and what they check: the machine's as
    /// it is believed. Where `now` must not go back, this one may. Any thread.
    TimePoint calendar() const;

    TimePoint now() const override;
    boost::asio::awaitable<void> sleep_until(TimePoint when) override;
    std::unique_ptr<ports::Bell> make_bell() override;

    class Reading;

private:
    boost::asio::any_io_executor executor_;
    std::shared_ptr<Reading> reading_; // bells have it too
};

} // namespace baton::app
