#include "baton/domain/level.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace baton::domain {

namespace {

TEST(Level, IsANamedPresetOfFourPolicies) {
    const Policy l1{.forward_event = true};
    const Policy l2{.forward_event = true, .display_on_hud = true};
    const Policy l3{
        .forward_event = true, .display_on_hud = true, .display_on_pr = DisplayOnPr::label_only
    };
    const Policy l4{
        .forward_event = true,
        .display_on_hud = true,
        .display_on_pr = DisplayOnPr::always,
        .block_pr = true
    };
    EXPECT_EQ(policy_of(Level::l1), l1);
    EXPECT_EQ(policy_of(Level::l2), l2);
    EXPECT_EQ(policy_of(Level::l3), l3);
    EXPECT_EQ(policy_of(Level::l4), l4);
}

TEST(Level, IsFoundByTheNameItPrints) {
    for (const auto level : kLevels) {
        EXPECT_EQ(level_named(name_of(level)), level);
    }
    EXPECT_EQ(level_named("l1"), std::nullopt);
    EXPECT_EQ(level_named("L5"), std::nullopt);
    EXPECT_EQ(level_named(""), std::nullopt);
}

} // namespace

} // namespace baton::domain
