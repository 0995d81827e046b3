#include "baton/base/time.hpp"
#include "baton/quality/link_notes.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

namespace baton::quality {

namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'760'000'000'000);
const LinkSeen kOpen{.open = true, .text = "text"};
const LinkSeen kClosed{.detail = "status 404"};

TEST(LinkNotes, OfOneFailureAreOfNoDeadLink) {
    const auto first = noted(nullptr, kClosed, kNow);
    EXPECT_EQ(first.closed_since, kNow);
    EXPECT_FALSE(is_dead(first));
    EXPECT_FALSE(is_dead(noted(&first, kClosed, kNow + 24h - 1ms)));
}

TEST(LinkNotes, OfTwoFailuresADayApartAreOfADeadLink) {
    const auto first = noted(nullptr, kClosed, kNow);
    const auto second = noted(&first, kClosed, kNow + 1h);
    EXPECT_EQ(second.closed_since, kNow) << "it is counted from the first";
    EXPECT_TRUE(is_dead(noted(&second, kClosed, kNow + 24h)));
}

TEST(LinkNotes, BeginAnewAfterItWasOpen) {
    const auto first = noted(nullptr, kClosed, kNow);
    const auto open = noted(&first, kOpen, kNow + 12h);
    EXPECT_EQ(open.closed_since, std::nullopt);
    EXPECT_EQ(open.detail, "");
    const auto again = noted(&open, kClosed, kNow + 24h);
    EXPECT_FALSE(is_dead(again));
    EXPECT_EQ(again.text, "text") << "what it showed stays known";
}

} // namespace

} // namespace baton::quality
