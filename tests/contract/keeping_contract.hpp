#pragma once

#include "contract/store_fixture.hpp"

namespace baton::test {

class StoreKeeping : public StoreContract {
protected:
    /// A dispatch that came to rest in `state`.
    void plant_at_rest(
        const std::string& delivery, const std::string& downstream, domain::DispatchState state
    ) {
        plant(delivery, {downstream});
        const auto leased = lease_one(downstream, at(1));
        must(store().settle(ended(leased.lease, state, at(2))));
    }

    static ports::RedeliverQuery once_more(TimePoint now) {
        ports::RedeliverQuery query;
        query.now = now;
        query.actor = "alice";
        return query;
    }
};

TEST_P(StoreKeeping, RemembersTheLastAllowlistOfEachUpstream) {
    EXPECT_FALSE(must(store().last_allowlist(upstream())).has_value());
    const auto version = [](const RepoName& of, const std::string& text, TimePoint when) {
        return ports::AllowlistVersion{
            .upstream = of,
            .source = "file:list.yml",
            .mark = "mark of " + text,
            .text = text,
            .in_force_at = when
        };
    };
    must(store().record_allowlist(version(upstream(), "L1: []", at(1))));
    must(store().record_allowlist(version(upstream(), "L2: []", at(2))));
    must(store().record_allowlist(version(repo("else/where"), "L3: []", at(3))));
    const auto last = must(store().last_allowlist(repo("up/STREAM")));
    ASSERT_TRUE(last.has_value());
    EXPECT_EQ(last->upstream, upstream());
    EXPECT_EQ(last->source, "file:list.yml");
    EXPECT_EQ(last->mark, "mark of L2: []");
    EXPECT_EQ(last->text, "L2: []");
    EXPECT_EQ(last->in_force_at, at(2));
}

TEST_P(StoreKeeping, RecordsAnAllowlistThatSeveralReplicasReadOnce) {
    const auto version = [](const std::string& text, TimePoint when) {
        return ports::AllowlistVersion{.upstream = upstream(), .text = text, .in_force_at = when};
    };
    for (const auto* text : {"L1: []", "L1: []", "L2: []", "L2: []"}) {
        must(store().record_allowlist(version(text, at(1))));
    }
    must(store().record_allowlist(version("L1: []", at(5)))); // back to what was
    must(store().record_allowlist(version("L1: []", at(6))));
    EXPECT_EQ(must(store().allowlists_at(at(1)))[0].text, "L2: []");
    EXPECT_EQ(must(store().last_allowlist(upstream()))->in_force_at, at(5));
}

TEST_P(StoreKeeping, GivesSigningKeysNewestFirst) {
    EXPECT_TRUE(must(store().signing_keys()).empty());
    const std::string secret("\0binary\xff", 8);
    const auto first = must(store().add_signing_key(secret, at(1)));
    const auto second = must(store().add_signing_key("another", at(2)));
    EXPECT_EQ(first.secret, secret);
    EXPECT_GT(second.id, first.id);
    const auto keys = must(store().signing_keys());
    ASSERT_EQ(keys.size(), 2U);
    EXPECT_EQ(keys[0].id, second.id);
    EXPECT_EQ(keys[1].id, first.id);
    EXPECT_EQ(keys[1].secret, secret);
    EXPECT_EQ(keys[1].created_at, at(1));
}

TEST_P(StoreKeeping, HasNoHistoryOfAnUnknownDelivery) {
    EXPECT_EQ(refused(store().delivery_history(DeliveryId("d1"))), Errc::not_found);
}

TEST_P(StoreKeeping, SendsADeadDispatchOnceMoreAsANewGeneration) {
    plant_at_rest("d1", "a/one", domain::DispatchState::dead);
    EXPECT_EQ(must(store().redeliver(once_more(at(50)))), 1U);

    const auto history = history_of("d1");
    ASSERT_EQ(history.dispatches.size(), 2U);
    EXPECT_EQ(history.dispatches[0].dispatch.state, domain::DispatchState::dead);
    auto expected = history.dispatches[0].dispatch;
    const auto& next = history.dispatches[1].dispatch;
    expected.id = next.id;
    expected.key.generation = 1;
    expected.state = domain::DispatchState::pending;
    expected.reason = "redelivered by alice";
    expected.created_at = at(50);
    expected.due_at = at(50);
    expected.attempts = 0;
    EXPECT_EQ(next, expected);
    EXPECT_EQ(kinds_in(history).back(), "redelivered");
    EXPECT_EQ(history.ledger.back().dispatch, next.id);
    EXPECT_NE(history.ledger.back().detail.find("alice"), std::string::npos);
}

TEST_P(StoreKeeping, LooksOnlyAtTheNewestGeneration) {
    plant_at_rest("d1", "a/one", domain::DispatchState::dead);
    EXPECT_EQ(must(store().redeliver(once_more(at(50)))), 1U);
    EXPECT_EQ(must(store().redeliver(once_more(at(51)))), 0U); // the newest is pending
    const auto leased = lease_one("a/one", at(52));
    must(store().settle(ended(leased.lease, domain::DispatchState::failed, at(53))));
    EXPECT_EQ(must(store().redeliver(once_more(at(54)))), 1U);
    EXPECT_EQ(history_of("d1").dispatches.back().dispatch.key.generation, 2);
}

TEST_P(StoreKeeping, ListsByTheStateOfTheNewestGenerationOnly) {
    plant_at_rest("d1", "a/one", domain::DispatchState::failed);
    ports::DeliveryPageQuery failed;
    failed.with_state = domain::DispatchState::failed;
    EXPECT_EQ(must(store().list_deliveries(failed)).size(), 1U);
    must(store().redeliver(once_more(at(50))));
    EXPECT_TRUE(must(store().list_deliveries(failed)).empty());
    failed.pr = PrNumber{7};
    EXPECT_TRUE(must(store().list_deliveries(failed)).empty());
}

TEST_P(StoreKeeping, RedeliversWhatTheQueryNames) {
    using enum domain::DispatchState;
    plant_at_rest("d1", "a/one", dead);
    plant_at_rest("d1b", "b/two", failed);
    plant_at_rest("d2", "a/one", failed);
    plant_at_rest("d3", "a/one", sent);
    plant("d4", {"a/one"});

    struct Case {
        std::string name;
        std::string delivery;
        std::string downstream;
        std::vector<domain::DispatchState> states;
        std::size_t limit;
        std::size_t sent_again;
    };

    const Case cases[] = {
        {"no such delivery", "nobody", "", {dead, failed}, 10, 0},
        {"what waits is not at rest", "d4", "", {}, 10, 0},
        {"one delivery", "d2", "", {dead, failed}, 10, 1},
        {"another downstream of one delivery", "d1", "b/two", {dead, failed}, 10, 0},
        {"one downstream", "", "A/One", {dead, failed}, 10, 1}, // d2 waits by now
        {"other states", "", "", {sent}, 10, 1},
        {"no more than asked", "", "", {}, 0, 0},
        {"any state at rest", "", "", {}, 10, 1}, // d1b is left
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto query = once_more(at(60));
        query.delivery = DeliveryId(c.delivery);
        if (!c.downstream.empty()) {
            query.downstream = repo(c.downstream);
        }
        query.states = c.states;
        query.limit = c.limit;
        EXPECT_EQ(must(store().redeliver(query)), c.sent_again);
    }
}

TEST_P(StoreKeeping, CountsEverythingOnOneScreen) {
    const auto empty = must(store().counts());
    EXPECT_EQ(empty.deliveries, 0U);
    EXPECT_EQ(empty.dispatches.size(), domain::kDispatchStates.size()); // each state, also at zero
    EXPECT_FALSE(empty.oldest_pending.has_value());

    plant_at_rest("d1", "a/one", domain::DispatchState::sent);
    plant("d2", {"a/one", "b/two"}, at(7));
    plant("d3", {"a/one"}, at(9));
    must(store().insert_delivery(a_delivery("d4")));
    const auto counts = must(store().counts());
    EXPECT_EQ(counts.deliveries, 4U);
    EXPECT_EQ(counts.to_plan, 1U);
    EXPECT_EQ(count_of(domain::DispatchState::sent), 1U);
    EXPECT_EQ(count_of(domain::DispatchState::pending), 3U);
    EXPECT_EQ(count_of(domain::DispatchState::dead), 0U);
    EXPECT_EQ(counts.unknown_outcomes, 0U);
    EXPECT_EQ(counts.oldest_pending, at(7));
}

TEST_P(StoreKeeping, CountsOutcomesThatNobodyKnows) {
    plant("d1", {"a/one"});
    const auto leased = lease_one("a/one", at(1));
    auto settlement = ended(leased.lease, domain::DispatchState::pending, at(2));
    settlement.answer.outcome = domain::Outcome::unknown;
    must(store().settle(settlement));
    EXPECT_EQ(must(store().counts()).unknown_outcomes, 1U);
}

} // namespace baton::test
