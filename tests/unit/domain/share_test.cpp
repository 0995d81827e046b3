#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/share.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace baton::domain {
namespace {

constexpr Slots kPlenty{.free = 100, .per_downstream = 4};

Waiting waiting(const std::string& repo, std::size_t due, Level level = Level::l2) {
    Waiting one;
    one.downstream = *RepoName::parse("down/" + repo);
    one.level = level;
    one.due = due;
    return one;
}

std::map<std::string, std::size_t> shares(std::vector<Waiting> all, Slots slots) {
    std::map<std::string, std::size_t> result;
    for (const auto& share : share_out(std::move(all), slots)) {
        result[std::string(share.downstream.repo())] = share.count;
    }
    return result;
}

using Expected = std::map<std::string, std::size_t>;

TEST(ShareOut, GivesNobodyMoreThanIsDueOrThanOneMayHaveInFlight) {
    EXPECT_EQ(shares({waiting("a", 2), waiting("b", 50)}, kPlenty), (Expected{{"a", 2}, {"b", 4}}));
}

TEST(ShareOut, GoesRoundSoThatALongQueueDelaysNobody) {
    EXPECT_EQ(
        shares({waiting("a", 50), waiting("b", 1)}, {.free = 2, .per_downstream = 4}),
        (Expected{{"a", 1}, {"b", 1}})
    );
}

TEST(ShareOut, ServesHigherLevelsFirstWhenSlotsAreScarce) {
    EXPECT_EQ(
        shares(
            {waiting("one", 1, Level::l1), waiting("four", 1, Level::l4)},
            {.free = 1, .per_downstream = 4}
        ),
        (Expected{{"four", 1}})
    );
}

TEST(ShareOut, ServesWhoWaitedLongestFirstWithinALevel) {
    auto early = waiting("z", 1);
    auto late = waiting("a", 1);
    early.oldest_due = from_ms(1);
    late.oldest_due = from_ms(2);
    EXPECT_EQ(shares({late, early}, {.free = 1, .per_downstream = 4}), (Expected{{"z", 1}}));
}

TEST(ShareOut, SendsOneProbeToADownstreamInTrouble) {
    auto troubled = waiting("a", 9);
    troubled.troubled = true;
    EXPECT_EQ(shares({troubled}, kPlenty), (Expected{{"a", 1}}));
    troubled.in_flight = 1;
    EXPECT_EQ(shares({troubled}, kPlenty), Expected{});
}

TEST(ShareOut, SendsNothingWhileHeld) {
    auto held = waiting("a", 9);
    held.held = true;
    EXPECT_EQ(shares({held}, kPlenty), Expected{});
}

TEST(ShareOut, HeedsMaxConcurrentCountingWhatIsUnderWay) {
    auto one = waiting("a", 9);
    one.max_concurrent = 3;
    one.running = 1;
    one.in_flight = 1;
    EXPECT_EQ(shares({one}, kPlenty), (Expected{{"a", 1}}));
    one.running = 3;
    EXPECT_EQ(shares({one}, kPlenty), Expected{});
}

TEST(ShareOut, HeedsMaxPerDay) {
    auto one = waiting("a", 9);
    one.max_per_day = 10;
    one.sent_today = 8;
    EXPECT_EQ(shares({one}, kPlenty), (Expected{{"a", 2}}));
    one.max_per_day = 0;
    EXPECT_EQ(shares({one}, kPlenty), Expected{});
}

TEST(ShareOut, DownstreamsOfOneAccountShareWhatItsQuotaHasRoomFor) {
    auto gate = waiting("gate", 2, Level::l4);
    auto one = waiting("one", 9, Level::l1);
    auto elsewhere = waiting("x", 9, Level::l1);
    elsewhere.downstream = *RepoName::parse("other/x");
    gate.quota_room = 5;
    one.quota_room = 3;
    elsewhere.quota_room = 1;
    EXPECT_EQ(
        shares({one, elsewhere, gate}, kPlenty), (Expected{{"gate", 2}, {"one", 1}, {"x", 1}})
    );
}

RC_GTEST_PROP(
    ShareOut,
    NeverExceedsTheSlotsNorLeavesOneIdleThatSomebodyCouldUse,
    (std::vector<std::uint8_t> dues, std::uint8_t free)
) {
    std::vector<Waiting> all;
    std::size_t usable = 0;
    for (std::size_t i = 0; i < dues.size(); ++i) {
        all.push_back(waiting("r" + std::to_string(i), dues[i]));
        usable += std::min<std::size_t>(dues[i], kPlenty.per_downstream);
    }
    std::size_t given = 0;
    for (const auto& share :
         share_out(all, {.free = free, .per_downstream = kPlenty.per_downstream})) {
        RC_ASSERT(share.count <= kPlenty.per_downstream);
        given += share.count;
    }
    RC_ASSERT(given == std::min<std::size_t>(free, usable));
}

} // namespace
} // namespace baton::domain
