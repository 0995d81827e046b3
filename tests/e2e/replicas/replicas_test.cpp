// Three real relays on one PostgreSQL, under load, with everything done to them that happens to
// processes and databases. Afterwards every delivery that got a 2xx has every due dispatch at
// GitHub exactly once, except where nobody can know how an attempt ended; those are counted.
//
//     BATON_KILLS=300 tests/support/postgres_server.py build/release/bin/e2e_replicas

#include "baton/base/ids.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "e2e/account.hpp"
#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kReplicas = 3;
constexpr std::size_t kDownstreams = 4;
const char* const kAllowlist = R"(
L1: [one/a]
L2: [two/a]
L3: {npu: {three/a: [ann]}}
L4: [{four/a: {device: gpu}}]
)";

std::size_t times(const char* variable, std::size_t otherwise) {
    const char* wanted = std::getenv(variable);
    return wanted == nullptr ? otherwise : static_cast<std::size_t>(std::atoi(wanted));
}

class Replicas : public testing::Test {
protected:
    /// Waits until all is quiet, compares, and says what happened.
    Account settle(const std::string& what, const std::set<DeliveryId>& accepted) {
        EXPECT_TRUE(eventually([&] { return !is_pending(stage_.counts()); }, 90s))
            << house_.log(0) << house_.log(1) << house_.log(2);
        const auto account = audit(stage_, accepted, kDownstreams);
        std::cout << fmt::format(
            "{}: deliveries {}, dispatches {}, repeats {}, outcomes nobody can know {}\n",
            what,
            account.deliveries,
            account.dispatches,
            account.repeats,
            account.unknown
        );
        return account;
    }

    /// Ends every session with the stage's database, as a restart of the server would.
    void cut_all_sessions() {
        auto db = store::postgres::connect(stage_.store_place());
        ASSERT_TRUE(db) << db.error().detail;
        db->script(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()",
            "cut"
        );
        EXPECT_TRUE(db->ok());
    }

    std::chrono::milliseconds until_sent(const DeliveryId& id) {
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_TRUE(eventually([&] { return stage_.received("four/a", id) > 0; }, 30s));
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - begin
        );
    }

    Stage stage_{{.allowlist = kAllowlist}};
    House house_{stage_, kReplicas};
    sim::SeededChance chance_{20261116};
};

TEST_F(Replicas, AnyOfThemMayDieAtAnyTimeAndNothingIsLost) {
    const auto kills = times("BATON_KILLS", 30);
    SpreadLoad load(stage_, house_);
    for (std::size_t i = 0; i < kills; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50 + chance_.draw().below(300)));
        const auto which = chance_.draw().below(kReplicas);
        house_.pull_the_plug(which);
        ASSERT_TRUE(house_.start(which)) << house_.log(which);
    }
    const auto accepted = load.stop();
    EXPECT_GT(accepted.size(), kills);
    settle(fmt::format("{} kills", kills), accepted);
}

TEST_F(Replicas, GoOnWithinFiveSecondsWhenTheOneThatTookADeliveryDies) {
    for (std::size_t which = 0; which < kReplicas; ++which) {
        const auto webhook = stage_.opened_pull();
        ASSERT_EQ(Stage::post(webhook, house_.port(which)), 202);
        house_.pull_the_plug(which);
        const auto took = until_sent(webhook.id);
        std::cout << fmt::format("replica {}: sent {} ms after it died\n", which, took.count());
        EXPECT_LE(took, 5s);
        ASSERT_TRUE(house_.start(which)) << house_.log(which);
    }
}

TEST_F(Replicas, GiveOneEffectToManyCopiesOfOneDelivery) {
    const auto copies = times("BATON_COPIES", 1'500);
    const auto webhook = stage_.opened_pull();
    std::atomic<std::size_t> accepted{0};
    std::atomic<std::size_t> known{0};
    std::vector<std::thread> senders;
    for (std::size_t which = 0; which < kReplicas; ++which) {
        senders.emplace_back([&, which] {
            for (std::size_t i = 0; i < copies / kReplicas; ++i) {
                const int status = Stage::post(webhook, house_.port(which));
                accepted += status == 202 ? 1U : 0U;
                known += status == 200 ? 1U : 0U;
            }
        });
    }
    for (auto& sender : senders) {
        sender.join();
    }
    EXPECT_EQ(accepted + known, copies / kReplicas * kReplicas);
    EXPECT_EQ(accepted, 1U);
    settle(fmt::format("{} copies", copies), {webhook.id});
    EXPECT_EQ(stage_.received_in_all(), kDownstreams);
}

TEST_F(Replicas, AreBackByThemselvesWhenTheDatabaseEndsEverySession) {
    SpreadLoad load(stage_, house_);
    for (int i = 0; i < 8; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200 + chance_.draw().below(400)));
        cut_all_sessions();
    }
    std::this_thread::sleep_for(1s);
    const auto accepted = load.stop();
    EXPECT_GT(accepted.size(), 20U);
    settle("8 cuts", accepted);
}

TEST_F(Replicas, DoNotWaitForOneThatStandsStill) {
    SpreadLoad load(stage_, house_);
    std::this_thread::sleep_for(300ms);
    house_.process(0).send_signal(SIGSTOP);
    const auto webhook = stage_.opened_pull();
    EXPECT_TRUE(eventually([&] { return Stage::post(webhook, house_.port(1)) / 100 == 2; }, 10s));
    const auto took = until_sent(webhook.id);
    std::cout << fmt::format("sent {} ms after one stood still\n", took.count());
    EXPECT_LE(took, 10s);
    house_.process(0).send_signal(SIGCONT);
    settle("one stood still", load.stop());
}

TEST_F(Replicas, ShowWhatAnotherTookIn) {
    const auto webhook = stage_.opened_pull();
    ASSERT_EQ(Stage::post(webhook, house_.port(0)), 202);
    until_sent(webhook.id);
    std::string page;
    EXPECT_EQ(Stage::get("/api/v1/deliveries/" + webhook.id.text(), house_.port(2), &page), 200);
    EXPECT_THAT(page, testing::HasSubstr("four/a"));
}

} // namespace
} // namespace baton::test
