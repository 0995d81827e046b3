#include "baton/sim/seeded_chance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>

namespace baton::sim {
namespace {

TEST(SeededChance, GivesTheSameDrawsForTheSameSeed) {
    SeededChance one(42);
    SeededChance other(42);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(one.draw().bits, other.draw().bits);
    }
}

TEST(SeededChance, SpreadsSeedsByThePublishedSplitmix) {
    std::uint64_t state = 0;
    EXPECT_EQ(splitmix(state), 0xe220a8397b1dcdafULL);
    EXPECT_EQ(splitmix(state), 0x6e789e6aa1b965f4ULL);
}

TEST(SeededChance, SpreadsNeighbouringSeeds) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        seen.insert(SeededChance(seed).draw().bits);
    }
    EXPECT_EQ(seen.size(), 1000U);
}

TEST(SeededChance, FillsTheUnitIntervalEvenly) {
    SeededChance chance(7);
    std::array<int, 10> buckets{};
    for (int i = 0; i < 10'000; ++i) {
        ++buckets.at(static_cast<std::size_t>(chance.draw().unit() * 10));
    }
    for (const auto count : buckets) {
        EXPECT_NEAR(count, 1000, 150);
    }
}

TEST(SeededChance, GivesEachPartOfAWorldItsOwnSeed) {
    EXPECT_NE(seed_for(1, "faults"), seed_for(1, "github"));
    EXPECT_NE(seed_for(1, "faults"), seed_for(2, "faults"));
    EXPECT_EQ(seed_for(1, "faults"), seed_for(1, "faults"));
}

} // namespace
} // namespace baton::sim
