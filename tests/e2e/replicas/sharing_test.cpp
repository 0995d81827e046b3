// What replicas tell each other through the database, without a relay around them.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/quota.hpp"
#include "baton/store/postgres/postgres_store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

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

} // namespace
} // namespace baton::test
