#include "baton/async/deadline.hpp"
#include "baton/async/task_group.hpp"
#include "baton/base/result.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/run_coroutine.hpp"

namespace baton::async {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Deadlines in these tests are either over at once or far beyond the test's own limit: none is
// raced against.
constexpr std::chrono::milliseconds kNoTime{0};
constexpr std::chrono::milliseconds kAllTheTime{1h};

using Words = std::vector<std::string>;

asio::awaitable<int> answer() {
    co_await asio::post(asio::use_awaitable);
    co_return 42;
}

asio::awaitable<int> never(Words* words) {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, std::chrono::steady_clock::time_point::max());
    const auto [error] = co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    words->emplace_back(error ? "stopped" : "woken");
    co_return 7; // too late to count
}

asio::awaitable<int> stumble() {
    co_await asio::post(asio::use_awaitable);
    throw std::runtime_error("no such table");
}

asio::awaitable<int> never_but_throws_in_the_end() {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, std::chrono::steady_clock::time_point::max());
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    throw std::runtime_error("could not clean up");
}

asio::awaitable<Result<std::string>> answer_in_words() {
    co_return fail(Errc::not_found, "nobody of that name");
}

TEST(WithDeadline, HandsOutWhatTheWorkReturned) {
    asio::io_context loop;
    const auto value = test::run(loop, with_deadline(answer(), kAllTheTime));
    EXPECT_EQ(value, std::optional<std::optional<int>>(42));
}

TEST(WithDeadline, CarriesResultsOfOurOwn) {
    asio::io_context loop;
    const auto value = test::run(loop, with_deadline(answer_in_words(), kAllTheTime));
    ASSERT_TRUE(value && *value && !(**value));
    EXPECT_EQ((*value)->error().code, Errc::not_found);
}

TEST(WithDeadline, SaysWhenTimeRanOutAndStopsTheWork) {
    asio::io_context loop;
    Words words;
    const auto value = test::run(loop, with_deadline(never(&words), kNoTime));
    ASSERT_TRUE(value);
    EXPECT_EQ(*value, std::nullopt);
    EXPECT_THAT(words, testing::ElementsAre("stopped"));
}

TEST(WithDeadline, ThrowsAtOnceWhatTheWorkThrows) {
    asio::io_context loop; // were the timer awaited too, this test would take an hour
    EXPECT_THROW(test::run(loop, with_deadline(stumble(), kAllTheTime)), std::runtime_error);
}

TEST(WithDeadline, DoesNotHideWhatWentWrongAfterTimeRanOut) {
    asio::io_context loop;
    EXPECT_THROW(
        test::run(loop, with_deadline(never_but_throws_in_the_end(), kNoTime)), std::runtime_error
    );
}

asio::awaitable<void> wait_with_deadline(Words* words) {
    const auto value = co_await with_deadline(never(words), kAllTheTime);
    words->emplace_back(value ? "value" : "time ran out");
}

TEST(WithDeadline, BeingCancelledFromOutsideIsNoSurprise) {
    asio::io_context loop;
    Words words;
    Words surprises;
    TaskGroup group(loop.get_executor(), [&surprises](std::string what) {
        surprises.push_back(std::move(what));
    });
    group.spawn(wait_with_deadline(&words));
    loop.poll();
    group.cancel();
    EXPECT_TRUE(test::run(loop, group.join()));
    EXPECT_THAT(
        words, testing::ElementsAre("stopped", "value")
    ); // it returned a value, and late is not too late
    EXPECT_THAT(surprises, testing::IsEmpty());
}

asio::awaitable<int> plain_wait() {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, std::chrono::steady_clock::time_point::max());
    co_await timer.async_wait(asio::use_awaitable);
    co_return 1;
}

asio::awaitable<void> wait_plainly_with_deadline(Words* words) {
    static_cast<void>(co_await with_deadline(plain_wait(), kAllTheTime));
    words->emplace_back("went on");
}

TEST(WithDeadline, ACancellationFromOutsideComesThroughAsOne) {
    asio::io_context loop;
    Words words;
    Words surprises;
    TaskGroup group(loop.get_executor(), [&surprises](std::string what) {
        surprises.push_back(std::move(what));
    });
    group.spawn(wait_plainly_with_deadline(&words));
    loop.poll();
    group.cancel();
    EXPECT_TRUE(test::run(loop, group.join()));
    EXPECT_THAT(words, testing::IsEmpty());
    EXPECT_THAT(surprises, testing::IsEmpty());
}

} // namespace

} // namespace baton::async
