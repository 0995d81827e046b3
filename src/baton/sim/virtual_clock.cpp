#include "baton/sim/virtual_clock.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace baton::sim {

namespace asio = boost::asio;

namespace {

struct Sleeper {
    explicit Sleeper(const asio::any_io_executor& executor)
        : timer(executor, std::chrono::steady_clock::time_point::max()) {}

    void release() {
        released = true;
        timer.cancel();
    }

    asio::steady_timer timer;
    bool released{false};
};

} // namespace

struct VirtualClock::State {
    using Sleepers = std::multimap<Millis, Sleeper*>; // equal keys keep the order of insertion

    TimePoint now() const { return start + steady + shift; }

    void release_due() {
        while (!asleep.empty() && asleep.begin()->first <= steady) {
            const auto first = asleep.extract(asleep.begin());
            first.mapped()->release();
        }
    }

    TimePoint start;
    Millis steady{0}; // since start; never goes back
    Millis shift{0};  // what jumps added to the wall clock
    Sleepers asleep;
};

namespace {

/// A sleeper's place in the list, given back when the frame goes, woken or not.
class Bed {
public:
    Bed(std::shared_ptr<VirtualClock::State> state, Sleeper& sleeper, Millis until)
        : state_(std::move(state))
        , sleeper_(&sleeper) {
        place_ = state_->asleep.emplace(until, sleeper_);
    }

    Bed(const Bed&) = delete;
    Bed& operator=(const Bed&) = delete;

    ~Bed() {
        if (!sleeper_->released) { // release took it out of the list
            state_->asleep.erase(place_);
        }
    }

private:
    std::shared_ptr<VirtualClock::State> state_;
    Sleeper* sleeper_;
    VirtualClock::State::Sleepers::iterator place_;
};

class VirtualBell final : public ports::Bell {
public:
    explicit VirtualBell(std::shared_ptr<VirtualClock::State> clock)
        : clock_(std::move(clock)) {}

    void ring() override {
        ring_->rung = true;
        if (ring_->waiter != nullptr) {
            ring_->waiter->timer.cancel();
        }
    }

    asio::awaitable<void> wait_until(TimePoint until) override {
        const auto clock = clock_;
        const auto ring = ring_; // the frame may be destroyed after the bell
        BATON_ASSERT(ring->waiter == nullptr);
        if (ring->rung || until <= clock->now()) {
            co_await asio::post(asio::use_awaitable);
        } else {
            const auto executor = co_await asio::this_coro::executor;
            Sleeper sleeper(executor);
            const Bed bed(clock, sleeper, clock->steady + (until - clock->now()));
            const Waiting waiting(ring, sleeper);
            co_await sleeper.timer.async_wait(asio::as_tuple(asio::use_awaitable));
            if (!sleeper.released && !ring->rung) {
                throw boost::system::system_error(asio::error::operation_aborted);
            }
        }
        ring->rung = false;
    }

private:
    struct Ring {
        bool rung{false};
        Sleeper* waiter{nullptr};
    };

    class Waiting {
    public:
        Waiting(std::shared_ptr<Ring> ring, Sleeper& sleeper)
            : ring_(std::move(ring)) {
            ring_->waiter = &sleeper;
        }

        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;

        ~Waiting() { ring_->waiter = nullptr; }

    private:
        std::shared_ptr<Ring> ring_;
    };

    std::shared_ptr<VirtualClock::State> clock_;
    std::shared_ptr<Ring> ring_{std::make_shared<Ring>()};
};

} // namespace

VirtualClock::VirtualClock(TimePoint start)
    : state_(std::make_shared<State>()) {
    state_->start = start;
}

VirtualClock::~VirtualClock() = default;

TimePoint VirtualClock::now() const {
    return state_->now();
}

asio::awaitable<void> VirtualClock::sleep_until(TimePoint when) {
    const auto state = state_;
    if (when <= state->now()) {
        co_await asio::post(asio::use_awaitable); // others get their turn, as with a real timer
        co_return;
    }
    const auto executor = co_await asio::this_coro::executor;
    Sleeper sleeper(executor);
    const Bed bed(state, sleeper, state->steady + (when - state->now()));
    co_await sleeper.timer.async_wait(asio::as_tuple(asio::use_awaitable));
    if (!sleeper.released) {
        throw boost::system::system_error(asio::error::operation_aborted);
    }
}

std::unique_ptr<ports::Bell> VirtualClock::make_bell() {
    return std::make_unique<VirtualBell>(state_);
}

bool VirtualClock::advance_to_next() {
    if (state_->asleep.empty()) {
        return false;
    }
    state_->steady = state_->asleep.begin()->first;
    state_->release_due();
    return true;
}

void VirtualClock::advance(Millis by) {
    BATON_ASSERT(by >= Millis{0});
    state_->steady += by;
    state_->release_due();
}

void VirtualClock::jump(Millis by) {
    state_->shift += by;
}

std::optional<TimePoint> VirtualClock::next_wake() const {
    if (state_->asleep.empty()) {
        return std::nullopt;
    }
    return state_->now() + (state_->asleep.begin()->first - state_->steady);
}

std::size_t VirtualClock::sleepers() const {
    return state_->asleep.size();
}

RunEnd run_until_quiet(asio::io_context& io, VirtualClock& clock, const RunLimits& limits) {
    std::size_t steps = 0;
    while (true) {
        io.restart(); // a context that ran out of work counts as stopped
        while (io.poll_one() > 0) {
            if (++steps >= limits.steps) {
                return RunEnd::steps_spent;
            }
        }
        if (limits.done && limits.done()) {
            return RunEnd::done;
        }
        const auto next = clock.next_wake();
        if (!next) {
            return RunEnd::quiet;
        }
        if (*next > limits.until) {
            return RunEnd::time_spent;
        }
        clock.advance_to_next();
    }
}

} // namespace baton::sim
