#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace baton::test {

/// A clock that moves when the test says so. `now` may be asked from any thread; everything else
/// belongs to one.
class ManualClock : public ports::Clock {
public:
    explicit ManualClock(TimePoint start = from_ms(1'800'000'000'000))
        : ms_(to_ms(start)) {}

    TimePoint now() const override { return from_ms(ms_.load()); }

    /// Moves, back or forth, and lets everybody who waited look again.
    void set(TimePoint when) {
        ms_ = to_ms(when);
        for (const auto& waiter : std::exchange(waiters_, {})) {
            if (const auto timer = waiter.lock()) {
                timer->cancel();
            }
        }
    }

    void advance(Millis by) { set(now() + by); }

    boost::asio::awaitable<void> sleep_until(TimePoint when) override {
        while (now() < when) {
            co_await change();
        }
    }

    std::unique_ptr<ports::Bell> make_bell() override { return std::make_unique<ManualBell>(this); }

private:
    /// Who waits owns its timer: one that is left waiting ends with its loop, not with this clock.
    using Timer = std::weak_ptr<boost::asio::steady_timer>;

    class ManualBell : public ports::Bell {
    public:
        explicit ManualBell(ManualClock* clock)
            : clock_(clock) {}

        void ring() override {
            rung_ = true;
            clock_->set(clock_->now());
        }

        boost::asio::awaitable<void> wait_until(TimePoint until) override {
            while (!rung_ && clock_->now() < until) {
                co_await clock_->change();
            }
            rung_ = false;
        }

    private:
        ManualClock* clock_;
        bool rung_{false};
    };

    boost::asio::awaitable<void> change() {
        const auto executor = co_await boost::asio::this_coro::executor;
        const auto timer = std::make_shared<boost::asio::steady_timer>(
            executor, std::chrono::steady_clock::time_point::max()
        );
        waiters_.push_back(timer);
        static_cast<void>(
            co_await timer->async_wait(boost::asio::as_tuple(boost::asio::use_awaitable))
        );
    }

    std::atomic<std::int64_t> ms_;
    std::vector<Timer> waiters_;
};

} // namespace baton::test
