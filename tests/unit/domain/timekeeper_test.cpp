// What time a relay goes by when somebody sets its machine's clock.

#include "baton/base/time.hpp"
#include "baton/domain/timekeeper.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace baton::domain {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNoon = from_ms(1'800'000'000'000);

/// A machine that was started at noon, and somebody who sets its clock.
class Timekeeping : public testing::Test {
protected:
    Timekeeper::Reading reading() const {
        return {
            .passed = passed_,
            .machine = std::chrono::nanoseconds(kNoon.time_since_epoch()) + passed_ + set_,
        };
    }

    /// What time it is after so long, in which it was asked for every so often.
    TimePoint after(Millis time, Millis every = 100ms) {
        const auto end = passed_ + time;
        auto now = keeper_.now(reading());
        while (passed_ < end) {
            passed_ += every;
            const auto next = keeper_.now(reading());
            EXPECT_GE(next, now) << "time never goes back";
            now = next;
        }
        return now;
    }

    TimePoint machine() const { return TimePoint(std::chrono::floor<Millis>(reading().machine)); }

    void set(Millis ahead) { set_ = ahead; }

    std::chrono::nanoseconds passed_{5h};
    std::chrono::nanoseconds set_{-5h};
    Timekeeper keeper_{reading()};
};

TEST_F(Timekeeping, TimeIsWhatTheMachineSays) {
    EXPECT_EQ(keeper_.now(reading()), kNoon);
    EXPECT_EQ(after(10min), kNoon + 10min);
    EXPECT_EQ(keeper_.calendar(reading()), kNoon + 10min);
}

TEST_F(Timekeeping, AClockThatIsSetAnHourAheadForAMomentIsNotBelieved) {
    set(-5h + 1h);
    EXPECT_EQ(after(30s), kNoon + 30s);
    EXPECT_EQ(keeper_.calendar(reading()), kNoon + 30s);
    set(-5h);
    EXPECT_EQ(after(10min), kNoon + 10min + 30s);
}

TEST_F(Timekeeping, AClockThatIsSetAnHourBackForAMomentIsNotBelieved) {
    set(-6h);
    EXPECT_EQ(after(30s), kNoon + 30s);
    set(-5h);
    EXPECT_EQ(after(10min), kNoon + 10min + 30s);
}

TEST_F(Timekeeping, AClockThatStaysAheadIsFollowedAfterAMinute) {
    set(-5h + 1h);
    EXPECT_EQ(after(1min - 100ms), kNoon + 1min - 100ms);
    EXPECT_EQ(after(100ms), kNoon + 1h + 1min);
    EXPECT_EQ(after(1min), kNoon + 1h + 2min);
}

TEST_F(Timekeeping, AClockThatStaysBackIsWaitedForAtHalfSpeedAndNothingStandsStill) {
    set(-6h);
    EXPECT_EQ(after(1min), kNoon + 1min) << "in doubt time is counted on";
    EXPECT_EQ(keeper_.calendar(reading()), kNoon - 1h + 1min) << "what others signed is checked by";
    EXPECT_EQ(after(1h), kNoon + 1min + 30min);
    EXPECT_LT(machine(), kNoon + 30min);
    EXPECT_EQ(after(1h), machine()) << "two hours for one";
    EXPECT_EQ(after(1h), machine());
}

TEST_F(Timekeeping, WhatWasWrittenWhileTheClockStoodAheadIsWaitedForTwiceAsLongAtMost) {
    set(-4h);
    const auto due = after(5min) + 10s; // believed long since
    set(-5h);
    EXPECT_GE(after(20s + 100ms), due);
    after(1min);
    const auto later = keeper_.now(reading()) + 10s;
    EXPECT_GE(after(20s + 100ms), later);
}

TEST_F(Timekeeping, HowOftenItIsAskedForChangesNothing) {
    set(-6h);
    after(2min);
    EXPECT_EQ(after(1s, 1ms), kNoon + 1min + 30s + 500ms);
}

TEST_F(Timekeeping, AClockThatJumpsAgainIsDoubtedAnew) {
    set(-5h + 1h);
    after(50s);
    set(-5h + 2h);
    EXPECT_EQ(after(50s), kNoon + 100s);
    EXPECT_EQ(after(10s), kNoon + 2h + 110s);
}

TEST_F(Timekeeping, SmallStepsAreFollowedAtOnce) {
    set(-5h + 900ms);
    EXPECT_EQ(keeper_.now(reading()), kNoon + 900ms);
    set(-5h);
    EXPECT_EQ(keeper_.now(reading()), kNoon + 900ms) << "and never back";
    EXPECT_EQ(after(1s), kNoon + 1400ms);
    EXPECT_EQ(after(1s), kNoon + 2s);
}

TEST_F(Timekeeping, AStoreThatIsAheadIsGoneOnFrom) {
    EXPECT_TRUE(keeper_.not_before(kNoon + 1h, reading()));
    EXPECT_EQ(keeper_.now(reading()), kNoon + 1h);
    EXPECT_EQ(keeper_.calendar(reading()), kNoon);
    EXPECT_EQ(after(1h), kNoon + 1h + 30min);
    EXPECT_EQ(after(1h), kNoon + 2h) << "then the machine has caught up";
}

TEST_F(Timekeeping, AStoreThatIsBehindChangesNothing) {
    EXPECT_TRUE(keeper_.not_before(kNoon - 24h, reading()));
    EXPECT_EQ(keeper_.now(reading()), kNoon);
}

TEST_F(Timekeeping, AStoreThatIsDaysAheadIsNotBelieved) {
    EXPECT_FALSE(keeper_.not_before(kNoon + 25h, reading()));
    EXPECT_EQ(keeper_.now(reading()), kNoon);
}

} // namespace
} // namespace baton::domain
