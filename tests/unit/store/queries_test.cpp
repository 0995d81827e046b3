#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sqlite/body.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/migrations.hpp"
#include "baton/store/sqlite/verbs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "support/temp_folder.hpp"

namespace baton::store::sqlite {

using namespace baton::test;

namespace {

/// A bare connection, so that SQLite can be asked what its statements did.
class Queries : public testing::Test {
protected:
    void plant(const std::string& id, TimePoint now) {
        const auto delivery = a_delivery(id, now);
        verbs::insert_delivery(db, delivery, delivery.body.size(), compress(delivery.body));
        auto commit = a_plan(id, {a_dispatch(id, "a/one"), a_dispatch(id, "b/two")}, now);
        commit.plan.pull_request = a_pull_request("aaaa");
        const auto known = verbs::pull_request(db, {.upstream = upstream(), .number = PrNumber{7}});
        commit.plan.pull_request->version = known ? known->version : 0;
        commit.plan.cancel_pending = id == "d30";
        ASSERT_TRUE(verbs::commit_plan(db, commit).has_value());
    }

    TempFolder folder;
    std::string path = folder.file("baton.db");
    bool migrated = migrate({.path = path, .now = at(0)}).has_value();
    Connection db{*Connection::open(path, Connection::Access::write)};
};

} // namespace

TEST_F(Queries, NeverWalkThroughHistory) {
    db.script("BEGIN", "begin"); // one flush is enough
    for (int i = 0; i < 40; ++i) {
        plant("d" + std::to_string(i), at(i));
    }
    for (const auto& leased : verbs::lease(db, a_lease("a/one", 5, at(50)))) {
        ASSERT_TRUE(
            verbs::settle(db, ended(leased.lease, domain::DispatchState::sent, at(51))).has_value()
        );
    }
    verbs::lease(db, a_lease("b/two", 5, at(50)));
    verbs::cancel_pending(db, upstream(), repo("b/two"), "left", at(52));
    verbs::lease(db, a_lease("b/two", 5, at(100)));
    verbs::adopt(db, InstanceId("relay-2"), at(60));
    verbs::due(db, {.now = at(100), .running_for = std::chrono::hours{6}});
    ports::DeliveryPageQuery page;
    verbs::list_deliveries(db, page);
    page.event = "pull_request";
    verbs::list_deliveries(db, page);
    page.pr = PrNumber{7};
    verbs::list_deliveries(db, page);
    page.with_state = domain::DispatchState::sent;
    verbs::list_deliveries(db, page);
    page.pr.reset();
    verbs::list_deliveries(db, page);
    ports::RedeliverQuery again;
    again.states = {domain::DispatchState::cancelled};
    again.now = at(101);
    verbs::redeliver(db, again);
    again.delivery = DeliveryId("d1");
    verbs::redeliver(db, again);
    ASSERT_TRUE(verbs::delivery_history(db, DeliveryId("d1")).has_value());
    ASSERT_TRUE(verbs::body_of(db, DeliveryId("d1")).has_value());
    verbs::record_allowlist(
        db, {.upstream = upstream(), .source = "s", .mark = "m", .text = "t", .in_force_at = at(1)}
    );
    verbs::last_allowlist(db, upstream());
    verbs::counts(db);
    verbs::suspend(
        db, {.downstream = repo("b/two"), .since = at(102), .reason = "r", .actor = "a"}
    );
    verbs::due(db, {.now = at(103), .running_for = std::chrono::hours{6}});
    verbs::lease(db, a_lease("b/two", 5, at(103)));
    verbs::downstream_figures(db, at(104));
    verbs::allowlists_at(db, at(104));
    verbs::pin_of(db, repo("b/two"));
    ASSERT_TRUE(db.ok()) << db.failure().text;
    EXPECT_THAT(db.statements_that_scanned(), testing::IsEmpty());
}

TEST_F(Queries, WalkOnlyThroughTheBacklogOfPlanning) {
    plant("d1", at(1));
    for (const auto* id : {"d2", "d3", "d4"}) {
        const auto delivery = a_delivery(id, at(2));
        verbs::insert_delivery(db, delivery, delivery.body.size(), compress(delivery.body));
    }
    ASSERT_EQ(verbs::deliveries_to_plan(db, at(3), 10)->size(), 3U);
    EXPECT_EQ(verbs::counts(db).to_plan, 3U);
    // Both read a partial index from end to end: it holds what waits to be planned and nothing
    // else.
    EXPECT_THAT(
        db.statements_that_scanned(),
        testing::UnorderedElementsAre("deliveries_to_plan", "count_to_plan")
    );
}

TEST_F(Queries, CannotChangeTheLedger) {
    plant("d1", at(1));
    for (const auto* sql : {"UPDATE ledger SET detail = 'better'", "DELETE FROM ledger"}) {
        SCOPED_TRACE(sql);
        db.script(sql, "tampering");
        EXPECT_FALSE(db.ok());
        EXPECT_THAT(db.failure().text, testing::HasSubstr("the ledger is append-only"));
        db.forgive();
    }
    EXPECT_EQ(verbs::delivery_history(db, DeliveryId("d1"))->ledger.size(), 1U);
}

TEST_F(Queries, CannotWriteAStateThatDoesNotExist) {
    plant("d1", at(1));
    db.script("UPDATE dispatch SET state = 'lost'", "tampering");
    EXPECT_EQ(to_error(db.failure()).code, Errc::conflict);
    EXPECT_EQ(harm_of(db.failure().code), Harm::operation);
}

TEST_F(Queries, StopAtTheFirstFailureUntilItIsForgiven) {
    static constexpr Query kTwice{
        "insert_tally", "INSERT INTO tally (name, n) VALUES ('delivery', 1)"
    };
    static constexpr Query kOther{"insert_other", "INSERT INTO tally (name, n) VALUES (?1, 1)"};
    EXPECT_EQ(db.run(kTwice), 0);
    EXPECT_FALSE(db.ok());
    EXPECT_THAT(db.failure().text, testing::StartsWith("insert_tally: "));
    EXPECT_EQ(db.run(kOther, std::string("one")), 0);
    db.forgive();
    EXPECT_EQ(db.run(kOther, std::string("one")), 1);
}

TEST(Body, ComesBackAsItWas) {
    const auto raw = std::string(100'000, 'a') + "b";
    const auto packed = compress(raw);
    EXPECT_LT(packed.size(), raw.size() / 100);
    EXPECT_EQ(decompress(packed, raw.size()).value_or(""), raw);
}

TEST(Body, IsRefusedWhenDamaged) {
    const auto packed = compress("some body");
    EXPECT_EQ(decompress(packed.substr(0, packed.size() - 1), 9).error().code, Errc::unavailable);
    EXPECT_EQ(decompress(packed, 8).error().code, Errc::unavailable);
    EXPECT_EQ(decompress(packed, 10).error().code, Errc::unavailable);
    EXPECT_EQ(decompress("no frame at all", 9).error().code, Errc::unavailable);
}

} // namespace baton::store::sqlite
