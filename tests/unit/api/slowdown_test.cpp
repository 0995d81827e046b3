#include "baton/api/slowdown.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>

namespace baton::api {
namespace {

constexpr TimePoint kNoon = from_ms(1'800'000'000'000);

TEST(Slowdown, LetsTheFirstFewRefusalsOfAMinutePass) {
    Slowdown slowdown;
    for (std::size_t i = 0; i < limits::kRefusalsUnslowed; ++i) {
        EXPECT_EQ(slowdown.delay_for("10.0.0.1", kNoon), Millis{0}) << i;
        slowdown.note_refusal("10.0.0.1", kNoon);
    }
    EXPECT_EQ(slowdown.delay_for("10.0.0.1", kNoon), limits::kSlowdown);
    EXPECT_EQ(slowdown.delay_for("10.0.0.2", kNoon), Millis{0}) << "nobody else pays for it";
    EXPECT_EQ(slowdown.delay_for("10.0.0.1", kNoon + std::chrono::minutes{1}), Millis{0});
}

TEST(Slowdown, RemembersABoundedNumberOfAddresses) {
    Slowdown slowdown;
    for (std::size_t i = 0; i < 3 * limits::kSlowedAddressesMax; ++i) {
        slowdown.note_refusal(std::to_string(i), kNoon);
    }
    EXPECT_EQ(slowdown.delay_for("0", kNoon), Millis{0});
}

} // namespace
} // namespace baton::api
