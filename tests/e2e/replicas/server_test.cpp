// What Baton needs of a PostgreSQL server and of its role there, and what it says when that is not
// so; what a tool does is heard by those who serve.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/postgres_store.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/store_role.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "e2e/stage.hpp"
#include "support/played_postgres.hpp"
#include "support/postgres_place.hpp"
#include "support/process.hpp"
#include "support/raw_socket.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);

void act(const std::string& url, const std::string& sql) {
    auto db = store::postgres::connect(url);
    ASSERT_TRUE(db) << db.error().detail;
    db->script(sql.c_str(), "act");
    EXPECT_TRUE(db->ok()) << db->failure().text;
}

std::string with(std::string text, std::string_view found, std::string_view instead) {
    return text.replace(text.find(found), found.size(), instead);
}

TEST(PostgresServer, HasToBeNewEnough) {
    RawListener listener;
    std::thread server([&] {
        auto client = listener.accept();
        say_hello(client, "14.9");
        client.receive(); // its farewell
    });
    const auto refused = store::postgres::connect(fmt::format(
        "postgresql://baton@127.0.0.1:{}/baton?sslmode=disable&gssencmode=disable", listener.port()
    ));
    server.join();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::invalid);
    EXPECT_EQ(
        refused.error().detail, "the store's database is PostgreSQL 14.9: Baton needs 15 or newer"
    );
}

TEST(PostgresServer, HasToHoldTheDatabaseInUtf8) {
    const PostgresPlace place;
    act(place.url(), "CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0");
    const auto url = with(place.url(), place.url().substr(14, place.url().find('?') - 14), "ascii");
    const auto refused = store::PostgresStore::open({.url = url, .now = kNow});
    act(place.url(), "DROP DATABASE ascii");
    ASSERT_FALSE(refused);
    EXPECT_THAT(
        refused.error().detail,
        HasSubstr("is encoded in SQL_ASCII: Baton needs one in UTF8 (docs/operations/size.md)")
    );
}

TEST(PostgresServer, HasToLetTheRoleOwnItsSchema) {
    const PostgresPlace place(PostgresPlace::Holds::nothing);
    act(place.url(), "CREATE ROLE meek LOGIN");
    const auto refused = store::PostgresStore::open(
        {.url = with(place.url(), "user=baton", "user=meek"), .now = kNow}
    );
    act(place.url(), "DROP ROLE meek");
    ASSERT_FALSE(refused);
    EXPECT_THAT(
        refused.error().detail,
        HasSubstr("the database refuses Baton's role: it must own the schema that it uses")
    );
}

TEST(PostgresServer, IsSaidToBeAwayInOneSentence) {
    const auto refused =
        store::PostgresStore::open({.url = "postgresql:///baton?host=/nowhere/at/all", .now = kNow}
        );
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::unavailable);
    EXPECT_EQ(
        refused.error().detail,
        "the store's database cannot be reached: connection to server on socket "
        "\"/nowhere/at/all/.s.PGSQL.5432\" failed: No such file or directory; Is the server "
        "running "
        "locally and accepting connections on that socket?"
    );
}

TEST(PostgresServer, IsRefusedWithWhatToDo) {
    const PostgresPlace place;
    act(place.url(), "CREATE DATABASE still");
    act(place.url(), "ALTER DATABASE still SET default_transaction_read_only = on");
    act(place.url(), "CREATE ROLE lonely LOGIN CONNECTION LIMIT 0");
    const auto name = place.url().substr(14, place.url().find('?') - 14);

    const struct {
        std::string url;
        std::string_view says;
    } cases[] = {
        {with(place.url(), name, "nowhere"), "the store's database is not there (database "},
        {with(place.url(), "user=baton", "user=nobody"),
         "Baton's role is not there (role \"nobody\" does not exist): create it "},
        {with(place.url(), name, "still"),
         "the store's database can only be read, as a standby can and one that still recovers ("},
        {with(place.url(), "user=baton", "user=lonely"),
         "the store's database takes no more sessions (too many connections for role "},
    };

    for (const auto& one : cases) {
        SCOPED_TRACE(one.says);
        const auto served = store::PostgresStore::open({.url = one.url, .now = kNow});
        ASSERT_FALSE(served);
        EXPECT_THAT(served.error().detail, testing::StartsWith(one.says));
        for (const auto* verb : {"migrate", "verify"}) {
            const auto told = run_command({baton_binary(), "db", verb, "--store", one.url});
            EXPECT_EQ(told.exit_code, 2);
            EXPECT_THAT(told.err, testing::StartsWith(fmt::format("baton: {}", one.says)));
        }
    }
    act(place.url(), "DROP ROLE lonely");
    act(place.url(), "DROP DATABASE still");
}

TEST(PostgresServer, IsFoundWithoutRightsBeforeAnythingIsTried) {
    const PostgresPlace place(PostgresPlace::Holds::nothing);
    act(place.url(), "CREATE ROLE humble LOGIN");
    const auto url = with(place.url(), "user=baton", "user=humble");
    const auto looked = run_command({baton_binary(), "db", "migrate", "--dry-run", "--store", url});
    act(place.url(), "DROP ROLE humble");
    EXPECT_EQ(looked.exit_code, 2) << looked.out;
    EXPECT_THAT(
        looked.err, HasSubstr("it must own the schema that it uses and may create in the database")
    );
}

TEST(PostgresServer, IsVerifiedWithOneSentenceWhereThatCannotBeDone) {
    const PostgresPlace place;
    const PostgresPlace other(PostgresPlace::Holds::nothing);
    act(place.url(), "CREATE ROLE shy LOGIN");
    act(other.url(), "CREATE TABLE somebody (elses int)");
    const auto expect = [](const std::string& url, const char* says) {
        const auto told = run_command({baton_binary(), "db", "verify", "--store", url});
        EXPECT_EQ(told.exit_code, 2) << told.err;
        EXPECT_EQ(told.out, "");
        EXPECT_THAT(told.err, HasSubstr(says));
    };
    expect(with(place.url(), "user=baton", "user=shy"), "the database refuses Baton's role");
    act(place.url(), "GRANT SELECT ON schema_migration TO shy");
    expect(with(place.url(), "user=baton", "user=shy"), "the database refuses Baton's role");
    act(place.url(), "REVOKE SELECT ON schema_migration FROM shy; DROP ROLE shy");
    expect(other.url(), "this database belongs to another program");
    act(place.url(),
        "INSERT INTO schema_migration (number, name, checksum, applied_at_ms, beside) "
        "VALUES (9999, 'next', '0', 0, 1)");
    expect(place.url(), "run db verify of the version that wrote it");
    act(place.url(), "UPDATE schema_migration SET beside = 9999 WHERE number = 9999");
    expect(place.url(), "the store was written by a newer Baton (schema 9999, ");
}

TEST(PostgresServer, WakesThoseWhoServeWhenAToolHasWritten) {
    const PostgresPlace place;
    auto relay = store::PostgresStore::open({.url = place.url(), .now = kNow});
    ASSERT_TRUE(relay) << relay.error().detail;
    ASSERT_TRUE(run_awaitable((*relay)->adopt(InstanceId("relay"), kNow)));
    std::atomic<int> heard{0};
    (*relay)->on_news([&heard] { ++heard; });
    auto tool =
        store::PostgresStore::open({.url = place.url(), .role = store::StoreRole::tool, .now = kNow}
        );
    ASSERT_TRUE(tool) << tool.error().detail;
    ASSERT_TRUE(run_awaitable((*tool)->add_signing_key("secret", kNow)));
    EXPECT_TRUE(eventually([&] { return heard > 0; }, 10s));
    (*relay)->on_news({});
}

} // namespace
} // namespace baton::test
