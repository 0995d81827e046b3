// A real `baton serve` with a HUD to tell of results: one that is away, and a relay that is killed
// between telling it and writing that down.

#include "baton/app/system_clock.hpp"
#include "baton/base/ids.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include "e2e/cli_support.hpp"
#include "e2e/stage.hpp"
#include "support/run_coroutine.hpp"
#include "support/scripted_hud.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

Stage::Plan plan_for(const ScriptedHud& hud) {
    return {
        .allowlist = "L2: [one/b]\n",
        .more_config = fmt::format(
            "sinks: [{{kind: pytorch-hud, url: \"{}\", key: {{env: HUD_KEY}}}}]\n", hud.url()
        ),
    };
}

/// A nightly of its own that ended; `run` tells it from others.
void report(Stage& stage, const std::string& run_id) {
    ports::ReportCommit commit{
        .subject =
            {.dispatch = std::nullopt,
             .downstream = *RepoName::parse("one/b"),
             .upstream = *RepoName::parse(Stage::kUpstream),
             .event_type = "nightly",
             .pr = std::nullopt,
             .head = HeadSha(std::string(40, 'a'))},
        .level = domain::Level::l2,
        .letters =
            {{.sink = "pytorch-hud",
              .body =
                  fmt::format(R"({{"workflow":{{"status":"completed","run_id":"{}"}}}})", run_id)}},
    };
    commit.report.key = {.workflow = "ci", .job = "test", .run_id = run_id, .attempt = 1};
    commit.report.status = domain::JobStatus::completed;
    commit.report.conclusion = domain::Conclusion::success;
    stage.with_store([&](ports::Store& store, boost::asio::io_context& io) {
        commit.now = app::SystemClock(io.get_executor()).now(); // the relay's clock
        EXPECT_TRUE(run(io, store.record_report(commit)).value());
    });
}

std::size_t waiting(Stage& stage) {
    std::size_t letters = 0;
    stage.with_store([&](ports::Store& store, boost::asio::io_context& io) {
        letters = run(io, store.result_counts()).value().value().outbox_waiting;
    });
    return letters;
}

TEST(SinkE2e, AHudThatIsAwayGetsEverythingWhenItIsBack) {
    ScriptedHud hud;
    hud.say({.status = 503});
    Stage stage(plan_for(hud));
    ASSERT_TRUE(stage.start({}, {"HUD_KEY=k3y"})) << stage.log();
    report(stage, "1");
    report(stage, "2");
    EXPECT_TRUE(eventually([&] { return !hud.seen().empty(); }, 20s));
    EXPECT_EQ(waiting(stage), 2U);
    hud.say({.status = 200});
    EXPECT_TRUE(eventually([&] { return waiting(stage) == 0; }, 30s)) << stage.log();
    EXPECT_EQ(hud.taken().size(), 2U);
    EXPECT_EQ(hud.seen().front().path, "/api/crcr/results");
    EXPECT_EQ(hud.seen().front().headers.find("x-hud-internal-bot"), "k3y");
    EXPECT_THAT(hud.taken().front(), HasSubstr(R"("verified_repo":"one/b")"));
    EXPECT_THAT(stage.log(), ::testing::Not(HasSubstr("k3y")));
}

TEST(SinkE2e, ARelayThatDiesBeforeItHearsTheAnswerTellsAgainAndIsKnown) {
    ScriptedHud hud;
    hud.say({.status = 200, .abort = true}); // it takes the result, and its answer is lost
    Stage stage(plan_for(hud));
    ASSERT_TRUE(stage.start({}, {"HUD_KEY=k3y"})) << stage.log();
    report(stage, "1");
    EXPECT_TRUE(eventually([&] { return hud.taken().size() == 1; }, 20s));
    stage.pull_the_plug();
    hud.say({.status = 200});
    ASSERT_TRUE(stage.start({}, {"HUD_KEY=k3y"})) << stage.log();
    EXPECT_TRUE(eventually([&] { return waiting(stage) == 0; }, 30s)) << stage.log();
    EXPECT_EQ(hud.taken().size(), 1U);
    EXPECT_GE(hud.seen().size(), 2U);
}

TEST(SinkE2e, WhatTheHudWillNeverTakeIsShownAndTriedAgainByHand) {
    ScriptedHud hud;
    hud.say({.status = 422, .body = "no such\tfield"});
    Stage stage(plan_for(hud));
    ASSERT_TRUE(stage.start({}, {"HUD_KEY=k3y"})) << stage.log();
    report(stage, "1");
    EXPECT_TRUE(eventually([&] { return waiting(stage) == 0; }, 20s));
    const auto listed = baton({"outbox", "list", "--config", stage.config_file()});
    EXPECT_EQ(listed.exit_code, 1);
    EXPECT_THAT(listed.out, HasSubstr("the HUD answered 422: no such"));
    hud.say({.status = 200});
    const auto retried = baton({"outbox", "retry", "--config", stage.config_file()});
    EXPECT_EQ(retried.exit_code, 0) << retried.err;
    EXPECT_EQ(retried.out, "1 letter on the way again\n");
    EXPECT_TRUE(eventually([&] { return hud.taken().size() == 1; }, 20s));
    EXPECT_TRUE(eventually(
        [&] { return baton({"outbox", "list", "--config", stage.config_file()}).exit_code == 0; },
        20s
    ));
}

} // namespace
} // namespace baton::test
