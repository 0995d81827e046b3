// One relay on a file, and somebody who sets its machine's clock.

#include "baton/sim/github_types.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"
#include "support/fault_proxy.hpp"
#include "support/postgres_place.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using Way = FaultProxy::Way;

class RelayClock : public testing::Test {
protected:
    void SetUp() override {
        if (PostgresPlace::is_there()) {
            GTEST_SKIP() << "replicas go by their database's clock";
        }
    }

    /// A webhook that is taken while GitHub cannot be reached: its dispatch waits to be tried
    /// again.
    sim::Webhook taken_while_github_is_away() {
        house_.set_github(Way::cut);
        auto webhook = stage_.opened_pull();
        EXPECT_EQ(Stage::post(webhook, house_.port(0)), 202);
        EXPECT_TRUE(eventually(
            [&] { return house_.log(0).find("dispatch.attempted") != std::string::npos; }, 30s
        )) << house_.log(0);
        return webhook;
    }

    void start_anew(std::chrono::seconds ahead) {
        house_.pull_the_plug(0);
        house_.set_clock(0, ahead);
        ASSERT_TRUE(house_.start(0)) << house_.log(0);
    }

    bool is_sent(const sim::Webhook& webhook) {
        house_.set_github(Way::open);
        return eventually([&] { return stage_.received("a/one", webhook.id) == 1; }, 60s);
    }

    Stage stage_{{.allowlist = "L2: [a/one]\n", .more_config = "retry: {longest: 2s}\n"}};
    House house_{stage_, 1};
};

TEST_F(RelayClock, AnHourAheadForAMomentHoldsNothingUp) {
    house_.set_clock(0, 3'600s);
    const auto webhook = taken_while_github_is_away();
    house_.set_clock(0, 0s);
    EXPECT_TRUE(is_sent(webhook)) << house_.log(0);
}

TEST_F(RelayClock, WhatWasWrittenAnHourAheadIsSentByALifeWhoseClockIsRight) {
    start_anew(3'600s);
    const auto webhook = taken_while_github_is_away();
    start_anew(0s);
    EXPECT_TRUE(is_sent(webhook)) << house_.log(0);
}

} // namespace
} // namespace baton::test
