#include "baton/app/system_clock.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/timekeeper.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace baton::app {

namespace asio = boost::asio;

namespace {

constexpr Millis kLookAgain{std::chrono::minutes{1}};

std::chrono::steady_clock::time_point steady() {
    return std::chrono::steady_clock::now();
}

/// The time that a machine sleeps has passed, too.
std::chrono::nanoseconds since_boot() {
    timespec passed{};
    ::clock_gettime(CLOCK_BOOTTIME, &passed);
    return std::chrono::seconds{passed.tv_sec} + std::chrono::nanoseconds{passed.tv_nsec};
}

} // namespace

/// What time it is.
class SystemClock::Reading {
public:
    TimePoint now() const {
        const std::lock_guard lock(mutex_);
        return keeper_.now(clocks());
    }

    TimePoint calendar() const {
        const std::lock_guard lock(mutex_);
        return keeper_.calendar(clocks());
    }

    bool not_before(TimePoint when) {
        const std::lock_guard lock(mutex_);
        written_ = when;
        return keeper_.not_before(when, clocks());
    }

    void set(TimePoint moment) {
        const std::lock_guard lock(mutex_);
        const bool first = !ahead_;
        ahead_ = moment.time_since_epoch() - since_boot();
        if (first) {
            keeper_ = domain::Timekeeper(clocks());
            keeper_.not_before(
                written_, clocks()
            ); // others may go by a later time than it shows now
        }
    }

    /// When a wait for this moment ends at the latest: a clock that is set back prolongs none.
    std::chrono::steady_clock::time_point latest_for(TimePoint when) const {
        return steady() + std::min<Millis>(when - now(), std::chrono::days{3650});
    }

private:
    domain::Timekeeper::Reading clocks() const {
        const auto passed = since_boot();
        const std::chrono::nanoseconds machine =
            ahead_ ? passed + *ahead_ : std::chrono::system_clock::now().time_since_epoch();
        return {.passed = passed, .machine = machine};
    }

    mutable std::mutex mutex_;
    TimePoint written_{};                           // guarded: what was written before we began
    std::optional<std::chrono::nanoseconds> ahead_; // guarded: the better clock, less what passed
    mutable domain::Timekeeper keeper_{clocks()};   // guarded
};

namespace {

/// Rings are remembered in a flag; the timer belongs to the executor and is touched only there.
class SystemBell final : public ports::Bell {
public:
    SystemBell(asio::any_io_executor executor, std::shared_ptr<const SystemClock::Reading> reading)
        : state_(std::make_shared<State>(std::move(executor)))
        , reading_(std::move(reading)) {}

    void ring() override {
        if (!state_->rung.exchange(true)) {
            asio::post(state_->timer.get_executor(), [state = state_] { state->timer.cancel(); });
        }
    }

    asio::awaitable<void> wait_until(TimePoint until) override {
        const auto state = state_;
        const auto reading = reading_;
        const auto latest = reading->latest_for(until);
        while (!state->rung.exchange(false) && reading->now() < until && steady() < latest) {
            state->timer.expires_after(std::min<Millis>(until - reading->now(), kLookAgain));
            const auto [error] =
                co_await state->timer.async_wait(asio::as_tuple(asio::use_awaitable));
            static_cast<void>(error
            ); // woken or late: the loop looks again, and a cancelled task throws at its next wait
        }
    }

private:
    struct State {
        explicit State(asio::any_io_executor executor)
            : timer(std::move(executor)) {}

        asio::steady_timer timer;
        std::atomic<bool> rung{false};
    };

    std::shared_ptr<State> state_; // outlives the bell while a ring is on its way
    std::shared_ptr<const SystemClock::Reading> reading_;
};

} // namespace

SystemClock::SystemClock(asio::any_io_executor executor)
    : executor_(std::move(executor))
    , reading_(std::make_shared<Reading>()) {}

void SystemClock::set(TimePoint moment) {
    reading_->set(moment);
}

bool SystemClock::not_before(TimePoint when) {
    return reading_->not_before(when);
}

TimePoint SystemClock::calendar() const {
    return reading_->calendar();
}

TimePoint SystemClock::now() const {
    return reading_->now();
}

asio::awaitable<void> SystemClock::sleep_until(TimePoint when) {
    asio::steady_timer timer(executor_);
    const auto reading = reading_;
    const auto latest = reading->latest_for(when);
    while (reading->now() < when && steady() < latest) {
        timer.expires_after(std::min<Millis>(when - reading->now(), kLookAgain));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

std::unique_ptr<ports::Bell> SystemClock::make_bell() {
    return std::make_unique<SystemBell>(executor_, reading_);
}

} // namespace baton::app
