#include "baton/api/badge.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/wire/badge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace baton::api {
namespace {

using testing::HasSubstr;

std::string badge(std::size_t passed, std::size_t failed) {
    hud::DownstreamLine line;
    line.ended.cells = {.success = passed, .failure = failed};
    return badge_of(line);
}

TEST(BadgeOfADownstream, IsGreenAmberAndRedWhereThePagesAre) {
    EXPECT_THAT(badge(190, 10), HasSubstr(std::string(wire::kBadgeGood)));
    EXPECT_THAT(badge(189, 11), HasSubstr(std::string(wire::kBadgeFair)));
    EXPECT_THAT(badge(160, 40), HasSubstr(std::string(wire::kBadgeFair)));
    EXPECT_THAT(badge(159, 41), HasSubstr(std::string(wire::kBadgePoor)));
}

TEST(BadgeOfADownstream, SaysAHundredOnlyWhenNothingFailed) {
    EXPECT_THAT(badge(30, 0), HasSubstr("100 % of 30"));
    EXPECT_THAT(badge(4999, 1), HasSubstr("99.9 % of 5000"));
    EXPECT_THAT(badge(1, 4999), HasSubstr("0.1 % of 5000"));
    EXPECT_THAT(badge(0, 30), HasSubstr("0.0 % of 30"));
}

TEST(BadgeOfADownstream, HasNoColourThatClaimsAnythingOnLittleData) {
    EXPECT_THAT(badge(19, 0), HasSubstr(std::string(wire::kBadgeGrey)));
    EXPECT_THAT(badge(0, 0), HasSubstr(std::string(wire::kBadgeGrey)));
    EXPECT_THAT(badge(0, 0), HasSubstr("no results"));
}

} // namespace
} // namespace baton::api
