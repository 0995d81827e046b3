// The whole relay under a virtual clock: lost replies, 5xx, limits, duplicates, reordering, a store
// that fails and a relay that dies between any two steps. Every world is drawn from a seed; the
// same seed gives the same world.
//
//     build/release/bin/sim_relay --seeds=1000          a longer campaign
//     build/release/bin/sim_relay --first-seed=4711 --seeds=1 --chronicle

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>

#include "sim/checkers.hpp"
#include "sim/options.hpp"
#include "sim/world.hpp"

namespace baton::test {
namespace {

TEST(RelaySim, EveryAcceptedDeliveryComesToRestWhateverDiesInBetween) {
    std::size_t crashes = 0;
    std::size_t unknown = 0;
    for (std::uint64_t seed = options().first_seed; seed < options().first_seed + options().seeds;
         ++seed) {
        SCOPED_TRACE(
            ::testing::Message() << "seed " << seed << ": replay with --first-seed=" << seed
                                 << " --seeds=1 --chronicle"
        );
        World world(seed, Swarm::drawn(seed));
        world.live(40);
        world.settle(80);
        EXPECT_EQ(check(world), std::vector<std::string>{});
        crashes += world.crashes();
        unknown += world.counts().unknown_outcomes;
        if (options().chronicle) {
            std::cout << world.chronicle();
        }
        if (::testing::Test::HasFailure()) {
            break;
        }
    }
    std::cout << "worlds " << options().seeds << ", crashes " << crashes
              << ", outcomes nobody can know " << unknown << "\n";
}

TEST(RelaySim, ThePeacefulWorldSendsEverythingExactlyOnceAtTheFirstTry) {
    World world(1, Swarm{});
    world.live(40);
    world.settle(80);
    EXPECT_EQ(check(world), std::vector<std::string>{});
    EXPECT_EQ(world.counts().unknown_outcomes, 0U);
    for (const auto& [repo, count] : world.github().dispatches().downstreams()) {
        EXPECT_EQ(count.repeats, 0U) << repo.text();
    }
    EXPECT_GT(world.github().dispatches().count({}), 100U);
}

TEST(RelaySim, EqualSeedsGiveEqualHistories) {
    const auto told = [] {
        World world(7, Swarm::drawn(7));
        world.live(30);
        world.settle(80);
        return world.chronicle();
    };
    EXPECT_EQ(told(), told());
}

} // namespace
} // namespace baton::test
