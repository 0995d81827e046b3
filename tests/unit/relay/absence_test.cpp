#include "baton/base/time.hpp"
#include "baton/relay/absence.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace baton::relay {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNoted{1h};
constexpr Absence kAway{.noted_at = kNoted, .try_at = kNoted + 30s, .tries = 4};

TEST(Absence, HoldsBackUntilTheNextTryIsDue) {
    EXPECT_TRUE(kAway.holds_back(kNoted));
    EXPECT_TRUE(kAway.holds_back(kNoted + 29s));
    EXPECT_FALSE(kAway.holds_back(kNoted + 30s));
}

TEST(Absence, HoldsBackNobodyWhoseClockWasSetBack) {
    EXPECT_FALSE(kAway.holds_back(kNoted - 1s));
}

TEST(Absence, IsNoNewsFromWhatLeftBeforeTheNextTryWasDue) {
    const auto back_at = kNoted + 40s;
    EXPECT_TRUE(kAway.was_known_at(kNoted - 5s, back_at)) << "it was under way with the first";
    EXPECT_TRUE(kAway.was_known_at(kNoted + 29s, back_at));
    EXPECT_FALSE(kAway.was_known_at(kNoted + 30s, back_at)) << "the next try itself";
}

TEST(Absence, IsNewsAgainAfterTheClockWasSetBack) {
    EXPECT_FALSE(kAway.was_known_at(kNoted - 5min, kNoted - 4min));
}

} // namespace
} // namespace baton::relay
