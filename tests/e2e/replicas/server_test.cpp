// What Baton needs of a PostgreSQL server and of its role there, and what it says when that is not
// so; what a tool does is heard by those who serve.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/postgres_store.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/store_role.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "e2e/stage.hpp"
#include "support/postgres_place.hpp"
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

/// One message of PostgreSQL's protocol: its kind, its length, its body.
std::string message(char kind, std::string_view body) {
    const std::uint32_t size = htonl(static_cast<std::uint32_t>(body.size() + 4));
    std::string bytes(1, kind);
    bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
    return bytes.append(body);
}

std::string setting(std::string_view name, std::string_view value) {
    std::string body(name);
    body.push_back('\0');
    body.append(value).push_back('\0');
    return message('S', body);
}

/// Says hello as a server of that version does, and yes to whatever it is asked first.
void play_server(RawListener& listener, std::string_view version) {
    using namespace std::string_view_literals;
    const auto ready = message('Z', "I");
    auto client = listener.accept();
    client.receive(); // who it is and what it wants
    client.send(
        message('R', "\0\0\0\0"sv) + setting("server_version", version) +
        setting("server_encoding", "UTF8") + setting("client_encoding", "UTF8") +
        setting("in_hot_standby", "off") + setting("default_transaction_read_only", "off") +
        setting("standard_conforming_strings", "on") + message('K', "\0\0\0\1\0\0\0\2"sv) + ready
    );
    client.receive(); // its bounds
    client.send(message('C', "SET\0"sv) + ready);
    client.receive(); // its farewell
}

TEST(PostgresServer, HasToBeNewEnough) {
    RawListener listener;
    std::thread server([&] { play_server(listener, "14.9"); });
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
    EXPECT_THAT(refused.error().detail, HasSubstr("the store's database cannot be reached: "));
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
