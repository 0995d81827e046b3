// What befalls the database itself, under load: it is restarted, crashes, is away for a while, and
// its disk is full. No false 2xx, and everybody is back without being asked.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>

#include "e2e/replicas/replicas_fixture.hpp"
#include "e2e/replicas/spread_load.hpp"
#include "e2e/stage.hpp"
#include "support/postgres_hands.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

class ReplicaDatabase : public Replicas {
protected:
    PostgresHands database_;
};

TEST_F(ReplicaDatabase, MayBeRestartedAtAnyTime) {
    SpreadLoad load(stage_, house_, 2);
    const auto restarts = times("BATON_RESTARTS", 2);
    for (std::size_t i = 0; i < restarts; ++i) {
        let_pass(drawn(300ms, 1s));
        database_.stop_fast();
        database_.start();
    }
    expect_back();
    const auto told = load.stop();
    expect_honest(told, {200, 202, 503});
    settle(fmt::format("{} restarts, {}", restarts, line_of(told)), told.accepted);
}

TEST_F(ReplicaDatabase, MayCrashAtAnyTime) {
    SpreadLoad load(stage_, house_, 2);
    const auto crashes = times("BATON_RESTARTS", 2);
    for (std::size_t i = 0; i < crashes; ++i) {
        let_pass(drawn(300ms, 1s));
        database_.stop_at_once();
        database_.start();
    }
    expect_back();
    const auto told = load.stop();
    expect_honest(told, {200, 202, 503});
    settle(fmt::format("{} crashes, {}", crashes, line_of(told)), told.accepted);
}

TEST_F(ReplicaDatabase, MayBeAwayForAWhileAndWhoeverAskedWasToldSo) {
    SpreadLoad load(stage_, house_);
    let_pass(300ms);
    database_.stop_fast();
    const auto webhook = stage_.opened_pull();
    for (std::size_t i = 0; i < kReplicas; ++i) {
        EXPECT_EQ(Stage::post(webhook, house_.port(i)), 503);
        EXPECT_EQ(Stage::get("/healthz", house_.port(i), nullptr), 200);
    }
    let_pass(std::chrono::seconds(times("BATON_AWAY_SECONDS", 2)));
    database_.start();
    expect_back();
    const auto told = load.stop();
    expect_honest(told, {200, 202, 503});
    settle("database away, " + line_of(told), told.accepted);
}

TEST_F(ReplicaDatabase, MayHaveAFullDiskAndRecoverOnceThereIsRoom) {
    SpreadLoad load(stage_, house_, 2);
    let_pass(300ms);
    PostgresHands::fill_disk();
    EXPECT_TRUE(eventually([&] { return load.told().answers.count(503) > 0; }, 30s));
    EXPECT_TRUE(
        eventually([&] { return house_.logs().find("disk is full") != std::string::npos; }, 30s)
    ) << house_.logs();
    let_pass(1s);
    PostgresHands::empty_disk();
    expect_back();
    const auto told = load.stop();
    expect_honest(told, {200, 202, 503});
    settle("disk full, " + line_of(told), told.accepted);
}

} // namespace
} // namespace baton::test
