// A real `baton serve` in trouble: GitHub away, a dead downstream, a broken allowlist, a full disk,
// new secrets, a stop in the middle of work. Nothing is lost and nobody else waits.

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <string>

#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

const char* const kAllowlist = "L1: [one/a, one/b]\nL2: [two/a]\n";

sim::FaultRule everywhere(sim::Fault fault) {
    return {.route = "", .fault = std::move(fault)};
}

void misbehave(Stage& stage, const sim::FaultRule& rule) {
    stage.github().with([&](sim::SimWorld& world) { world.faults.add(rule); });
}

void behave(Stage& stage) {
    stage.github().with([](sim::SimWorld& world) { world.faults.clear(); });
}

bool arrives(
    Stage& stage,
    const std::string& repo,
    const DeliveryId& id,
    std::chrono::milliseconds within = 20s
) {
    return eventually([&] { return stage.received(repo, id) == 1; }, within);
}

TEST(Trouble, StartsAcceptsAndCatchesUpWhenGithubIsAway) {
    Stage stage(
        {.allowlist = kAllowlist,
         .allowlist_on_github = true,
         .more_config = "allowlist_refresh: 1s"}
    );
    misbehave(stage, everywhere({.ending = sim::Fault::Ending::reset, .perform = false}));
    ASSERT_TRUE(stage.start()) << stage.log();
    EXPECT_EQ(stage.get("/healthz"), 200);
    const auto webhook = stage.opened_pull();
    EXPECT_EQ(stage.post(webhook), 202);
    EXPECT_TRUE(eventually([&] { return stage.get("/readyz") == 503; }, 10s));
    EXPECT_EQ(stage.received_in_all(), 0U);
    behave(stage);
    for (const auto* repo : {"one/a", "one/b", "two/a"}) {
        EXPECT_TRUE(arrives(stage, repo, webhook.id, 30s)) << repo;
    }
    EXPECT_TRUE(eventually([&] { return stage.get("/readyz") == 200; }, 20s));
}

std::size_t lines_with(const std::string& log, const std::string& words) {
    std::size_t count = 0;
    for (auto at = log.find(words); at != std::string::npos; at = log.find(words, at + 1)) {
        ++count;
    }
    return count;
}

TEST(Trouble, TheLogSaysOnceThatGithubIsAwayAndOnceThatItIsBack) {
    Stage stage({.allowlist = kAllowlist});
    misbehave(stage, everywhere({.ending = sim::Fault::Ending::reset, .perform = false}));
    ASSERT_TRUE(stage.start()) << stage.log();
    EXPECT_TRUE(eventually([&] { return lines_with(stage.log(), "where=github") == 1; }, 20s));
    behave(stage);
    const auto back = [&] {
        return lines_with(stage.log(), "detail=\"works again; it was: ") == 1;
    };
    EXPECT_TRUE(eventually(back, 60s)) << stage.log();
    EXPECT_EQ(lines_with(stage.log(), "where=github"), 2U) << stage.log();
}

TEST(Trouble, ADownstreamThatNeverAnswersDelaysNobodyElse) {
    Stage stage({.allowlist = kAllowlist});
    misbehave(
        stage,
        {.route = "dispatches",
         .repo = *RepoName::parse("one/a"),
         .fault = {.ending = sim::Fault::Ending::drop, .perform = false}}
    );
    ASSERT_TRUE(stage.start()) << stage.log();
    for (int i = 0; i < 50; ++i) {
        const auto webhook = stage.pushed();
        ASSERT_EQ(stage.post(webhook), 202);
        ASSERT_TRUE(arrives(stage, "one/b", webhook.id));
        ASSERT_TRUE(arrives(stage, "two/a", webhook.id));
    }
    behave(stage);
}

TEST(Trouble, ABrokenAllowlistKeepsTheLastGoodOneAndAMendedOneIsInForceSoon) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto first = stage.pushed();
    EXPECT_EQ(stage.post(first), 202);
    EXPECT_TRUE(arrives(stage, "one/a", first.id));

    stage.folder().write("allowlist.yml", "L1: [one/a, one/a]\n");
    EXPECT_TRUE(
        eventually([&] { return stage.log().find("allowlist.refused") != std::string::npos; }, 10s)
    );
    const auto second = stage.pushed();
    EXPECT_EQ(stage.post(second), 202);
    EXPECT_TRUE(arrives(stage, "two/a", second.id));

    stage.folder().write("allowlist.yml", "L1: [one/a]\n");
    EXPECT_TRUE(
        eventually([&] { return stage.log().find("downstreams=1") != std::string::npos; }, 10s)
    ) << stage.log();
    const auto third = stage.pushed();
    EXPECT_EQ(stage.post(third), 202);
    EXPECT_TRUE(arrives(stage, "one/a", third.id));
    EXPECT_EQ(stage.received("two/a", third.id), 0U);
}

/// A limit on file sizes is how a test makes the disk full for one process.
void limit_files_to(Process& process, rlim_t bytes) {
    rlimit limit{};
    ASSERT_EQ(::prlimit(process.id(), RLIMIT_FSIZE, nullptr, &limit), 0);
    limit.rlim_cur = bytes;
    ASSERT_EQ(::prlimit(process.id(), RLIMIT_FSIZE, &limit, nullptr), 0);
}

TEST(Trouble, AFullDiskIsAnswered503AndHealsWithoutARestart) {
    Stage stage({.allowlist = kAllowlist});
    if (stage.database() != nullptr) {
        GTEST_SKIP() << "the full disk is the database's then: e2e/replicas/database_test.cpp";
    }
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto before = stage.pushed();
    EXPECT_EQ(stage.post(before), 202);
    limit_files_to(stage.relay(), 4096);
    const auto during = stage.pushed();
    EXPECT_EQ(stage.post(during), 503);
    EXPECT_EQ(stage.get("/healthz"), 200);
    limit_files_to(stage.relay(), RLIM_INFINITY);
    EXPECT_TRUE(eventually([&] { return stage.post(during) == 202; }, 10s)) << stage.log();
    EXPECT_TRUE(arrives(stage, "one/a", before.id));
    EXPECT_TRUE(arrives(stage, "one/a", during.id));
}

TEST(Trouble, SighupTakesNewSecretsAndSaysWhatNeedsARestart) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.folder().write("secret", "another secret\n");
    stage.relay().send_signal(SIGHUP);
    EXPECT_TRUE(eventually([&] { return stage.post(stage.pushed()) == 401; }, 10s)) << stage.log();
    stage.folder().write("secret", "");
    stage.relay().send_signal(SIGHUP);
    EXPECT_TRUE(eventually([&] { return stage.log().find("stays") != std::string::npos; }, 10s))
        << stage.log();
    EXPECT_TRUE(stage.relay().runs());
}

TEST(Trouble, SigtermEndsWithinTenSecondsAndWhatWasAcceptedIsSentLater) {
    Stage stage({.allowlist = kAllowlist});
    misbehave(stage, {.route = "dispatches", .fault = sim::Fault::slow(60s)});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto webhook = stage.pushed();
    EXPECT_EQ(stage.post(webhook), 202);
    const auto under_way = [&] {
        return stage.github().with([](sim::SimWorld& world) {
            return world.requests["dispatches"] > 0;
        });
    };
    EXPECT_TRUE(eventually(under_way, 10s));
    const auto ending = stage.ask_to_stop();
    ASSERT_TRUE(ending.has_value()) << "still running";
    EXPECT_EQ(ending->exit_code, 0);
    behave(stage);
    ASSERT_TRUE(stage.start()) << stage.log();
    EXPECT_TRUE(eventually([&] { return stage.received("one/b", webhook.id) >= 1; }, 20s));
}

TEST(Trouble, AnAppThatIsNotInstalledFailsWithAReasonAndIsSentAgainByHand) {
    Stage stage({.allowlist = kAllowlist});
    stage.github().with([](sim::SimWorld& world) {
        EXPECT_TRUE(world.model.set_installed(*RepoName::parse("one/b"), false, from_ms(1)));
    });
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto webhook = stage.pushed();
    EXPECT_EQ(stage.post(webhook), 202);
    EXPECT_TRUE(arrives(stage, "one/a", webhook.id));
    const auto failed = [&] {
        for (const auto& [state, count] : stage.counts().dispatches) {
            if (state == domain::DispatchState::failed && count == 1) {
                return true;
            }
        }
        return false;
    };
    EXPECT_TRUE(eventually(failed, 10s));
    stage.github().with([](sim::SimWorld& world) {
        EXPECT_TRUE(world.model.set_installed(*RepoName::parse("one/b"), true, from_ms(2)));
    });
    // GitHub's "not installed" is believed for a few seconds; who redelivers by hand may have to do
    // it twice.
    EXPECT_TRUE(eventually(
        [&] {
            static_cast<void>(run_command(
                {baton_binary(),
                 "deliveries",
                 "redeliver",
                 "--config",
                 stage.config_file(),
                 "--state",
                 "failed",
                 "--all",
                 "--yes"}
            ));
            return stage.received("one/b", webhook.id) >= 1;
        },
        30s
    ));
}

} // namespace
} // namespace baton::test
