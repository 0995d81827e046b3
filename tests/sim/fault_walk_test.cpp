// A peaceful world in which one call fails: the first, the second, and so on, until there is no
// such call any more. Whichever it is, everything comes to rest as if nothing had happened.

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "sim/checkers.hpp"
#include "sim/options.hpp"
#include "sim/world.hpp"

namespace baton::test {
namespace {

constexpr std::uint64_t kSeed = 21;

/// How many calls a story had, and what was wrong at its end.
struct Story {
    std::uint64_t store_calls{0};
    std::uint64_t github_calls{0};
    std::vector<std::string> findings;
};

Story told(Swarm swarm) {
    World world(kSeed, swarm);
    world.live(6);
    world.settle(80);
    return {
        .store_calls = world.store_calls(),
        .github_calls = world.github_calls(),
        .findings = check(world),
    };
}

TEST(FaultWalk, AnyOneStoreCallMayFail) {
    std::uint64_t nth = 1;
    for (;; nth += options().walk_stride) {
        SCOPED_TRACE(::testing::Message() << "store call " << nth);
        const auto story = told({.failing_store_call = nth});
        ASSERT_EQ(story.findings, std::vector<std::string>{});
        if (story.store_calls < nth) {
            break;
        }
    }
    EXPECT_GT(nth, 100U);
    std::cout << "store calls " << nth << "\n";
}

TEST(FaultWalk, AnyOneGithubCallMayBeLost) {
    std::uint64_t nth = 1;
    for (;; ++nth) {
        SCOPED_TRACE(::testing::Message() << "call to GitHub " << nth);
        const auto story = told({.failing_github_call = nth});
        ASSERT_EQ(story.findings, std::vector<std::string>{});
        if (story.github_calls < nth) {
            break;
        }
    }
    EXPECT_GT(nth, 30U);
    std::cout << "calls to GitHub " << nth << "\n";
}

} // namespace
} // namespace baton::test
