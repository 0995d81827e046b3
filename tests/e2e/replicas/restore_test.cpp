// A database that was lost and restored from last night's dump: GitHub's log knows what was taken
// since then, and the relay asks for it again.

#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "e2e/stage.hpp"
#include "support/postgres_place.hpp"
#include "support/process.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

const char* const kScript = BATON_SOURCE_DIR "/packaging/backup/baton-postgres";

/// Sent, taken, and written into GitHub's log as that.
sim::Webhook taken(Stage& stage) {
    auto webhook = stage.opened_pull();
    EXPECT_EQ(stage.post(webhook), 202);
    stage.github().with([&](sim::SimWorld& world) {
        EXPECT_TRUE(world.model.hooks().record(
            {.delivery = webhook.id,
             .at = std::chrono::floor<Millis>(std::chrono::system_clock::now()),
             .status_code = 202,
             .status = "Accepted"}
        ));
    });
    return webhook;
}

Finished script(const std::vector<std::string>& words) {
    std::vector<std::string> command{kScript};
    command.insert(command.end(), words.begin(), words.end());
    return run_command(command, {"BATON=" + baton_binary()});
}

/// The relay's configuration names another database from now on.
void change_store(const Stage& stage, const std::string& to) {
    auto text = slurp(stage.config_file());
    const auto from = stage.store_place();
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    stage.folder().write("baton.yml", text.replace(at, from.size(), to));
}

bool is_sent(Stage& stage, const sim::Webhook& webhook, std::size_t times) {
    return eventually([&] { return stage.received("one/a", webhook.id) == times; }, 60s);
}

TEST(RestoredDatabase, IsFilledUpFromGithubsLog) {
    Stage stage({.allowlist = "L1: [one/a]\n", .more_config = "recovery_every: 1s"});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto before = taken(stage);
    ASSERT_TRUE(is_sent(stage, before, 1)) << stage.log();
    const auto dump = stage.folder().file("baton.dump");
    const auto dumped = script({"dump", stage.store_place(), dump});
    ASSERT_EQ(dumped.exit_code, 0) << dumped.err;

    std::vector<sim::Webhook> since;
    for (int i = 0; i < 5; ++i) {
        since.push_back(taken(stage));
        ASSERT_TRUE(is_sent(stage, since.back(), 1)) << stage.log();
    }
    stage.pull_the_plug();

    const PostgresPlace other(PostgresPlace::Holds::nothing);
    const auto restored = script({"restore", dump, other.url()});
    ASSERT_EQ(restored.exit_code, 0) << restored.out << restored.err;
    change_store(stage, other.url());
    ASSERT_TRUE(stage.start()) << stage.log();
    stage.github().with([&](sim::SimWorld& world) {
        world.target = {.url = stage.webhook_url(), .secret = Stage::kSecret};
    });
    for (const auto& webhook : since) {
        EXPECT_TRUE(is_sent(stage, webhook, 2)) << "nobody remembers the first: " << stage.log();
        EXPECT_EQ(stage.post(webhook), 200) << "it is known again";
    }
    EXPECT_EQ(stage.received("one/a", before.id), 1U) << "what the dump knows is not asked for";
    const auto verified = run_command({baton_binary(), "db", "verify", "--store", other.url()});
    EXPECT_EQ(verified.exit_code, 0) << verified.out;
}

} // namespace
} // namespace baton::test
