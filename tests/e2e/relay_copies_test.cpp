// One delivery, sent again and again over many connections at once: one effect, and memory that
// does not grow with the copies. BATON_COPIES scales it.

#include "baton/sim/github_types.hpp"

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>

#include "e2e/stage.hpp"
#include "load_client.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

std::size_t copies_wanted() {
    constexpr std::size_t kUsual = 20'000;
    const char* const wanted = std::getenv("BATON_COPIES");
    return wanted == nullptr ? kUsual : std::stoul(wanted);
}

/// Kilobytes that a process holds in memory now.
std::size_t resident_kb(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string word; status >> word;) {
        if (word == "VmRSS:") {
            std::size_t kb = 0;
            status >> kb;
            return kb;
        }
    }
    return 0;
}

bench::LoadPlan copies_of(const Stage& stage, const sim::Webhook& webhook, std::size_t count) {
    return {
        .port = stage.port(),
        .connections = 100,
        .bodies = {bench::signed_body(stage.port(), webhook.event, Stage::kSecret, webhook.body)},
        .delivery_prefix = webhook.id.text(),
        .one_delivery = true,
        .requests = count,
    };
}

TEST(Copies, OfOneDeliveryHaveOneEffectAndLeaveMemoryFlat) {
    const auto copies = copies_wanted();
    Stage stage({.allowlist = "L1: [one/a, one/b]\nL2: [two/a]\n"});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto webhook = stage.opened_pull();

    const auto first = bench::run_load(copies_of(stage, webhook, copies / 5));
    const auto early_kb = resident_kb(stage.relay().id());
    const auto rest = bench::run_load(copies_of(stage, webhook, copies - copies / 5));
    const auto late_kb = resident_kb(stage.relay().id());

    EXPECT_EQ(first.broken + rest.broken, 0U);
    auto answers = first.statuses;
    for (const auto& [status, count] : rest.statuses) {
        answers[status] += count;
    }
    EXPECT_EQ(answers[202], 1U) << "accepted once";
    EXPECT_EQ(answers[200], copies - 1) << "known every other time";
    EXPECT_EQ(answers.size(), 2U) << "and no other answer";
    // Generous: allocators differ, and a sanitizer keeps what was freed for a while.
    EXPECT_LT(late_kb, early_kb * 3 / 2 + 65'536) << "from " << early_kb << " kB";

    for (const auto* downstream : {"one/a", "one/b", "two/a"}) {
        EXPECT_TRUE(eventually([&] { return stage.received(downstream, webhook.id) == 1; }, 20s))
            << downstream;
    }
    EXPECT_EQ(stage.received_in_all(), 3U);
    const auto counts = stage.counts();
    EXPECT_EQ(counts.deliveries, 1U);
}

} // namespace
} // namespace baton::test
