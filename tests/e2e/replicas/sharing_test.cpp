// What replicas tell each other through the database, without a relay around them.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/quota.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/postgres_store.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "e2e/stage.hpp"
#include "support/postgres_place.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);

std::unique_ptr<store::PostgresStore> replica(const PostgresPlace& place, const std::string& name) {
    auto store = store::PostgresStore::open({.url = place.url(), .now = kNow});
    if (!store) {
        throw std::runtime_error(store.error().detail);
    }
    if (auto there = run_awaitable((*store)->adopt(InstanceId(name), kNow)); !there) {
        throw std::runtime_error(there.error().detail);
    }
    return *std::move(store);
}

TEST(ReplicasShare, WhatGithubAnnouncedToOneOfThem) {
    const PostgresPlace place;
    auto one = replica(place, "one");
    auto two = replica(place, "two");
    const domain::QuotaView held{
        .account = "org",
        .limit = 5000,
        .remaining = 0,
        .reset_at = kNow + 1h,
        .held_until = kNow + 1h,
        .in_flight = 4,
    };
    const auto is_told = [&] {
        one->quotas()->tell({held});
        return two->quotas()->heard().quotas.size() == 1;
    };
    ASSERT_TRUE(eventually(is_told, 10s));
    const auto heard = two->quotas()->heard();
    EXPECT_EQ(heard.replicas, 1U);
    EXPECT_EQ(heard.quotas[0].account, "org");
    EXPECT_EQ(heard.quotas[0].held_until, kNow + 1h);
    EXPECT_EQ(heard.quotas[0].in_flight, 4U);
    EXPECT_EQ(one->quotas()->heard().replicas, 0U) << "nobody hears himself";
    one.reset();
    EXPECT_TRUE(eventually([&] { return two->quotas()->heard().replicas == 0; }, 10s));
}

TEST(ReplicasShare, WorkThatOneOfThemLeavesToTheOthers) {
    const PostgresPlace place;
    auto one = replica(place, "one");
    const auto two = replica(place, "two");
    std::atomic<int> heard{0};
    two->on_news([&heard] { ++heard; });
    ASSERT_TRUE(run_awaitable(one->tell_others()));
    EXPECT_TRUE(eventually([&] { return heard >= 1; }, 10s));
    one.reset();
    EXPECT_TRUE(eventually([&] { return heard >= 2; }, 10s)) << "its last word";
    two->on_news({});
}

std::string presence_of(const std::string& name) {
    return fmt::format(
        "pg_locks WHERE locktype = 'advisory' AND classid = 1650553967 AND objid = "
        "hashtext('{}')::oid",
        name
    );
}

/// Ends those sessions; nobody gets a new one with the database any more.
void cut_off(const PostgresPlace& place, const std::string& sessions) {
    auto url = place.url();
    const auto from = std::string_view("postgresql:///").size();
    const auto database = url.substr(from, url.find('?') - from);
    auto db = store::postgres::connect(url.replace(from, database.size(), "postgres"));
    ASSERT_TRUE(db) << db.error().detail;
    const auto close = fmt::format("ALTER DATABASE {} ALLOW_CONNECTIONS false", database);
    const auto end = fmt::format("SELECT pg_terminate_backend(pid) FROM {}", sessions);
    for (const auto& sql : {close, end}) {
        db->script(sql.c_str(), "cut_off");
        ASSERT_TRUE(db->ok()) << db->failure().text;
    }
}

TEST(ReplicasShare, WorkThatOneMayNotLeaseForOthersThinkItGone) {
    const PostgresPlace place;
    const auto two = replica(place, "two"); // has the lead, so nothing else is told it
    const auto one = replica(place, "one");
    std::atomic<int> heard{0};
    two->on_news([&heard] { ++heard; });
    cut_off(place, presence_of("one"));
    const auto is_told = [&] {
        const auto leased = run_awaitable(one->lease({.holder = InstanceId("one"), .now = kNow}));
        EXPECT_TRUE(leased && leased->empty());
        return heard > 0;
    };
    EXPECT_TRUE(eventually(is_told, 10s));
    two->on_news({});
}

TEST(ReplicasShare, NoWorkOfAnyKindIsTakenByOneThatOthersThinkGone) {
    const PostgresPlace place;
    const auto one = replica(place, "one");
    const InstanceId holder("one");
    cut_off(place, "pg_stat_activity WHERE datname IS NOT NULL AND pid <> pg_backend_pid()");
    // Whoever asks the database now is refused; who is missing does not ask.
    const auto asks_nobody = [](const auto& taken) { return taken && taken->empty(); };
    EXPECT_TRUE(eventually(
        [&] { return asks_nobody(run_awaitable(one->lease({.holder = holder, .now = kNow}))); }, 10s
    ));
    EXPECT_PRED1(asks_nobody, run_awaitable(one->take_letters({.holder = holder, .now = kNow})));
    EXPECT_PRED1(asks_nobody, run_awaitable(one->take_postings({.holder = holder, .now = kNow})));
    EXPECT_PRED1(asks_nobody, run_awaitable(one->take_reruns({.holder = holder, .now = kNow})));
}

} // namespace
} // namespace baton::test
