#include "baton/async/budget.hpp"
#include "baton/async/single_flight.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::async {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

TEST(Budget, IsNeverLessThanNothing) {
    EXPECT_EQ(Budget(-1s).left(), 0ms);
    EXPECT_TRUE(Budget(0ms).spent());
    EXPECT_FALSE(Budget(1h).spent());
    EXPECT_LE(Budget(1h).left(), 1h);
}

/// Work that ends when the test opens the door.
struct Door {
    explicit Door(asio::io_context& loop)
        : timer(loop, std::chrono::steady_clock::time_point::max()) {}

    asio::awaitable<int> work(int value) {
        ++started;
        boost::system::error_code ignored;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        if (ignored != asio::error::operation_aborted || !open) {
            throw boost::system::system_error(asio::error::operation_aborted);
        }
        co_return value;
    }

    asio::steady_timer timer;
    int started{0};
    bool open{false};
};

struct Flights {
    asio::io_context loop;
    SingleFlight<int> flights;
    Door door{loop};
    std::vector<std::optional<int>> results;

    asio::awaitable<void> join(std::string key, int value, Budget budget) {
        auto work = door.work(value);
        const auto result = co_await flights.run(std::move(key), std::move(work), budget);
        results.push_back(result);
    }

    void open() {
        door.open = true;
        door.timer.cancel();
    }
};

void ignore(const std::exception_ptr& /*thrown*/) {}

TEST(SingleFlight, ManyWhoWantTheSameWaitForOne) {
    Flights f;
    for (int i = 0; i < 20; ++i) {
        asio::co_spawn(f.loop, f.join("k", i, Budget(1h)), ignore);
    }
    f.loop.poll();
    EXPECT_EQ(f.door.started, 1);
    f.open();
    f.loop.run();
    EXPECT_EQ(f.results, std::vector<std::optional<int>>(20, 0));
}

TEST(SingleFlight, OthersDoNotWait) {
    Flights f;
    asio::co_spawn(f.loop, f.join("a", 1, Budget(1h)), ignore);
    asio::co_spawn(f.loop, f.join("b", 2, Budget(1h)), ignore);
    f.loop.poll();
    EXPECT_EQ(f.door.started, 2);
    f.open();
    f.loop.run();
}

TEST(SingleFlight, WhenTheFirstIsCancelledTheNextGoes) {
    Flights f;
    asio::cancellation_signal cancel;
    asio::co_spawn(
        f.loop, f.join("k", 1, Budget(1h)), asio::bind_cancellation_slot(cancel.slot(), ignore)
    );
    asio::co_spawn(f.loop, f.join("k", 2, Budget(1h)), ignore);
    asio::co_spawn(f.loop, f.join("k", 3, Budget(1h)), ignore);
    f.loop.poll();
    EXPECT_EQ(f.door.started, 1);
    cancel.emit(asio::cancellation_type::terminal);
    f.loop.poll();
    EXPECT_EQ(f.door.started, 2);
    f.open();
    f.loop.run();
    EXPECT_EQ(f.results, (std::vector<std::optional<int>>{2, 2}));
}

TEST(SingleFlight, WhoeverIsOutOfTimeStopsWaiting) {
    Flights f;
    asio::co_spawn(f.loop, f.join("k", 1, Budget(1h)), ignore);
    asio::co_spawn(f.loop, f.join("k", 2, Budget(0ms)), ignore);
    while (f.results.empty()) {
        f.loop.run_one();
    }
    EXPECT_EQ(f.results.front(), std::nullopt);
    f.open();
    f.loop.run();
    EXPECT_EQ(f.results.back(), 1);
}

TEST(SingleFlight, TheNextFlightStartsAnew) {
    Flights f;
    asio::co_spawn(f.loop, f.join("k", 1, Budget(1h)), ignore);
    f.loop.poll();
    f.open();
    f.loop.run();
    f.loop.restart();
    asio::co_spawn(f.loop, f.join("k", 2, Budget(1h)), ignore);
    f.loop.poll();
    f.open();
    f.loop.run();
    EXPECT_EQ(f.results, (std::vector<std::optional<int>>{1, 2}));
}

} // namespace
} // namespace baton::async
