#include "baton/base/result.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/postgres_store.hpp"
#include "baton/store/postgres/session.hpp"
#include "baton/store/sql/connection.hpp"

#include <boost/asio/awaitable.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <poll.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "support/postgres_place.hpp"
#include "support/run_awaitable.hpp"

// What only a session with PostgreSQL does: statements that are sent and not waited for, and rows
// that somebody else holds.

namespace baton::test {

namespace {

using store::sql::Connection;
using store::sql::Harm;
using store::sql::Query;
using store::sql::Scope;

constexpr Query kAdd{"add_tally", "INSERT INTO tally (name, n) VALUES (?1, ?2)"};
constexpr Query kAddOrNot{
    "add_tally_or_not",
    "INSERT INTO tally (name, n) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING RETURNING n"
};
constexpr Query kCount{"count_tallies", "SELECT count(*) FROM tally WHERE name LIKE ?1"};
constexpr Query kSavepoint{"savepoint", "SAVEPOINT operation"};
constexpr Query kUndo{"undo", "ROLLBACK TO operation"};
constexpr Query kOwnSession{"own_session", "SELECT pg_backend_pid()"};
constexpr Query kEndSession{"end_session", "SELECT pg_terminate_backend(CAST(?1 AS integer))"};
constexpr const char* kOddSettings =
    "DO $$ BEGIN "
    "EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', "
    "current_database()); "
    "EXECUTE format('ALTER DATABASE %I SET bytea_output = escape', current_database()); END $$";
constexpr Query kIsolation{"isolation", "SHOW transaction_isolation"};
constexpr Query kTwoBytes{"two_bytes", "SELECT decode('00ff', 'hex')"};
constexpr Query kPlanOfTen{
    "plan_of_ten", "EXPLAIN SELECT * FROM dispatch WHERE id = ANY ('{1,2,3,4,5,6,7,8,9,10}')"
};
constexpr Query kLockOldest{
    "lock_oldest", "SELECT id FROM dispatch ORDER BY id LIMIT 1 FOR UPDATE"
};

class PostgresSession : public testing::TestWithParam<StoreKind> {
protected:
    Connection session() const { return *store::postgres::connect(place_.url()); }

    template <class T> static T must(boost::asio::awaitable<Result<T>> verb) {
        return run_awaitable(std::move(verb)).value();
    }

    static std::int64_t count(Connection& db, const std::string& like) {
        auto rows = db.rows(kCount, like);
        return rows.next() ? rows.integer(0) : -1;
    }

    /// What others see.
    std::int64_t committed(const std::string& like) const {
        auto other = session();
        return count(other, like);
    }

    PostgresPlace place_;
};

TEST_P(PostgresSession, KeepsARunOfStatementsLongerThanItHoldsAnswersFor) {
    auto db = session();
    db.begin(Scope::write);
    for (int i = 0; i < 1000; ++i) {
        db.run(kAdd, "run " + std::to_string(i), i);
    }
    EXPECT_EQ(count(db, "run %"), 1000); // a read sees what was sent before it
    db.commit();
    EXPECT_TRUE(db.ok());
    EXPECT_EQ(committed("run %"), 1000);
}

TEST_P(PostgresSession, TellsWhichOfARunOfStatementsFailedAndPassesOverTheRest) {
    auto db = session();
    db.begin(Scope::write);
    db.run(kAdd, std::string("first"), 1);
    db.run(kSavepoint);
    db.run(kAdd, std::string("second"), 2);
    db.run(kAdd, std::string("first"), 3); // is there already
    db.run(kAdd, std::string("third"), 4);
    EXPECT_FALSE(db.ok());
    EXPECT_THAT(db.failure().text, testing::StartsWith("add_tally: "));
    EXPECT_EQ(db.failure().harm, Harm::operation);
    db.forgive();
    db.run(kUndo);
    db.run(kAdd, std::string("fourth"), 5);
    db.commit();
    EXPECT_TRUE(db.ok());
    EXPECT_EQ(committed("first") + committed("fourth"), 2);
    EXPECT_EQ(committed("second") + committed("third"), 0);
}

TEST_P(PostgresSession, CommitsNothingWhenTheLastOfARunOfStatementsFails) {
    auto db = session();
    db.begin(Scope::write);
    db.run(kAdd, std::string("good"), 1);
    db.run(kAdd, std::string("good"), 2);
    db.commit();
    EXPECT_FALSE(db.ok());
    db.roll_back();
    EXPECT_EQ(committed("good"), 0);
    db.begin(Scope::write); // and goes on
    db.run(kAdd, std::string("good"), 1);
    db.commit();
    EXPECT_TRUE(db.ok());
    EXPECT_EQ(committed("good"), 1);
}

TEST_P(PostgresSession, TellsTheIdsOfInsertsThatItDidNotWaitFor) {
    auto db = session();
    db.begin(Scope::intake);
    const auto one = db.insert_later(kAddOrNot, std::string("one"), 11);
    const auto again = db.insert_later(kAddOrNot, std::string("one"), 12);
    const auto two = db.insert_later(kAddOrNot, std::string("two"), 13);
    EXPECT_EQ(db.id_of(one), 11);
    db.run(kAdd, std::string("three"), 14);
    EXPECT_EQ(db.id_of(again), 0);
    EXPECT_EQ(db.id_of(two), 13);
    db.commit();
    EXPECT_TRUE(db.ok());
}

TEST_P(PostgresSession, LosesAWholeRunOfStatementsWithItsServerAndGoesOnWithAnother) {
    auto db = session();
    db.begin(Scope::write);
    auto own = db.rows(kOwnSession);
    ASSERT_TRUE(own.next());
    db.run(kAdd, std::string("lost"), 1);
    auto other = session();
    ASSERT_TRUE(other.rows(kEndSession, own.integer(0)).next());
    for (int i = 0; i < 300; ++i) {
        db.run(kAdd, "lost " + std::to_string(i), i);
    }
    db.commit();
    ASSERT_FALSE(db.ok());
    EXPECT_EQ(to_error(db.failure()).code, Errc::unavailable);
    EXPECT_EQ(db.failure().harm, Harm::transaction);
    db.roll_back();
    db.begin(Scope::write);
    db.run(kAdd, std::string("found"), 1);
    db.commit();
    EXPECT_TRUE(db.ok());
    EXPECT_EQ(committed("lost%"), 0);
    EXPECT_EQ(committed("found"), 1);
}

TEST_P(PostgresSession, LosesItsTurnToTheOthersWhenItFallsSilentHalfWayThroughARunOfStatements) {
    auto other = *store::PostgresStore::open(
        {.url = place_.url(), .now = at(0), .grace = std::chrono::milliseconds{0}}
    );
    must(other->adopt(InstanceId("relay-1"), at(0)));
    auto db = session();
    db.begin(Scope::write);
    const std::string much(16 * 1024, 'x'); // more than waits here: the server has begun
    for (int i = 0; i < 20; ++i) {
        db.run(kAdd, much + std::to_string(i), i);
    }
    EXPECT_TRUE(must(other->insert_delivery(a_delivery("d1")))
    ); // which waits for ten seconds at most
    db.commit();
    EXPECT_FALSE(db.ok());
    db.roll_back();
    EXPECT_EQ(committed("x%"), 0);
}

TEST_P(PostgresSession, IsLostAtOnceAlsoWithAnAnswerHalfRead) {
    const auto session = store::postgres::open_session(place_.url());
    ASSERT_EQ(PQsendQuery(session.get(), "SELECT repeat('x', 3000000)"), 1);
    ASSERT_EQ(PQflush(session.get()), 0);
    pollfd answer{.fd = PQsocket(session.get()), .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&answer, 1, 10'000), 1);
    store::postgres::lose(session.get());
    EXPECT_EQ(PQstatus(session.get()), CONNECTION_BAD);
}

TEST_P(PostgresSession, GoesByNoSettingOfItsDatabase) {
    auto hand = session();
    hand.script(kOddSettings, "odd_settings");
    ASSERT_TRUE(hand.ok()) << hand.failure().text;
    auto db = session();
    db.begin(Scope::write);
    {
        auto rows = db.rows(kIsolation);
        ASSERT_TRUE(rows.next());
        EXPECT_EQ(rows.text(0), "read committed") << "who waited for a row sees what is there now";
    }
    auto rows = db.rows(kTwoBytes);
    ASSERT_TRUE(rows.next());
    EXPECT_EQ(rows.bytes(0), std::string_view("\0\xff", 2));
}

TEST_P(PostgresSession, PlansByIndexesWhileNobodyHasCountedTheRows) {
    auto db = session();
    auto rows = db.rows(kPlanOfTen);
    std::string plan;
    while (rows.next()) {
        plan += rows.text(0) + "\n";
    }
    EXPECT_THAT(plan, testing::HasSubstr("dispatch_pkey"));
    EXPECT_THAT(plan, testing::Not(testing::HasSubstr("Seq Scan")));
}

TEST_P(PostgresSession, RunsAStatementAtOnceWhereNoTransactionIsOpen) {
    auto db = session();
    db.run(kAdd, std::string("alone"), 1);
    EXPECT_EQ(committed("alone"), 1);
}

TEST_P(PostgresSession, PassesOverRowsThatSomebodyElseHoldsWhenItLeases) {
    auto store = *store::PostgresStore::open(
        {.url = place_.url(), .now = at(0), .grace = std::chrono::milliseconds{0}}
    );
    for (const auto* id : {"d1", "d2", "d3"}) {
        EXPECT_TRUE(must(store->insert_delivery(a_delivery(id))));
        must(store->commit_plan(a_plan(id, {a_dispatch(id, "org/down")}, at(0))));
    }
    auto hand = session();
    hand.script("BEGIN", "begin");
    ASSERT_TRUE(hand.rows(kLockOldest).next());

    std::vector<std::string> leased;
    for (const auto& one : must(store->lease(a_lease("org/down", 10, at(1))))) {
        leased.push_back(one.dispatch.key.delivery.text());
    }
    EXPECT_THAT(leased, testing::ElementsAre("d2", "d3"));

    hand.script("ROLLBACK", "end");
    const auto rest = must(store->lease(a_lease("org/down", 10, at(1))));
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest.front().dispatch.key.delivery.text(), "d1");
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PostgresSession);
INSTANTIATE_TEST_SUITE_P(Every, PostgresSession, testing::ValuesIn(postgres_kind()), kind_name);

} // namespace

} // namespace baton::test
