#pragma once

#include "baton/base/ids.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <set>
#include <string>

#include "e2e/account.hpp"
#include "e2e/replicas/house.hpp"
#include "e2e/replicas/spread_load.hpp"
#include "e2e/stage.hpp"

namespace baton::test {

inline constexpr std::size_t kReplicas = 3;
inline constexpr std::size_t kDownstreams = 4;
inline constexpr const char* kAllowlist = R"(
L1: [one/a]
L2: [two/a]
L3: {npu: {three/a: [ann]}}
L4: [{four/a: {device: gpu}}]
)";

/// Three relays on one database, and what must hold when all is quiet again.
class Replicas : public testing::Test {
protected:
    explicit Replicas(const std::string& more_config = "")
        : stage_({.allowlist = kAllowlist, .more_config = more_config}) {}

    /// Waits until all is quiet, compares, and says what happened.
    Account settle(const std::string& what, const std::set<DeliveryId>& accepted) {
        EXPECT_TRUE(
            eventually([&] { return !is_pending(stage_.counts()); }, std::chrono::seconds(90))
        ) << house_.logs();
        const auto account = audit(stage_, accepted, kDownstreams);
        std::cout << fmt::format(
            "{}: deliveries {}, dispatches {}, repeats {}, outcomes nobody can know {}\n",
            what,
            account.deliveries,
            account.dispatches,
            account.repeats,
            account.unknown
        );
        return account;
    }

    /// Nothing but what a webhook may hear here: taken, known, not now; 0 where none may come.
    static void expect_honest(const SpreadLoad::Told& told, const std::set<int>& allowed) {
        for (const auto& [status, count] : told.answers) {
            EXPECT_TRUE(allowed.contains(status)) << count << " times " << status;
        }
    }

    /// What was answered, for people.
    static std::string line_of(const SpreadLoad::Told& told) {
        std::string line;
        for (const auto& [status, count] : told.answers) {
            line += fmt::format("{}{}: {}", line.empty() ? "" : ", ", status, count);
        }
        return line;
    }

    /// All of them take webhooks again, and soon.
    void expect_back() {
        for (std::size_t i = 0; i < kReplicas; ++i) {
            const auto webhook = stage_.opened_pull();
            EXPECT_TRUE(eventually(
                [&] { return Stage::post(webhook, house_.port(i)) / 100 == 2; },
                std::chrono::seconds(20)
            )) << house_.log(i);
        }
    }

    /// A part of a second, or of some.
    std::chrono::milliseconds
    drawn(std::chrono::milliseconds least, std::chrono::milliseconds most) {
        const auto range = static_cast<std::uint64_t>((most - least).count());
        return least + std::chrono::milliseconds(chance_.draw().below(range + 1));
    }

    /// So long after it was taken, the last downstream was told.
    std::chrono::milliseconds until_sent(const DeliveryId& id) {
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_TRUE(
            eventually([&] { return stage_.received("four/a", id) > 0; }, std::chrono::seconds(30))
        );
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - begin
        );
    }

    Stage stage_;
    House house_{stage_, kReplicas};
    sim::SeededChance chance_{times("BATON_CHAOS_SEED", 20'261'116)};
};

} // namespace baton::test
