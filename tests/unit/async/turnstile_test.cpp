#include "baton/async/budget.hpp"
#include "baton/async/task_group.hpp"
#include "baton/async/turnstile.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace baton::async {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct Crowd {
    asio::io_context loop;
    Turnstile turnstile{2};
    TaskGroup visitors{loop.get_executor(), [](const std::string& surprise) {
                           ADD_FAILURE() << surprise;
                       }};
    std::size_t inside{0};
    std::size_t most{0};
    std::vector<int> order;
    std::size_t turned_away{0};

    asio::awaitable<void> visit(int name, Budget budget, std::chrono::milliseconds stay) {
        const auto place = co_await turnstile.enter(budget);
        if (!place) {
            ++turned_away;
            co_return;
        }
        order.push_back(name);
        most = std::max(most, ++inside);
        asio::steady_timer timer(loop, stay);
        co_await timer.async_wait(asio::use_awaitable);
        --inside;
    }

    void come(int name, std::chrono::milliseconds patience, std::chrono::milliseconds stay) {
        visitors.spawn(visit(name, Budget(patience), stay));
    }
};

TEST(Turnstile, LetsNoMoreInThanItHasPlacesAndServesInOrder) {
    Crowd crowd;
    for (int name = 0; name < 9; ++name) {
        crowd.come(name, 1h, 1ms);
    }
    crowd.loop.run();
    EXPECT_EQ(crowd.most, 2U);
    EXPECT_EQ(crowd.order, (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Turnstile, WhoseTimeIsSpentLeavesTheLine) {
    Crowd crowd;
    crowd.come(0, 1h, 50ms);
    crowd.come(1, 1h, 50ms);
    crowd.come(2, 1ms, 1ms); // gives up
    crowd.come(3, 1h, 1ms);
    crowd.loop.run();
    EXPECT_EQ(crowd.turned_away, 1U);
    EXPECT_EQ(crowd.order, (std::vector{0, 1, 3}));
    EXPECT_EQ(crowd.inside, 0U);
}

} // namespace
} // namespace baton::async
