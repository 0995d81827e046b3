// The plug is pulled while a store works: unsynced writes are lost, kept, torn and mixed. What was
// acknowledged is there afterwards, and nothing is half done.
//
//     build/release/bin/faults_store --gtest_filter='PowerCut.*' --seeds=10000      a campaign
//     build/release/bin/faults_store --gtest_filter='PowerCut.*' --first-seed=4711 --seeds=1

#include "baton/base/ids.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "contract/store_fixture.hpp"
#include "contract/store_text.hpp"
#include "faults/power_cut_life.hpp"
#include "sim/options.hpp"
#include "support/fault_plan.hpp"
#include "support/fault_vfs.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"

namespace baton::test {
namespace {

/// Lives one life per seed with `plan`, and adds them up.
PowerCutReport campaign(PowerCutPlan plan, std::uint64_t seeds) {
    PowerCutReport total;
    const auto last = options().first_seed + seeds;
    for (plan.seed = options().first_seed; plan.seed < last; ++plan.seed) {
        const auto report = live_with_power_cuts(plan);
        total.cuts += report.cuts;
        total.acknowledged += report.acknowledged;
        total.refused += report.refused;
        total.survived += report.survived;
        if (!report.findings.empty()) {
            EXPECT_EQ(report.findings, std::vector<std::string>{}) << "seed " << plan.seed;
            break;
        }
    }
    std::cout << "seeds " << seeds << ", power cuts " << total.cuts << ", acknowledged "
              << total.acknowledged << ", refused " << total.refused << ", there unacknowledged "
              << total.survived << "\n";
    return total;
}

TEST(PowerCut, LosesNothingAcknowledgedAndLeavesNothingHalfDone) {
    const auto total = campaign({}, options().seeds);
    EXPECT_GT(total.acknowledged, options().seeds);
}

// By hand only: the judge does not yet know every way in which a refused deed may be there after a
// failed sync (docs/design/faults.md, "Open").
TEST(PowerCut, DISABLED_LosesNothingAcknowledgedWhenSyncsFailBeforeIt) {
    const auto seeds = (options().seeds + 1) / 2;
    const auto total = campaign({.sync_failure = 0.05}, seeds);
    EXPECT_GT(total.acknowledged, seeds);
}

// A relay was killed between the last write of a commit and its sync. The next one recovered the
// delivery, told GitHub "duplicate", and then lost it with the power.
TEST(PowerCut, WhatAKilledProcessLeftUnsyncedIsSafeBeforeARelaySeesIt) {
    const auto open = [](const TempFolder& folder, const FaultVfs& vfs) {
        return store::SqliteStore::open(
            {.path = folder.file("baton.db"), .now = at(0), .vfs = vfs.name()}
        );
    };
    const TempFolder folder(TempFolder::fast_parent());
    FaultVfs vfs;
    {
        const auto store = *open(folder, vfs);
        vfs.pull_plug_at(2, Moment::sync); // the first one is for the head of a new log
        const auto refused = run_awaitable(store->insert_delivery(a_delivery("d1")));
        ASSERT_EQ(text_of(refused), "unavailable");
    }
    vfs.only_the_process_died();
    const auto store = *open(folder, vfs);
    ASSERT_EQ(text_of(run_awaitable(store->insert_delivery(a_delivery("d1")))), "false");
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const TempFolder image(TempFolder::fast_parent());
        vfs.power_cut(seed, image.file(""));
        const FaultVfs sound;
        const auto found = *open(image, sound);
        const auto body = run_awaitable(found->body_of(DeliveryId("d1")));
        EXPECT_EQ(text_of(body), text_of(a_delivery("d1").body)) << "seed " << seed;
    }
}

// Without this one, the two above might be content with anything.
TEST(PowerCut, CatchesADiskThatSaysSyncedAndIsNot) {
    std::size_t caught = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto report = live_with_power_cuts({.seed = seed, .fsync = FaultVfs::Fsync::lying});
        caught += report.findings.empty() ? 0 : 1;
    }
    EXPECT_GE(caught, 10U); // which ones depends on where in a schema's first steps a cut falls
}

} // namespace
} // namespace baton::test
