// The on-call of a level 4 vendor is told when it stops counting in the gate, and when it counts
// again: once each, by a real HTTP receiver's word, whatever dies in between.

#include "baton/crypto/webhook_signature.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "e2e/cli_support.hpp"
#include "e2e/reviewed_pull.hpp"
#include "e2e/stage.hpp"
#include "support/scripted_hud.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr sim::Pace kQuick{.queue = 20ms, .work = 60ms};
constexpr auto kWatchTwice = 120s; // the watch looks every half minute
const char* const kVendor = "acme/vendor";
const std::vector<std::string> kEnvironment{"NOTIFY_SECRET=s3cret"};

Stage::Plan with_vendor(const ScriptedHud& receiver, const std::string& more_config = "") {
    return {
        .allowlist = "L4: [{acme/vendor: {device: npu, oncalls: [olga]}}]\n",
        .callbacks = true,
        .more_config = fmt::format(
            "callbacks_per_minute: 60000\ngate_settle: 200ms\n{}"
            "notify: [{{name: oncall, url: \"{}\", secret: {{env: NOTIFY_SECRET}}}}]\n",
            more_config,
            receiver.url()
        ),
    };
}

std::vector<std::string> kinds_taken(const ScriptedHud& receiver) {
    std::vector<std::string> kinds;
    for (const auto& body : receiver.taken()) {
        kinds.emplace_back(boost::json::parse(body).at("kind").as_string());
    }
    return kinds;
}

bool is_signed(const ScriptedHud::Seen& request) {
    crypto::SignatureCheck check(crypto::SignatureKeys::make({"s3cret"}).value());
    check.update(request.body);
    return check.finish(request.headers.find("x-baton-signature-256").value_or("")).has_value();
}

Finished by_hand(const Stage& stage, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "gate");
    arguments.insert(
        arguments.end(), {kVendor, "--upstream", "up/stream", "--config", stage.config_file()}
    );
    return baton(std::move(arguments));
}

TEST(RelayNotify, TheOnCallIsToldOnceWhenADeadVendorIsSuspendedAndOnceWhenItComesBack) {
    ScriptedHud receiver;
    Stage stage(with_vendor(receiver, "gate_start: 5s\n"));
    ASSERT_TRUE(stage.start({"--kill-at", "store.suspend_gate.after"}, kEnvironment))
        << stage.log();
    stage.play(kVendor, {.script = sim::Script::silent});
    const ReviewedPull first(stage);
    const ReviewedPull second(stage);
    ASSERT_TRUE(eventually([&] { return !stage.relay().runs(); }, kWatchTwice))
        << "it dies between the decision and its telling";
    EXPECT_TRUE(receiver.seen().empty());
    ASSERT_TRUE(stage.start({}, kEnvironment)) << stage.log();
    ASSERT_TRUE(eventually([&] { return !receiver.taken().empty(); }, 20s)) << stage.log();
    EXPECT_THAT(
        receiver.taken().front(),
        ::testing::AllOf(
            HasSubstr(R"("oncalls":["olga"])"),
            HasSubstr("2 runs in a row did not start within 5s"),
            HasSubstr(R"("rule":"silent")")
        )
    );

    stage.play(kVendor, {.script = sim::Script::pass, .pace = kQuick});
    for (int i = 0; i < 3; ++i) {
        ReviewedPull clean(stage);
        ASSERT_TRUE(clean.comes_to("crcr/acme/vendor/ci/test", "success")) << stage.log();
    }
    ASSERT_TRUE(eventually([&] { return receiver.taken().size() == 2; }, kWatchTwice))
        << stage.log();
    EXPECT_THAT(kinds_taken(receiver), ElementsAre("suspended", "returned"));
    for (const auto& request : receiver.seen()) {
        EXPECT_TRUE(is_signed(request));
    }
    EXPECT_THAT(stage.log(), Not(HasSubstr("s3cret")));
}

TEST(RelayNotify, WhatAHandDoesIsToldToo) {
    ScriptedHud receiver;
    Stage stage(with_vendor(receiver));
    ASSERT_TRUE(stage.start({}, kEnvironment)) << stage.log();
    EXPECT_EQ(by_hand(stage, {"suspend", "--reason", "fire", "--actor", "eve"}).exit_code, 0);
    EXPECT_EQ(by_hand(stage, {"resume"}).exit_code, 0);
    ASSERT_TRUE(eventually([&] { return receiver.taken().size() == 2; }, 30s)) << stage.log();
    EXPECT_THAT(kinds_taken(receiver), ElementsAre("suspended", "returned"));
    EXPECT_THAT(receiver.taken().front(), HasSubstr(R"("by":"eve","by_hand":true)"));
}

TEST(RelayNotify, WhatAReceiverNeverTakesIsShownAndTriedAgainByHand) {
    ScriptedHud receiver;
    receiver.say({.status = 422, .body = "no such field"});
    Stage stage(with_vendor(receiver));
    ASSERT_TRUE(stage.start({}, kEnvironment)) << stage.log();
    EXPECT_EQ(by_hand(stage, {"suspend", "--reason", "fire"}).exit_code, 0);
    const auto listed = [&] {
        return baton({"outbox", "list", "--config", stage.config_file(), "--json"});
    };
    ASSERT_TRUE(eventually([&] { return listed().exit_code == 1; }, 20s)) << stage.log();
    EXPECT_THAT(
        listed().out,
        ::testing::AllOf(
            HasSubstr("notify:oncall answered 422: no such field"),
            HasSubstr("acme/vendor gate of up/stream")
        )
    );
    receiver.say({.status = 200});
    EXPECT_EQ(
        baton({"outbox", "retry", "--config", stage.config_file(), "--sink", "notify:oncall"}).out,
        "1 letter on the way again\n"
    );
    ASSERT_TRUE(eventually([&] { return receiver.taken().size() == 1; }, 20s)) << stage.log();
    std::set<std::string> deliveries;
    for (const auto& request : receiver.seen()) {
        deliveries.emplace(request.headers.find("x-baton-delivery").value_or(""));
    }
    EXPECT_EQ(deliveries.size(), 1U) << "by which it can be known again";
}

} // namespace
} // namespace baton::test
