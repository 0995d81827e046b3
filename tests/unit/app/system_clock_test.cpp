#include "baton/app/system_clock.hpp"
#include "baton/base/time.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <chrono>

#include "support/run_coroutine.hpp"

namespace baton::app {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kLongAgo = from_ms(1'000'000'000'000);

TEST(SystemClock, OnceSetGoesOnFromThereWhateverTheMachineSays) {
    boost::asio::io_context io;
    SystemClock clock(io.get_executor());
    EXPECT_GT(clock.now(), kLongAgo + 24h);
    clock.set(kLongAgo);
    EXPECT_GE(clock.now(), kLongAgo);
    EXPECT_LT(clock.now(), kLongAgo + 1h);
}

TEST(SystemClock, DoubtsABetterClockThatJumps) {
    boost::asio::io_context io;
    SystemClock clock(io.get_executor());
    clock.set(kLongAgo);
    clock.set(kLongAgo + 1h);
    EXPECT_LT(clock.now(), kLongAgo + 1h);
    clock.set(kLongAgo - 1h);
    EXPECT_GE(clock.now(), kLongAgo);
    EXPECT_GE(clock.calendar(), kLongAgo);
}

TEST(SystemClock, FollowsSmallStepsOfABetterClockAndNeverGoesBack) {
    boost::asio::io_context io;
    SystemClock clock(io.get_executor());
    clock.set(kLongAgo);
    clock.set(kLongAgo + 900ms);
    const auto ahead = clock.now();
    EXPECT_GE(ahead, kLongAgo + 900ms);
    clock.set(kLongAgo + 400ms);
    EXPECT_GE(clock.now(), ahead);
    EXPECT_LT(clock.calendar(), ahead);
}

TEST(SystemClock, GoesOnFromWhatWasWrittenWhereABetterClockIsBehindIt) {
    boost::asio::io_context io;
    SystemClock clock(io.get_executor());
    EXPECT_TRUE(clock.not_before(kLongAgo + 1h));
    clock.set(kLongAgo);
    EXPECT_GE(clock.now(), kLongAgo + 1h) << "others go by that time";
    EXPECT_LT(clock.calendar(), kLongAgo + 30min);
}

TEST(SystemClock, WaitsByTheTimeThatItWasSetTo) {
    boost::asio::io_context io;
    SystemClock clock(io.get_executor());
    clock.set(kLongAgo);
    EXPECT_TRUE(test::run(io, clock.sleep_until(kLongAgo + 20ms)));
    EXPECT_GE(clock.now(), kLongAgo + 20ms);
    const auto bell = clock.make_bell();
    EXPECT_TRUE(test::run(io, bell->wait_until(kLongAgo + 40ms)));
    EXPECT_GE(clock.now(), kLongAgo + 40ms);
}

} // namespace
} // namespace baton::app
