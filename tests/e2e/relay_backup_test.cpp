// Backups of a store that a real `baton serve` writes to all the while, killed in the middle.

#include "baton/sim/github_types.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "e2e/stage.hpp"
#include "support/postgres_place.hpp"
#include "support/process.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

/// Posts pushes until told to stop and keeps what was accepted.
class Load {
public:
    explicit Load(Stage& stage)
        : thread_([this, &stage] {
            while (!enough_) {
                const auto webhook = stage.pushed();
                if (stage.post(webhook) == 202) {
                    ++accepted_;
                }
            }
        }) {}

    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    ~Load() {
        if (thread_.joinable()) {
            stop();
        }
    }

    std::size_t stop() {
        enough_ = true;
        thread_.join();
        return accepted_;
    }

    std::size_t accepted() const { return accepted_; }

private:
    std::atomic<bool> enough_{false};
    std::atomic<std::size_t> accepted_{0};
    std::thread thread_;
};

Finished run_baton(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), baton_binary());
    return run_command(std::move(arguments));
}

/// `baton db backup` copies a file; a database's own tools are tried in e2e/move.
class Backup : public testing::Test {
protected:
    void SetUp() override {
        if (PostgresPlace::is_there()) {
            GTEST_SKIP() << "a database has tools of its own for this";
        }
    }
};

TEST_F(Backup, IsWholeOrNotThereWheneverItIsKilledUnderLoad) {
    Stage stage({.allowlist = "L1: [one/a, one/b]\n"});
    ASSERT_TRUE(stage.start()) << stage.log();
    Load load(stage);
    ASSERT_TRUE(eventually([&] { return load.accepted() > 50; }, 60s));
    const auto to = stage.folder().file("copy.db");
    std::size_t killed = 0;
    for (int round = 0; round < 12; ++round) {
        Process backup(
            {.command =
                 {baton_binary(), "db", "backup", to, "--force", "--config", stage.config_file()}}
        );
        const auto ended = backup.wait(std::chrono::milliseconds(round * 4));
        backup.send_signal(SIGKILL);
        ASSERT_TRUE(backup.wait(10s));
        killed += ended ? 0U : 1U;
        if (std::filesystem::exists(to)) {
            const auto looked = run_baton({"db", "verify", "--store", to});
            ASSERT_EQ(looked.exit_code, 0) << looked.out << looked.err;
        }
    }
    EXPECT_GT(killed, 0U);

    const auto before = load.accepted();
    const auto done = run_baton({"db", "backup", to, "--force", "--config", stage.config_file()});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_TRUE(eventually([&] { return load.accepted() > before; }, 20s)) << "writers go on";
    const auto accepted = load.stop();
    EXPECT_EQ(stage.counts().deliveries, accepted) << "nothing was lost or invented meanwhile";
    EXPECT_EQ(run_baton({"db", "verify", "--config", stage.config_file()}).exit_code, 0);

    const auto refused =
        run_baton({"db", "restore", to, "--force", "--config", stage.config_file()});
    EXPECT_EQ(refused.exit_code, 2) << refused.out;
    EXPECT_NE(refused.err.find("is serving from this store"), std::string::npos) << refused.err;
}

TEST_F(Backup, RestoredServesOn) {
    Stage stage({.allowlist = "L1: [one/a]\n"});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto first = stage.pushed();
    ASSERT_EQ(stage.post(first), 202);
    ASSERT_TRUE(eventually([&] { return stage.received("one/a", first.id) == 1; }, 20s));
    const auto to = stage.folder().file("copy.db");
    ASSERT_EQ(run_baton({"db", "backup", to, "--config", stage.config_file()}).exit_code, 0);
    stage.pull_the_plug();
    const auto restored =
        run_baton({"db", "restore", to, "--force", "--config", stage.config_file()});
    ASSERT_EQ(restored.exit_code, 0) << restored.err;
    ASSERT_TRUE(stage.start()) << stage.log();
    EXPECT_EQ(stage.post(first), 200) << "the restored store still knows it";
    const auto second = stage.pushed();
    EXPECT_EQ(stage.post(second), 202);
    EXPECT_TRUE(eventually([&] { return stage.received("one/a", second.id) == 1; }, 20s));
}

} // namespace
} // namespace baton::test
