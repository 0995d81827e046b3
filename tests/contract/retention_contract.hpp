#pragma once

#include "baton/domain/dispatch.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/ports/retention.hpp"

#include <gmock/gmock.h>

#include "contract/store_fixture.hpp"

namespace baton::test {

/// What is forgotten after thirty days, a hundred days after the beginning.
class StorePruning : public StoreContract {
protected:
    enum class Pull : std::uint8_t { none, open, closed_lately, closed_long_ago, closed_unknown };

    struct Case {
        std::string id;
        bool kept{false};
        int day{10}; // on which it was received
        bool planned{true};
        bool pending{false};
        Pull pull{Pull::none};
        bool forwarded{false}; // it is what a late label would send
        bool newest{true};     // of its pull request
    };

    static TimePoint day(int number) { return at(0) + std::chrono::days{number}; }

    static ports::PruneQuery a_prune(std::int64_t after = 0, std::size_t limit = 200) {
        return {.now = day(100), .keep_for = std::chrono::days{30}, .after = after, .limit = limit};
    }

    static std::optional<domain::PullRequest> pull_of(const Case& c, PrNumber number) {
        if (c.pull == Pull::none) {
            return std::nullopt;
        }
        auto pull = a_pull_request("aaaa");
        pull.number = number;
        pull.open = c.pull == Pull::open;
        pull.updated_at = day(c.pull == Pull::closed_lately ? 80 : 20);
        if (c.pull == Pull::closed_lately || c.pull == Pull::closed_long_ago) {
            pull.closed_at = pull.updated_at;
        }
        pull.newest_forwarded = DeliveryId(c.forwarded ? c.id : "another");
        return pull;
    }

    void plant_case(const Case& c, PrNumber number) {
        auto delivery = a_delivery(c.id, day(c.day));
        delivery.pr = number;
        delivery.repository = "up/STREAM"; // as the event wrote it
        must(store().insert_delivery(delivery));
        if (!c.planned) {
            return;
        }
        auto dispatch = a_dispatch(c.id, c.pending ? "a/waits" : "a/rests");
        dispatch.pr = number;
        auto plan = a_plan(c.id, {dispatch}, day(c.day));
        plan.plan.pull_request = pull_of(c, number);
        must(store().commit_plan(plan));
        if (!c.newest) {
            auto newer = a_delivery(c.id + " and after", day(95));
            newer.pr = number;
            must(store().insert_delivery(newer));
        }
    }

    /// An old delivery that nothing holds, with a dispatch that failed.
    void plant_forgotten(const std::string& id) {
        plant_case({.id = id}, PrNumber{7});
        const auto leased = lease_one("a/rests", day(10));
        must(store().settle(ended(leased.lease, domain::DispatchState::failed, day(10))));
    }

    bool has_body(const std::string& id) {
        return run_awaitable(store().body_of(DeliveryId(id))).has_value();
    }

    std::size_t prune_all(std::size_t limit) {
        std::size_t removed = 0;
        std::optional<std::int64_t> after = 0;
        for (int steps = 0; after && steps < 100; ++steps) {
            const auto step = must(store().prune_bodies(a_prune(*after, limit)));
            EXPECT_LE(step.removed, limit);
            removed += step.removed;
            after = step.next;
        }
        EXPECT_FALSE(after.has_value()) << "the walk ends";
        return removed;
    }
};

TEST_P(StorePruning, ForgetsBodiesWhoseTimeIsOverAndNoOthers) {
    const std::vector<Case> cases{
        {.id = "old", .kept = false},
        {.id = "just in time", .kept = true, .day = 70},
        {.id = "a day too old", .kept = false, .day = 69},
        {.id = "to plan", .kept = true, .planned = false},
        {.id = "with a pending dispatch", .kept = true, .pending = true},
        {.id = "newest of an open one", .kept = true, .pull = Pull::open},
        {.id = "overtaken", .kept = false, .pull = Pull::open, .newest = false},
        {.id = "for late labels",
         .kept = true,
         .pull = Pull::open,
         .forwarded = true,
         .newest = false},
        {.id = "newest of one closed lately", .kept = true, .pull = Pull::closed_lately},
        {.id = "overtaken, closed lately",
         .kept = false,
         .pull = Pull::closed_lately,
         .newest = false},
        {.id = "closed long ago", .kept = false, .pull = Pull::closed_long_ago},
        {.id = "closed, nobody knows when",
         .kept = false,
         .pull = Pull::closed_unknown,
         .forwarded = true},
    };
    std::int64_t number = 100;
    std::size_t expected = 0;
    for (const auto& c : cases) {
        plant_case(c, PrNumber{++number});
        expected += c.kept ? 0 : 1;
    }
    must(store().cancel_pending(upstream(), repo("a/rests"), "left", day(50)));
    EXPECT_EQ(prune_all(3), expected);
    for (const auto& c : cases) {
        EXPECT_EQ(has_body(c.id), c.kept) << c.id;
        EXPECT_EQ(history_of(c.id).body_kept, c.kept) << c.id;
    }
    EXPECT_TRUE(has_body("overtaken and after"));
    EXPECT_EQ(prune_all(3), 0U) << "once";
}

TEST_P(StorePruning, LooksAtSoManyAndGoesOnWhereItCameTo) {
    for (const auto* id : {"d1", "d2", "d3", "d4", "d5"}) {
        plant_forgotten(id);
    }
    const auto first = must(store().prune_bodies(a_prune(0, 2)));
    EXPECT_EQ(first.removed, 2U);
    ASSERT_TRUE(first.next.has_value());
    const auto second = must(store().prune_bodies(a_prune(*first.next, 2)));
    EXPECT_EQ(second.removed, 2U);
    ASSERT_TRUE(second.next.has_value());
    const auto third = must(store().prune_bodies(a_prune(*second.next, 2)));
    EXPECT_EQ(third.removed, 1U);
    EXPECT_FALSE(third.next.has_value());
}

TEST_P(StorePruning, StopsWhereEverythingIsNew) {
    plant_forgotten("old");
    for (const auto* id : {"new 1", "new 2", "new 3", "new 4"}) {
        must(store().insert_delivery(a_delivery(id, day(90))));
    }
    const auto first = must(store().prune_bodies(a_prune(0, 2)));
    EXPECT_EQ(first.removed, 1U);
    ASSERT_TRUE(first.next.has_value());
    EXPECT_FALSE(must(store().prune_bodies(a_prune(*first.next, 2))).next.has_value());
}

TEST_P(StorePruning, ADeliveryFromAClockThatWasAheadHoldsUpNoOther) {
    must(store().insert_delivery(a_delivery("ahead", day(5000))));
    plant_forgotten("old");
    EXPECT_EQ(prune_all(2), 1U);
    EXPECT_TRUE(has_body("ahead"));
}

TEST_P(StorePruning, WhatHasNoPayloadIsKnownAndSaysWhyItCannotBeSent) {
    plant_forgotten("d1");
    ASSERT_EQ(prune_all(10), 1U);
    const auto body = run_awaitable(store().body_of(DeliveryId("d1")));
    ASSERT_FALSE(body.has_value());
    EXPECT_EQ(body.error().code, Errc::not_found);
    EXPECT_THAT(body.error().detail, testing::HasSubstr("d1 is past retention"));
    ports::RedeliverQuery again{.delivery = DeliveryId("d1"), .now = day(101), .actor = "ann"};
    const auto refusal = run_awaitable(store().redeliver(again));
    ASSERT_FALSE(refusal.has_value());
    EXPECT_EQ(refusal.error().code, Errc::conflict);
    EXPECT_THAT(refusal.error().detail, testing::HasSubstr("d1 is past retention"));
    const auto history = history_of("d1");
    EXPECT_EQ(history.dispatches.size(), 1U) << "no new generation";
    EXPECT_EQ(history.delivery.body_bytes, a_delivery("d1").body.size());
    EXPECT_FALSE(must(store().insert_delivery(a_delivery("d1", day(101))))) << "still a duplicate";
    EXPECT_FALSE(has_body("d1"));
}

TEST_P(StorePruning, SendingAllOnceMoreLeavesOutWhatHasNoPayload) {
    plant_forgotten("d1");
    ASSERT_EQ(prune_all(10), 1U);
    plant_forgotten("d2");
    ports::RedeliverQuery again;
    again.now = day(101);
    again.actor = "ann";
    EXPECT_EQ(must(store().redeliver(again)), 1U);
    EXPECT_EQ(history_of("d1").dispatches.size(), 1U);
    EXPECT_EQ(history_of("d2").dispatches.size(), 2U);
}

} // namespace baton::test
