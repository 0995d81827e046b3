#pragma once

#include "contract/store_fixture.hpp"

namespace baton::test {

class StoreIntake : public StoreContract {};

TEST_P(StoreIntake, TakesADeliveryOnce) {
    EXPECT_TRUE(must(store().insert_delivery(a_delivery("d1"))));
    auto again = a_delivery("d1");
    again.body = "another body";
    again.event = "push";
    EXPECT_FALSE(must(store().insert_delivery(again)));

    const auto kept = history_of("d1").delivery;
    EXPECT_EQ(kept.event, "pull_request");
    EXPECT_EQ(must(store().body_of(DeliveryId("d1"))), a_delivery("d1").body);
    EXPECT_EQ(must(store().counts()).deliveries, 1U);
}

TEST_P(StoreIntake, KeepsEveryFieldOfADelivery) {
    auto delivery = a_delivery("d1", at(42));
    delivery.repository = "Up/Stream";
    must(store().insert_delivery(delivery));
    const auto kept = history_of("d1").delivery;
    EXPECT_EQ(kept.sequence, 1);
    EXPECT_EQ(kept.id, delivery.id);
    EXPECT_EQ(kept.event, delivery.event);
    EXPECT_EQ(kept.action, delivery.action);
    EXPECT_EQ(kept.repository, delivery.repository);
    EXPECT_EQ(kept.pr, delivery.pr);
    EXPECT_EQ(kept.head, delivery.head);
    EXPECT_EQ(kept.received_at, delivery.received_at);
    EXPECT_EQ(kept.state, ports::DeliveryState::to_plan);
    EXPECT_EQ(kept.body_bytes, delivery.body.size());
}

TEST_P(StoreIntake, KeepsADeliveryWithoutPullRequest) {
    auto delivery = a_delivery("d1");
    delivery.pr.reset();
    delivery.head = HeadSha();
    delivery.repository.clear();
    delivery.action.clear();
    must(store().insert_delivery(delivery));
    const auto kept = history_of("d1").delivery;
    EXPECT_FALSE(kept.pr.has_value());
    EXPECT_TRUE(kept.head.empty());
    EXPECT_TRUE(kept.repository.empty());
}

TEST_P(StoreIntake, GivesBodiesBackByteForByte) {
    std::string every_byte;
    for (int i = 0; i < 256; ++i) {
        every_byte.push_back(static_cast<char>(i));
    }
    const std::string bodies[] = {"", std::string(1, '\0'), every_byte, std::string(300'000, 'x')};
    int number = 0;
    for (const auto& body : bodies) {
        const auto id = "d" + std::to_string(++number);
        auto delivery = a_delivery(id);
        delivery.body = body;
        must(store().insert_delivery(delivery));
        EXPECT_EQ(must(store().body_of(DeliveryId(id))), body);
        EXPECT_EQ(history_of(id).delivery.body_bytes, body.size());
    }
}

TEST_P(StoreIntake, HasNoBodyOfAnUnknownDelivery) {
    EXPECT_EQ(refused(store().body_of(DeliveryId("d1"))), Errc::not_found);
}

TEST_P(StoreIntake, OffersDeliveriesToPlanOldestFirst) {
    must(store().insert_delivery(a_delivery("late", at(5))));
    must(store().insert_delivery(a_delivery("early", at(1)))
    ); // its clock is behind; it still came second
    must(store().insert_delivery(a_delivery("third", at(6))));
    const auto offered = must(store().deliveries_to_plan(at(10), 2));
    ASSERT_EQ(offered.size(), 2U);
    EXPECT_EQ(offered[0].delivery.id.text(), "late");
    EXPECT_EQ(offered[1].delivery.id.text(), "early");
    EXPECT_EQ(offered[1].body, a_delivery("early").body);
}

TEST_P(StoreIntake, OffersNoDeliveryThatIsPlanned) {
    plant("d1", {});
    EXPECT_TRUE(must(store().deliveries_to_plan(at(10), 10)).empty());
    EXPECT_EQ(history_of("d1").delivery.state, ports::DeliveryState::planned);
    EXPECT_EQ(must(store().counts()).to_plan, 0U);
}

TEST_P(StoreIntake, OffersAnUndecidedDeliveryAgainWhenItsTimeHasCome) {
    must(store().insert_delivery(a_delivery("d1")));
    auto commit = a_plan("d1", {}, at(1));
    commit.again_at = at(60);
    must(store().commit_plan(commit));
    EXPECT_TRUE(must(store().deliveries_to_plan(at(59), 10)).empty());
    EXPECT_EQ(must(store().deliveries_to_plan(at(60), 10)).size(), 1U);
    EXPECT_EQ(must(store().counts()).to_plan, 1U);
}

TEST_P(StoreIntake, ListsDeliveriesNewestFirstPageByPage) {
    for (int i = 1; i <= 5; ++i) {
        must(store().insert_delivery(a_delivery("d" + std::to_string(i))));
    }
    ports::DeliveryPageQuery query;
    query.limit = 2;
    const auto first = must(store().list_deliveries(query));
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[0].id.text(), "d5");
    EXPECT_EQ(first[1].id.text(), "d4");
    query.before = first[1].sequence;
    query.limit = 10;
    const auto rest = must(store().list_deliveries(query));
    ASSERT_EQ(rest.size(), 3U);
    EXPECT_EQ(rest[0].id.text(), "d3");
    EXPECT_EQ(rest[2].id.text(), "d1");
}

TEST_P(StoreIntake, ListsOnlyWhatIsAskedFor) {
    auto push = a_delivery("push");
    push.event = "push";
    push.pr.reset();
    must(store().insert_delivery(push));
    auto other = a_delivery("other");
    other.pr = PrNumber{8};
    must(store().insert_delivery(other));
    plant("sent", {"a/one"});
    const auto leased = lease_one("a/one", at(1));
    must(store().settle(ended(leased.lease, domain::DispatchState::sent, at(2))));
    plant("waiting", {"a/one", "b/two"});

    struct Case {
        std::string name;
        std::string event;
        std::optional<PrNumber> pr;
        std::optional<domain::DispatchState> state;
        std::vector<std::string> found;
    };

    using enum domain::DispatchState;
    const Case cases[] = {
        {"everything", "", std::nullopt, std::nullopt, {"waiting", "sent", "other", "push"}},
        {"one event", "push", std::nullopt, std::nullopt, {"push"}},
        {"one pull request", "", PrNumber{8}, std::nullopt, {"other"}},
        {"one event of one pull request", "push", PrNumber{8}, std::nullopt, {}},
        {"one state, each delivery once", "", std::nullopt, pending, {"waiting"}},
        {"one state of one event", "push", std::nullopt, pending, {}},
        {"one state of one pull request", "", PrNumber{7}, sent, {"sent"}},
        {"a state that none is in", "", std::nullopt, dead, {}},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        ports::DeliveryPageQuery query;
        query.event = c.event;
        query.pr = c.pr;
        query.with_state = c.state;
        std::vector<std::string> found;
        for (const auto& delivery : must(store().list_deliveries(query))) {
            found.push_back(delivery.id.text());
        }
        EXPECT_EQ(found, c.found);
    }
}

} // namespace baton::test
