#pragma once

#include "baton/base/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

/// What shall happen at a point that a call passes.
struct Step {
    enum class Order {
        go_on,
        fail, // the call answers `unavailable` and has no effect; means go_on after the call: the
              // effect is there
        die,  // the incarnation ends here: nothing it calls has an effect or returns any more
    };
};

/// Asked with a stable name ("store.settle.before", "github.dispatch.after") each time a call
/// passes that point. In a real process it may be asked from several threads.
using StepHook = std::function<Step::Order(std::string_view point)>;

/// One life of the relay, shared by all decorators of that life: when one of them dies, all of them
/// are dead.
class Incarnation {
public:
    explicit Incarnation(StepHook hook)
        : hook_(std::move(hook)) {}

    bool dead() const { return dead_; }

    void die() { dead_ = true; }

    /// Asks the hook unless dead already. Never asks it again after the end.
    Step::Order pass(std::string_view point);

private:
    StepHook hook_;
    std::atomic<bool> dead_{false};
};

/// Suspends until the coroutine is cancelled: what a call of a dead incarnation does instead of
/// returning.
boost::asio::awaitable<void> never();

/// The names of a verb's two points, made once: hooks may keep the views.
struct VerbPoints {
    std::string_view before;
    std::string_view after;
};

/// Every point that SteppedStore and SteppedGithub pass, in the order of the ports' headers.
std::vector<std::string_view> all_crash_points();

/// For the real process: SIGKILL at the nth passage (from 1) of a point; of any point when it is
/// empty. `unavailable` is never ordered. Any thread.
struct KillPlan {
    std::string point;
    std::size_t passage{1};
};

StepHook kill_hook(KillPlan plan);

/// The one road of every decorated call: before, call, after. `call` starts the real call only when
/// invoked, so a step before it is truly before. `failed` turns a code into the verb's kind of
/// answer; a call of an ended life gets it only once cancelled.
template <class T, class Call, class Failed>
boost::asio::awaitable<T>
step_through(std::shared_ptr<Incarnation> life, VerbPoints points, Call call, Failed failed) {
    const auto order = life->pass(points.before);
    if (order == Step::Order::die) {
        co_await never();
        co_return failed(Errc::cancelled);
    }
    if (order == Step::Order::fail) {
        co_return failed(Errc::unavailable);
    }
    auto value = co_await call();
    if (life->pass(points.after) == Step::Order::die) {
        co_await never();
        co_return failed(Errc::cancelled);
    }
    co_return value;
}

} // namespace baton::sim
