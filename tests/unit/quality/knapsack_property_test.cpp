#include "baton/quality/knapsack.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

std::vector<KnapsackGroup> drawn_groups() {
    std::vector<KnapsackGroup> groups;
    const auto count = *rc::gen::inRange(0, 6);
    for (int i = 0; i < count; ++i) {
        KnapsackGroup group;
        const auto options = *rc::gen::inRange(0, 4);
        for (int k = 0; k < options; ++k) {
            group.options.push_back(
                {.gain = *rc::gen::inRange(1, 7), .effort = *rc::gen::inRange(0, 6)}
            );
        }
        group.forced = options > 0 && *rc::gen::inRange(0, 4) == 0;
        group.last = *rc::gen::arbitrary<bool>();
        groups.push_back(std::move(group));
    }
    return groups;
}

/// Every choice there is.
void try_all(
    const std::vector<KnapsackGroup>& groups,
    int need,
    std::size_t at,
    const KnapsackChoice& so_far,
    int gain,
    std::optional<KnapsackChoice>& best
) {
    if (at == groups.size()) {
        if (gain >= need && (!best || so_far < *best)) {
            best = so_far;
        }
        return;
    }
    const auto& group = groups[at];
    if (!group.forced) {
        try_all(groups, need, at + 1, so_far, gain, best);
    }
    for (std::size_t i = 0; i < group.options.size(); ++i) {
        auto choice = so_far;
        choice.effort += group.options[i].effort;
        choice.groups += 1;
        choice.last += group.last ? 1 : 0;
        choice.picks.push_back({.group = static_cast<int>(at), .option = static_cast<int>(i)});
        try_all(groups, need, at + 1, choice, gain + group.options[i].gain, best);
    }
}

RC_GTEST_PROP(Knapsack, IsWhatTryingEverythingFinds, ()) {
    const auto groups = drawn_groups();
    const auto need = *rc::gen::inRange(0, 20);
    std::optional<KnapsackChoice> best;
    try_all(groups, need, 0, {}, 0, best);
    RC_ASSERT(cheapest(groups, need) == best);
}

RC_GTEST_PROP(Knapsack, AsksForNoLessWhenMoreIsNeeded, ()) {
    const auto groups = drawn_groups();
    const auto need = *rc::gen::inRange(0, 20);
    const auto less = cheapest(groups, need);
    const auto more = cheapest(groups, need + 1);
    RC_ASSERT(!more || (less && less->effort <= more->effort));
}

TEST(Knapsack, IsEmptyWhereNothingIsNeeded) {
    EXPECT_EQ(cheapest({}, 0), KnapsackChoice{});
    EXPECT_EQ(cheapest({}, -3), KnapsackChoice{});
    EXPECT_FALSE(cheapest({}, 1));
    EXPECT_FALSE(cheapest({{.options = {}, .forced = true}}, 0));
}

} // namespace

} // namespace baton::quality
