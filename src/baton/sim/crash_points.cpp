#include "baton/sim/crash_points.hpp"

#include "baton/sim/stepped_github.hpp"
#include "baton/sim/stepped_store.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

namespace asio = boost::asio;

Step::Order Incarnation::pass(std::string_view point) {
    if (dead_) {
        return Step::Order::die;
    }
    const auto order = hook_ ? hook_(point) : Step::Order::go_on;
    if (order == Step::Order::die) {
        die();
    }
    return order;
}

asio::awaitable<void> never() {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, std::chrono::steady_clock::time_point::max());
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
}

std::vector<std::string_view> all_crash_points() {
    std::vector<std::string_view> points;
    for (const auto& verb : kStoreVerbs) {
        points.push_back(verb.before);
        points.push_back(verb.after);
    }
    for (const auto& verb : kGithubVerbs) {
        points.push_back(verb.before);
        points.push_back(verb.after);
    }
    return points;
}

StepHook kill_hook(KillPlan plan) {
    auto passed = std::make_shared<std::atomic<std::size_t>>(0);
    return [plan = std::move(plan), passed](std::string_view point) {
        const bool meant = plan.point.empty() || plan.point == point;
        if (meant && ++*passed == plan.passage) {
            static_cast<void>(std::raise(SIGKILL)); // no destructor, no flush: as the power goes
        }
        return Step::Order::go_on;
    };
}

} // namespace baton::sim
