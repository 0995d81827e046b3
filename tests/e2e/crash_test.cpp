// A real `baton serve` under load, ended by kill -9 at random moments and at every named crash
// point. Afterwards every delivery that got a 2xx has every due dispatch at GitHub exactly once,
// except where GitHub's API makes the outcome unknowable; those are counted.
//
//     BATON_KILLS=1000 build/release/bin/e2e_relay --gtest_filter='Crash.*'      a longer campaign

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/crash_points.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <iostream>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "e2e/account.hpp"
#include "e2e/stage.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kDownstreams = 6;
const char* const kAllowlist = R"(
L1: [one/a, one/b]
L2: [two/a, {two/strict: {trust: write}}]
L3: {npu: {three/a: [ann]}}
L4: [{four/a: {device: gpu}}]
)";

// The same, with one more that leaves the list while the relay runs.
const char* const kLeaving = "gone/x";
const char* const kAllowlistBefore = R"(
L1: [one/a, one/b, gone/x]
L2: [two/a, {two/strict: {trust: write}}]
L3: {npu: {three/a: [ann]}}
L4: [{four/a: {device: gpu}}]
)";

/// Sends webhooks for ever, each again until it is taken: what got a 2xx is written down.
class Load {
public:
    explicit Load(Stage& stage)
        : stage_(stage)
        , thread_([this] { run_until_stopped(); }) {}

    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    ~Load() { stop(); }

    std::set<DeliveryId> stop() {
        stopping_ = true;
        if (thread_.joinable()) {
            thread_.join();
        }
        return accepted_;
    }

private:
    void run_until_stopped() {
        std::size_t number = 0;
        while (!stopping_) {
            const auto webhook = ++number % 2 == 0 ? stage_.opened_pull() : stage_.pushed();
            while (!stopping_) {
                const int status = stage_.post(webhook);
                if (status == 202 || status == 200) {
                    accepted_.insert(webhook.id);
                    break;
                }
                std::this_thread::sleep_for(5ms); // nobody is there; GitHub's redelivery, in short
            }
        }
    }

    Stage& stage_;
    std::set<DeliveryId> accepted_;
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

TEST(Crash, KillMinusNineAtRandomMomentsLosesNothing) {
    const auto kills = times("BATON_KILLS", 100);
    Stage stage({.allowlist = kAllowlist});
    sim::SeededChance chance(20261115);
    ASSERT_TRUE(stage.start()) << stage.log();
    Load load(stage);
    for (std::size_t i = 0; i < kills; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + chance.draw().below(230)));
        stage.pull_the_plug();
        ASSERT_TRUE(stage.start()) << stage.log();
    }
    const auto accepted = load.stop();
    EXPECT_TRUE(eventually([&] { return !is_pending(stage.counts()); }, 60s));
    const auto account = audit(stage, accepted, kDownstreams, kLeaving);
    std::cout << fmt::format(
        "kills {}, deliveries {}, dispatches {}, repeats {}, outcomes nobody can know {}\n",
        kills,
        account.deliveries,
        account.dispatches,
        account.repeats,
        account.unknown
    );
    EXPECT_GT(account.deliveries, kills);
    const auto ending = stage.ask_to_stop();
    ASSERT_TRUE(ending.has_value());
    EXPECT_EQ(ending->exit_code, 0);
}

/// Verbs that only tools call, or that are called for what this test has not: webhooks that went
/// astray (relay_recovery_test pulls the plug there), callbacks (relay_results_test), checks
/// (relay_checks_test), a hole of days, midnight.
bool is_passed_while_serving(std::string_view point) {
    for (const std::string_view verb : {"list_deliveries",
                                        "delivery_history",
                                        "redeliver",
                                        "note_asked",
                                        "note_not_asked",
                                        "ask_again",
                                        "open_pull",
                                        "github.pull.",
                                        "completeness",
                                        "store.suspend.",
                                        "resume",
                                        "insert_test",
                                        "pin_of",
                                        "repin",
                                        "downstream_figures",
                                        "allowlists_at",
                                        "dispatches_to",
                                        "record_report",
                                        "pin_first",
                                        "sweep",
                                        "unverified_jobs",
                                        "settle_commit",
                                        "report_detail",
                                        "latest_jobs",
                                        "job_tallies",
                                        "result_counts",
                                        "letter",
                                        "schedule",
                                        "repository_ids",
                                        "head_of",
                                        "has_commit",
                                        "end_rerun",
                                        "github.rerun",
                                        "suspend_gate",
                                        "check_counts",
                                        "post_comment",
                                        "find_c",
                                        "prune_",
                                        "bytes_of",
                                        "keep_sizes"}) {
        if (point.find(verb) != std::string_view::npos) {
            return false;
        }
    }
    return true;
}

TEST(Crash, KillMinusNineAtEveryNamedPointLosesNothing) {
    Account total;
    std::size_t points = 0;
    std::size_t passed = 0;
    const auto stride = times("BATON_POINT_STRIDE", 1); // each of them, or every so many
    for (const auto point : sim::all_crash_points()) {
        if (!is_passed_while_serving(point) || passed++ % stride != 0) {
            continue;
        }
        SCOPED_TRACE(point);
        Stage stage({
            .allowlist = kAllowlistBefore,
            .allowlist_on_github = true,
            .more_config = "allowlist_refresh: 1s",
        });
        std::set<DeliveryId> accepted;
        std::vector<sim::Webhook> refused;
        const bool started = stage.start({"--kill-at", std::string(point)});
        for (int i = 0; i < 3 && started; ++i) {
            const auto webhook = i == 1 ? stage.pushed() : stage.opened_pull();
            const int status = stage.post(webhook);
            if (status == 202) {
                accepted.insert(webhook.id);
            } else {
                refused.push_back(webhook);
            }
        }
        stage.replace_allowlist(kAllowlist);
        const auto ending = stage.relay().wait(20s);
        ASSERT_TRUE(ending.has_value()) << "the point was never passed";
        EXPECT_EQ(ending->signal, SIGKILL);
        ASSERT_TRUE(stage.start()) << stage.log();
        for (const auto& webhook : refused) { // GitHub's redelivery of what it got no 2xx for
            const int status = stage.post(webhook);
            EXPECT_TRUE(status == 202 || status == 200) << status;
            accepted.insert(webhook.id);
        }
        EXPECT_TRUE(eventually([&] { return !is_pending(stage.counts()); }, 30s)) << stage.log();
        const auto account = audit(stage, accepted, kDownstreams, kLeaving);
        total.dispatches += account.dispatches;
        total.repeats += account.repeats;
        total.unknown += account.unknown;
        ++points;
    }
    std::cout << fmt::format(
        "points {}, dispatches {}, repeats {}, outcomes nobody can know {}\n",
        points,
        total.dispatches,
        total.repeats,
        total.unknown
    );
}

} // namespace
} // namespace baton::test
