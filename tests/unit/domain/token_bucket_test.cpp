#include "baton/base/time.hpp"
#include "baton/domain/token_bucket.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

namespace baton::domain {
namespace {

using std::chrono::milliseconds;

constexpr TimePoint kNoon = from_ms(1'800'000'000'000);

TEST(TokenBucket, GivesABurstAndThenItsRate) {
    TokenBucket bucket(100, kNoon);
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(bucket.take(kNoon), std::nullopt) << i;
    }
    EXPECT_EQ(bucket.take(kNoon), milliseconds{600});
    EXPECT_EQ(bucket.take(kNoon + milliseconds{599}), milliseconds{1});
    EXPECT_EQ(bucket.take(kNoon + milliseconds{600}), std::nullopt);
    EXPECT_EQ(bucket.take(kNoon + milliseconds{600}), milliseconds{600});
}

TEST(TokenBucket, DoesNotPunishAskingTooOften) {
    TokenBucket bucket(1, kNoon);
    EXPECT_EQ(bucket.take(kNoon), std::nullopt);
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(bucket.take(kNoon), std::chrono::minutes{1});
    }
    EXPECT_EQ(bucket.take(kNoon + std::chrono::minutes{1}), std::nullopt);
}

TEST(TokenBucket, HoldsNoMoreThanAMinutesWorth) {
    TokenBucket bucket(2, kNoon);
    const auto later = kNoon + std::chrono::hours{5};
    EXPECT_EQ(bucket.take(later), std::nullopt);
    EXPECT_EQ(bucket.take(later), std::nullopt);
    EXPECT_NE(bucket.take(later), std::nullopt);
}

TEST(TokenBucket, SurvivesAClockThatIsSetBack) {
    TokenBucket bucket(1, kNoon);
    EXPECT_EQ(bucket.take(kNoon), std::nullopt);
    const auto earlier = kNoon - std::chrono::hours{5};
    EXPECT_EQ(bucket.take(earlier), std::chrono::minutes{1});
    EXPECT_EQ(bucket.take(earlier + std::chrono::minutes{1}), std::nullopt);
}

} // namespace
} // namespace baton::domain
