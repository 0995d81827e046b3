// A COMMIT whose answer is lost with the server that should have given it.

#include "baton/store/postgres/engine.hpp"
#include "baton/store/sql/connection.hpp"

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>

#include "e2e/stage.hpp"
#include "support/postgres_place.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using store::sql::Connection;
using store::sql::Query;
using store::sql::Scope;

constexpr Query kAdd{"add_tally", "INSERT INTO tally (name, n) VALUES (?1, ?2)"};
constexpr Query kCount{"count_tallies", "SELECT count(*) FROM tally WHERE name = ?1"};
constexpr Query kOwnSession{"own_session", "SELECT pg_backend_pid()"};

std::int64_t number_of(Connection& db, const Query& query) {
    auto rows = db.rows(query);
    return rows.next() ? rows.integer(0) : -1;
}

std::int64_t count(Connection& db, const std::string& name) {
    auto rows = db.rows(kCount, name);
    return rows.next() ? rows.integer(0) : -1;
}

/// Waits for a server that recovers.
Connection connected(const PostgresPlace& place) {
    auto db = store::postgres::connect(place.url());
    EXPECT_TRUE(eventually([&] { return db || (db = store::postgres::connect(place.url())); }, 30s)
    );
    return std::move(db).value();
}

TEST(LostCommit, TakesNoOtherTransactionForItsOwnAfterACrash) {
    const PostgresPlace place;
    auto db = connected(place);
    const auto process = static_cast<pid_t>(number_of(db, kOwnSession));
    db.begin(Scope::write);
    db.run(kAdd, std::string("ghost"), 1);
    ASSERT_EQ(count(db, "ghost"), 1);
    ASSERT_EQ(::kill(process, SIGKILL), 0); // the server ends all its processes then, and recovers
    ASSERT_TRUE(eventually([&] { return ::kill(process, 0) != 0; }, 30s)) << "it has noticed";
    auto other = connected(place);
    for (int i = 0; i < 5; ++i) { // numbers of transactions that were lost are given out again
        other.begin(Scope::write);
        other.run(kAdd, "other " + std::to_string(i), i);
        other.commit();
        ASSERT_TRUE(other.ok()) << other.failure().text;
    }
    db.commit();
    EXPECT_FALSE(db.ok());
    EXPECT_EQ(count(other, "ghost"), 0);
}

} // namespace
} // namespace baton::test
