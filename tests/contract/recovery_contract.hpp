#pragma once

#include "baton/base/limits.hpp"
#include "baton/domain/recovery.hpp"

#include "contract/store_fixture.hpp"

namespace baton::test {

class StoreRecovery : public StoreContract {
protected:
    static domain::HookTry
    a_try(std::int64_t id, const std::string& delivery, int status, TimePoint when) {
        return {
            .id = id,
            .delivery = DeliveryId(delivery),
            .event = "pull_request",
            .action = "opened",
            .at = when,
            .status = status,
            .redelivery = false
        };
    }

    std::vector<std::string> astray() {
        std::vector<std::string> ids;
        for (const auto& hook : must(store().hooks_astray(100))) {
            ids.push_back(hook.newest.delivery.text());
        }
        return ids;
    }
};

using Ids = std::vector<std::string>;

TEST_P(StoreRecovery, RemembersHowFarTheLogWasLookedThrough) {
    EXPECT_FALSE(must(store().last_walk()).has_value());
    must(store().end_walk(at(5), at(6)));
    must(store().end_walk(at(9), at(10)));
    const domain::Walk expected{.born = at(5), .until = at(9), .ended_at = at(10)};
    EXPECT_EQ(must(store().last_walk()), std::optional(expected));
}

TEST_P(StoreRecovery, FindsWhatNeverArrivedOldestFirst) {
    must(store().insert_delivery(a_delivery("arrived", at(1))));
    must(store().note_hooks(
        {a_try(4, "younger", 504, at(4)),
         a_try(3, "ignored", 200, at(3)),
         a_try(2, "older", 502, at(2)),
         a_try(1, "arrived", 502, at(1))}
    ));
    EXPECT_EQ(astray(), (Ids{"older", "younger"}));
    EXPECT_EQ(must(store().hooks_astray(1)).size(), 1U);
}

TEST_P(StoreRecovery, MissesWhatWasAcceptedAndIsNotThereAnyMore) {
    must(store().note_hooks({a_try(1, "lost with a backup", 202, at(1))}));
    EXPECT_EQ(astray(), Ids{"lost with a backup"});
}

TEST_P(StoreRecovery, AWebhookThatComesLateIsNoLongerAstray) {
    must(store().note_hooks({a_try(1, "d1", 502, at(1))}));
    must(store().insert_delivery(a_delivery("d1", at(9))));
    EXPECT_EQ(astray(), Ids{});
    must(store().note_hooks({a_try(2, "d1", 502, at(8))})); // its answer was lost
    EXPECT_EQ(astray(), Ids{});
}

TEST_P(StoreRecovery, FoldsTriesInAnyOrder) {
    must(store().note_hooks({a_try(7, "d1", 200, at(7))}));
    must(store().note_hooks({a_try(2, "d1", 502, at(2))}));
    EXPECT_EQ(astray(), Ids{});
    must(store().note_hooks({a_try(9, "d1", 504, at(9)), a_try(8, "d1", 200, at(8))}));
    const auto found = must(store().hooks_astray(10));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].newest, a_try(9, "d1", 504, at(9)));
    EXPECT_EQ(found[0].first_at, at(2));
    EXPECT_EQ(found[0].asked, 0);
    EXPECT_FALSE(found[0].asked_at.has_value());
}

TEST_P(StoreRecovery, CountsARequestBeforeItIsMadeAndOnlyOnceForAll) {
    must(store().note_hooks({a_try(1, "d1", 502, at(1))}));
    EXPECT_TRUE(must(store().note_asked(DeliveryId("d1"), 0, at(5))));
    EXPECT_FALSE(must(store().note_asked(DeliveryId("d1"), 0, at(5)))); // somebody else did
    const auto found = must(store().hooks_astray(10));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].asked, 1);
    EXPECT_EQ(found[0].asked_at, std::optional(at(5)));
    EXPECT_FALSE(must(store().note_asked(DeliveryId("unheard of"), 0, at(5))));
}

TEST_P(StoreRecovery, ARequestThatWasNotLetOutDoesNotCount) {
    must(store().note_hooks({a_try(1, "d1", 502, at(1)), a_try(2, "d2", 502, at(2))}));
    must(store().note_asked(DeliveryId("d1"), 0, at(5)));
    EXPECT_EQ(astray(), (Ids{"d2", "d1"})) << "those asked for least come first";
    must(store().note_not_asked(DeliveryId("d1"), 1, at(6)));
    must(store().note_not_asked(DeliveryId("d1"), 1, at(6))); // told twice
    EXPECT_EQ(astray(), (Ids{"d1", "d2"}));
    EXPECT_EQ(must(store().hooks_astray(1)).front().asked, 0);
}

TEST_P(StoreRecovery, WhatCanNeverConcernUsIsNotAstray) {
    auto line = a_try(1, "d1", 502, at(1));
    line.action = "edited";
    must(store().note_hooks({line}));
    EXPECT_EQ(astray(), Ids{});
}

TEST_P(StoreRecovery, NobodyAsksForWhatHasArrived) {
    must(store().note_hooks({a_try(1, "d1", 502, at(1))}));
    must(store().insert_delivery(a_delivery("d1", at(2))));
    EXPECT_FALSE(must(store().note_asked(DeliveryId("d1"), 0, at(5))));
}

TEST_P(StoreRecovery, ARequestStandsInTheLedgerOfItsDelivery) {
    must(store().note_hooks({a_try(1, "d1", 502, at(1))}));
    must(store().note_asked(DeliveryId("d1"), 0, at(5)));
    must(store().insert_delivery(a_delivery("d1", at(9))));
    EXPECT_EQ(kinds_in(history_of("d1")), Ids{"asked_again"});
}

TEST_P(StoreRecovery, ForgetsWebhooksAfterAMonth) {
    must(store().note_hooks({a_try(1, "old", 502, at(0)), a_try(2, "new", 502, at(60))}));
    must(store().end_walk(at(30) + limits::kHooksKept, at(0)));
    EXPECT_EQ(astray(), Ids{"new"});
}

TEST_P(StoreRecovery, AccountsForADay) {
    plant("d1", {"a/one", "a/two"}, at(10));
    const auto leased = lease_one("a/one", at(11));
    must(store().settle(ended(leased.lease, domain::DispatchState::sent, at(12))));
    const auto failing = lease_one("a/two", at(11));
    must(store().settle(ended(failing.lease, domain::DispatchState::failed, at(12))));
    must(store().note_hooks(
        {a_try(1, "d1", 202, at(10)),
         a_try(2, "d2", 200, at(11)),
         a_try(3, "d3", 502, at(12)),
         a_try(4, "tomorrow", 502, at(100))}
    ));
    const domain::Completeness expected{
        .from = at(0),
        .until = at(100),
        .sent = 3,
        .in_ledger = 1,
        .ignored = 1,
        .due = 2,
        .accepted = 1,
        .ended = 1,
    };
    EXPECT_EQ(must(store().completeness(at(0), at(100))), expected);
    EXPECT_EQ(expected.missing(), 1U);

    // Sent once more: only the newest generation counts.
    ports::RedeliverQuery query;
    query.now = at(50);
    query.actor = "alice";
    must(store().redeliver(query));
    const auto later = must(store().completeness(at(0), at(100)));
    EXPECT_EQ(later.due, 2U);
    EXPECT_EQ(later.open, 1U);
    EXPECT_EQ(later.ended, 0U);
}

TEST_P(StoreRecovery, WritesADaysAccountIntoTheLedgerOnce) {
    const domain::Completeness day{.from = at(0), .until = at(100), .sent = 3};
    EXPECT_TRUE(must(store().record_completeness(day, at(101))));
    EXPECT_FALSE(must(store().record_completeness(day, at(102))));
    EXPECT_TRUE(must(store().record_completeness({.from = at(100), .until = at(200)}, at(201))));
}

TEST_P(StoreRecovery, KnowsTheOpenPullRequestsOfAnUpstream) {
    EXPECT_TRUE(must(store().open_pull_requests(upstream())).empty());
    must(store().insert_delivery(a_delivery("d1")));
    auto plan = a_plan("d1", {}, at(0));
    plan.plan.pull_request = a_pull_request("aaaa");
    must(store().commit_plan(plan));
    EXPECT_EQ(must(store().open_pull_requests(repo("up/STREAM"))), std::vector{PrNumber{7}});
    EXPECT_TRUE(must(store().open_pull_requests(repo("else/where"))).empty());

    must(store().insert_delivery(a_delivery("d2")));
    auto closing = a_plan("d2", {}, at(1));
    closing.plan.pull_request = a_pull_request("aaaa", 1);
    closing.plan.pull_request->open = false;
    must(store().commit_plan(closing));
    EXPECT_TRUE(must(store().open_pull_requests(upstream())).empty());
}

} // namespace baton::test
