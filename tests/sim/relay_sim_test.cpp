// The whole relay under a virtual clock: lost replies, 5xx, limits, duplicates, reordering, a store
// that fails and a relay that dies between any two steps. Every world is drawn from a seed; the
// same seed gives the same world.
//
//     build/release/bin/sim_relay --seeds=1000          a longer campaign
//     build/release/bin/sim_relay --replay=4711         one world, with its chronicle
//
// A seed that once failed is kept in seeds.txt with what it taught, and is run every time.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/sim/faults.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "sim/checkers.hpp"
#include "sim/options.hpp"
#include "sim/world.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kParts = 4;

struct Campaign {
    std::size_t worlds{0};
    std::size_t crashes{0};
    std::size_t unknown{0};
    Millis lived{0};

    void play(std::uint64_t seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed << ": sim_relay --replay=" << seed);
        World world(seed, Swarm::drawn(seed));
        const auto born = world.now();
        world.live(40);
        world.heal();
        world.settle(80);
        EXPECT_EQ(check(world), std::vector<std::string>{});
        ++worlds;
        crashes += world.crashes();
        unknown += world.counts().unknown_outcomes;
        lived += world.now() - born;
        if (options().chronicle) {
            std::cout << world.chronicle();
        }
    }

    void tell() const {
        std::cout << "worlds " << worlds << ", crashes " << crashes << ", outcomes nobody can know "
                  << unknown << ", simulated hours "
                  << std::chrono::duration_cast<std::chrono::hours>(lived).count() << "\n";
    }
};

/// The number that each line of seeds.txt begins with; what follows is for people.
std::vector<std::uint64_t> kept_seeds() {
    std::ifstream file(BATON_SOURCE_DIR "/tests/sim/seeds.txt");
    std::vector<std::uint64_t> seeds;
    for (std::string line; std::getline(file, line);) {
        std::uint64_t seed = 0;
        if (std::from_chars(line.data(), line.data() + line.size(), seed).ec == std::errc{}) {
            seeds.push_back(seed);
        }
    }
    return seeds;
}

/// Four parts, so that two cores share them.
class RelaySimCampaign : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RelaySimCampaign, EverythingSentComesToRestWhateverFailsInBetween) {
    Campaign campaign;
    for (std::uint64_t seed = options().first_seed; seed < options().first_seed + options().seeds;
         ++seed) {
        if (seed % kParts == GetParam() && !::testing::Test::HasFailure()) {
            campaign.play(seed);
        }
    }
    campaign.tell();
}

INSTANTIATE_TEST_SUITE_P(Part, RelaySimCampaign, testing::Range<std::uint64_t>(0, kParts));

TEST(RelaySim, WorldsThatOnceFailedHold) {
    const auto seeds = kept_seeds();
    ASSERT_FALSE(seeds.empty()) << "seeds.txt was not read";
    Campaign campaign;
    for (const auto seed : seeds) {
        campaign.play(seed);
    }
}

TEST(RelaySim, WhatWasSentWhileTheRelayWasDownForAnHourIsRecovered) {
    World world(11, Swarm{});
    world.live(5);
    world.settle(1);
    world.away(1h, 60);
    EXPECT_GT(world.undelivered().size(), 40U);
    world.settle(80);
    EXPECT_EQ(world.undelivered(), std::vector<DeliveryId>{});
    EXPECT_EQ(check(world), std::vector<std::string>{});
}

TEST(RelaySim, WhatWasSentWhileTheRelayWasDownForThreeDaysIsRecoveredToo) {
    World world(12, Swarm{});
    world.live(5);
    world.settle(1);
    world.away(71h, 200);
    world.settle(160);
    EXPECT_EQ(world.undelivered(), std::vector<DeliveryId>{});
    EXPECT_EQ(check(world), std::vector<std::string>{});
}

TEST(RelaySim, AHoleOlderThanGithubsLogIsClosedFromTheOpenPullRequests) {
    World world(13, Swarm{});
    world.live(10);
    world.settle(1);
    world.away(200h, 60);
    world.settle(2);
    const auto* upstream = world.github().repo(*RepoName::parse("up/stream"));
    ASSERT_NE(upstream, nullptr);
    for (const auto& [number, pull] : upstream->pulls) {
        const auto known = world.pull_request(number);
        if (!known) {
            EXPECT_FALSE(pull.open) << "an open pull request that nobody knows of";
            continue;
        }
        EXPECT_EQ(known->open, pull.open);
        EXPECT_EQ(known->head, pull.head);
        if (pull.open) {
            EXPECT_TRUE(world.was_told("four/gate", pull.head));
        }
    }
}

TEST(RelaySim, WhileGithubIsDownForAnHourEverythingIsHeldAndThenDrainedWithinTheLimits) {
    World world(14, Swarm{.quota = 300});
    world.live(5);
    world.settle(1);
    world.faults().add({.fault = {.ending = sim::Fault::Ending::unreachable, .perform = false}});
    const auto before = world.github().dispatches().count({});
    for (int minute = 0; minute < 60; ++minute) {
        world.live(1);
    }
    EXPECT_EQ(world.github().dispatches().count({}), before);
    world.heal();
    world.settle(20);
    EXPECT_EQ(check(world), std::vector<std::string>{});
    EXPECT_EQ(world.limit_answers(), 0U);
    EXPECT_GT(world.count_of(domain::DispatchState::superseded), 10U);
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
