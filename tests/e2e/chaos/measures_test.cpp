// What happens by the clock while something is away: who takes over, and how soon; and GitHub away
// for a long time. Times are printed and not judged: a machine may be busy with much else.

#include "baton/base/ids.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/wire/allowlist.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "e2e/account.hpp"
#include "e2e/chaos/gathering.hpp"
#include "e2e/chaos/history.hpp"
#include "e2e/chaos/options.hpp"
#include "e2e/chaos/traffic.hpp"
#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"
#include "support/fault_proxy.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Way = FaultProxy::Way;

constexpr std::size_t kReplicas = 3;
constexpr std::size_t kListed = 4;
constexpr const char* kList = R"(
L1: [one/a]
L2: [two/a]
L3: {npu: {three/a: [ann]}}
L4: [{four/a: {device: gpu}}]
)";

constexpr store::sql::Query kWhoLeads{
    "who_leads",
    "SELECT 0 WHERE 0",
    "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 1650553967 AND objid = 0 "
    "AND objsubid = 2 AND granted"
};
constexpr store::sql::Query kUnderWay{
    "under_way",
    "SELECT 0 WHERE 0",
    "SELECT count(*) FROM dispatch WHERE state = 'pending' AND lease_until_ms > 0"
};

/// Sees what replicas hold in their database.
class LockView {
public:
    explicit LockView(const Stage& stage)
        : db_(store::postgres::connect(stage.store_place()).value()) {}

    /// The session of the replica that leads; 0: nobody does.
    std::int64_t leader() {
        auto rows = db_.rows(kWhoLeads);
        return rows.next() ? rows.integer(0) : 0;
    }

    /// Dispatches that somebody has leased.
    std::int64_t under_way() {
        auto rows = db_.rows(kUnderWay);
        return rows.next() ? rows.integer(0) : 0;
    }

private:
    store::sql::Connection db_;
};

std::string spread(std::vector<std::chrono::milliseconds> times) {
    std::ranges::sort(times);
    return fmt::format(
        "{} to {} ms, median {} ms of {}",
        times.front().count(),
        times.back().count(),
        times[times.size() / 2].count(),
        times.size()
    );
}

class ReplicaMeasures : public testing::Test {
protected:
    explicit ReplicaMeasures(const std::string& more_github = "")
        : stage_({
              .allowlist = kList,
              .more_config = "retry: {first: 100ms, longest: 2s}",
              .more_github = more_github,
          }) {}

    static std::chrono::milliseconds since(Clock::time_point begin) {
        return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    }

    bool accepted_at(std::size_t which, const sim::Webhook& webhook) {
        return eventually([&] { return Stage::post(webhook, house_.port(which)) / 100 == 2; }, 60s);
    }

    bool have_arrived(const std::set<DeliveryId>& deliveries) {
        const auto wanted = listed();
        return std::ranges::all_of(deliveries, [&](const DeliveryId& id) {
            return std::ranges::all_of(wanted, [&](const RepoName& downstream) {
                return stage_.received(downstream.text(), id) > 0;
            });
        });
    }

    static std::vector<RepoName> listed() {
        std::vector<RepoName> all;
        const auto reading = wire::read_allowlist(kList);
        for (const auto& downstream : reading.allowlist.value().downstreams()) {
            all.push_back(downstream.repo);
        }
        return all;
    }

    /// Nothing was sent twice that nobody can explain, and everything arrived.
    void expect_rules(const std::set<DeliveryId>& accepted) {
        EXPECT_TRUE(eventually([&] { return !is_pending(stage_.counts()); }, 300s))
            << house_.logs();
        audit(stage_, accepted, kListed);
    }

    Stage stage_;
    House house_{stage_, kReplicas};
};

TEST_F(ReplicaMeasures, AnotherLeadsWhenTheOneThatLedIsKilled) {
    LockView locks(stage_);
    std::vector<std::chrono::milliseconds> times;
    const std::size_t wanted = chaos_options().is_long ? 10 : 2;
    for (std::size_t round = 0; times.size() < wanted && round < wanted * 10; ++round) {
        ASSERT_TRUE(eventually([&] { return locks.leader() != 0; }, 60s));
        const auto leader = locks.leader();
        house_.pull_the_plug(round % kReplicas);
        const auto begin = Clock::now();
        const bool led = eventually([&] { return locks.leader() != leader; }, 1s);
        if (led) {
            ASSERT_TRUE(eventually([&] { return locks.leader() != 0; }, 60s));
            times.push_back(since(begin));
        }
        ASSERT_TRUE(house_.start(round % kReplicas)) << house_.log(round % kReplicas);
    }
    ASSERT_FALSE(times.empty()) << "one of three leads";
    std::cout << "chaos: failover, another leads after " << spread(times) << '\n';
}

TEST_F(ReplicaMeasures, WhatADeadOneHadUnderWayIsSentByTheOthers) {
    LockView locks(stage_);
    std::vector<std::chrono::milliseconds> times;
    std::set<DeliveryId> accepted;
    for (std::size_t round = 0; round < (chaos_options().is_long ? 12 : 3); ++round) {
        const auto dying = round % kReplicas; // one of them led, too
        house_.to_github(dying).set(Way::held);
        ASSERT_TRUE(eventually(
            [&] {
                const auto webhook = stage_.opened_pull();
                EXPECT_TRUE(accepted_at(dying, webhook));
                accepted.insert(webhook.id);
                const auto before = locks.under_way();
                let_pass(1s); // what another has leased has arrived by then
                return std::min(before, locks.under_way()) > 0;
            },
            60s
        ));
        house_.pull_the_plug(dying);
        const auto begin = Clock::now();
        house_.to_github(dying).reset();
        house_.to_github(dying).set(Way::open);
        ASSERT_TRUE(eventually([&] { return have_arrived(accepted); }, 60s)) << house_.logs();
        times.push_back(since(begin));
        ASSERT_TRUE(house_.start(dying)) << house_.log(dying);
    }
    std::cout << "chaos: failover, what it had under way is sent after " << spread(times) << '\n';
    expect_rules(accepted);
}

/// GitHub's published limits are enforced, and Baton keeps to their pace. An hour is scaled to a
/// minute, the longest wait between two tries with it.
class GithubAway : public ReplicaMeasures {
protected:
    GithubAway()
        : ReplicaMeasures("  pace: 900\n") {
        stage_.github().with([](sim::SimWorld& world) {
            world.limits.use(sim::LimitRules::published());
        });
    }
};

TEST_F(GithubAway, EverythingIsHeldAndDrainedWithoutALimitAnswer) {
    const auto away = chaos_options().is_long ? 60s : 6s;
    house_.set_github(Way::cut);
    Traffic traffic(stage_, house_, {.seed = chaos_options().seed, .pause = 150ms});
    let_pass(away);
    const auto told = traffic.stop();
    EXPECT_EQ(stage_.received_in_all(), 0U);
    EXPECT_THAT(told.answers, testing::Each(testing::Key(testing::AnyOf(200, 202))))
        << "a webhook needs no GitHub";
    house_.set_github(Way::open);
    const auto begin = Clock::now();
    ASSERT_TRUE(eventually([&] { return !is_pending(stage_.counts()); }, 600s)) << house_.logs();
    const auto took = since(begin);
    const auto limits =
        stage_.github().with([](sim::SimWorld& world) { return world.limits.counts(); });
    std::cout << fmt::format(
        "chaos: GitHub away for {} s: {} deliveries held, drained in {} ms, {} dispatches, "
        "{} at once at most, limit answers {}\n",
        away.count(),
        told.accepted.size(),
        took.count(),
        stage_.received_in_all(),
        limits.concurrent_peak,
        limits.answers.size()
    );
    EXPECT_THAT(limits.answers, testing::IsEmpty());
    EXPECT_EQ(limits.while_limited, 0U);
    auto history = gather(stage_, told, {});
    history.downstreams = listed();
    history.checks.clear(); // nobody reports here, and gates wait for half an hour
    EXPECT_THAT(broken_rules(history), testing::IsEmpty());
}

} // namespace
} // namespace baton::test
