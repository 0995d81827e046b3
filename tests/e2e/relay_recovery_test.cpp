// A real `baton serve` that was away while GitHub sent webhooks: it reads GitHub's log and asks for
// what it missed, whatever happens in the middle of asking.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "e2e/stage.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

const char* const kAllowlist = "L1: [one/a, one/b]\nL2: [two/a]\n";
const char* const kOften = "recovery_every: 1s";

/// GitHub tried and nobody answered.
sim::Webhook missed(Stage& stage, sim::Webhook webhook) {
    stage.github().with([&](sim::SimWorld& world) {
        const auto logged = world.model.hooks().record(
            {.delivery = webhook.id,
             .at = std::chrono::floor<Millis>(std::chrono::system_clock::now()),
             .status_code = 502,
             .status = "failed to connect to host"}
        );
        EXPECT_TRUE(logged);
    });
    return webhook;
}

void let_github_reach(Stage& stage) {
    stage.github().with([&](sim::SimWorld& world) {
        world.target = {.url = stage.webhook_url(), .secret = Stage::kSecret};
    });
}

bool all_arrive(Stage& stage, const std::vector<sim::Webhook>& webhooks) {
    return eventually(
        [&] {
            for (const auto& webhook : webhooks) {
                for (const auto* repo : {"one/a", "one/b", "two/a"}) {
                    if (stage.received(repo, webhook.id) == 0) {
                        return false;
                    }
                }
            }
            return true;
        },
        30s
    );
}

/// A relay that has begun its account and is gone, and what it then missed.
std::vector<sim::Webhook> away(Stage& stage) {
    EXPECT_TRUE(stage.start()) << stage.log();
    stage.pull_the_plug();
    std::vector<sim::Webhook> webhooks;
    for (int i = 0; i < 10; ++i) {
        webhooks.push_back(missed(stage, i % 2 == 0 ? stage.opened_pull() : stage.pushed()));
    }
    return webhooks;
}

std::vector<sim::Webhook>
not_yet_asked_for(Stage& stage, const std::vector<sim::Webhook>& webhooks) {
    std::set<DeliveryId> asked;
    stage.with_store([&](ports::Store& store, boost::asio::io_context& io) {
        const auto astray = run(io, store.hooks_astray(100));
        ASSERT_TRUE(astray && *astray);
        for (const auto& hook : **astray) {
            EXPECT_LT(hook.asked, domain::kAskedMax) << hook.newest.delivery.text();
            if (hook.asked > 0) {
                asked.insert(hook.newest.delivery);
            }
        }
    });
    std::vector<sim::Webhook> others;
    for (const auto& webhook : webhooks) {
        if (!asked.contains(webhook.id)) {
            others.push_back(webhook);
        }
    }
    return others;
}

TEST(Recovery, WhatGithubSentInVainIsAskedForAfterTheStart) {
    Stage stage({.allowlist = kAllowlist, .more_config = kOften});
    const auto webhooks = away(stage);
    ASSERT_TRUE(stage.start()) << stage.log();
    let_github_reach(stage);
    EXPECT_TRUE(all_arrive(stage, webhooks)) << stage.log();
    EXPECT_EQ(stage.received_in_all(), webhooks.size() * 3) << "each of them once";
    std::string metrics;
    EXPECT_TRUE(eventually(
        [&] {
            return stage.get("/metrics", &metrics) == 200 &&
                   metrics.find("baton_webhooks_astray 0") != std::string::npos;
        },
        10s
    )) << metrics;
    EXPECT_NE(metrics.find("baton_redeliveries_asked_total 10"), std::string::npos) << metrics;
}

TEST(Recovery, WhatAnEarlierRelayWasSentIsNotOurs) {
    Stage stage({.allowlist = kAllowlist, .more_config = kOften});
    const auto before = missed(stage, stage.opened_pull());
    ASSERT_TRUE(stage.start()) << stage.log();
    let_github_reach(stage);
    const auto after = missed(stage, stage.pushed());
    EXPECT_TRUE(all_arrive(stage, {after})) << stage.log();
    EXPECT_EQ(stage.received("one/a", before.id), 0U);
}

TEST(Recovery, TheOperatorSeesWhatIsMissingAndAsksForItByHand) {
    Stage stage({.allowlist = kAllowlist, .more_config = "recovery_every: 1h"});
    const auto webhooks = away(stage);
    const std::vector<std::string> command{
        baton_binary(), "deliveries", "recover", "--config", stage.config_file()
    };
    auto look = command;
    look.emplace_back("--dry-run");
    const auto looked = run_command(look);
    EXPECT_EQ(looked.exit_code, 0) << looked.err;
    EXPECT_NE(looked.out.find(webhooks[3].id.text()), std::string::npos) << looked.out;
    EXPECT_NE(looked.out.find("10 webhooks not here; 0 asked for (dry run)"), std::string::npos)
        << looked.out;

    auto ask = command;
    ask.emplace_back("--json");
    const auto asked = run_command(ask);
    EXPECT_EQ(asked.exit_code, 0) << asked.err;
    EXPECT_NE(asked.out.find(R"("asked":10)"), std::string::npos) << asked.out;
    ASSERT_TRUE(stage.start()) << stage.log();
    let_github_reach(stage);
    EXPECT_TRUE(all_arrive(stage, webhooks)) << stage.log();
}

TEST(Recovery, PullingThePlugWhileAskingLosesNothing) {
    for (const auto* point :
         {"store.note_asked.before",
          "store.note_asked.after",
          "github.ask_again.before",
          "github.ask_again.after"}) {
        SCOPED_TRACE(point);
        Stage stage({.allowlist = kAllowlist, .more_config = kOften});
        const auto webhooks = away(stage);
        ASSERT_TRUE(stage.start({"--kill-at", point, "--kill-passage", "5"})) << stage.log();
        const auto ending = stage.relay().wait(20s);
        ASSERT_TRUE(ending.has_value()) << "the point was never passed";
        EXPECT_EQ(ending->signal, SIGKILL);
        ASSERT_TRUE(stage.start()) << stage.log();
        let_github_reach(stage);
        // What was counted as asked for, and perhaps was not, is asked for again two minutes later.
        const auto at_once = not_yet_asked_for(stage, webhooks);
        EXPECT_TRUE(all_arrive(stage, at_once)) << stage.log();
    }
}

} // namespace
} // namespace baton::test
