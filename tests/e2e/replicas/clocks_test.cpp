// The clocks of the machines that replicas are on. They go by their database's: one that is set
// wrong has no say in leases, time-outs and what is written down.

#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "e2e/replicas/replicas_fixture.hpp"
#include "e2e/replicas/spread_load.hpp"
#include "e2e/stage.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

class ReplicaClocks : public Replicas {
protected:
    /// How far what was taken in is from the first of it.
    Millis widest_gap() {
        Millis widest{0};
        stage_.with_store([&](ports::Store& store, boost::asio::io_context& io) {
            const auto page = run(io, store.list_deliveries({.limit = 1'000}));
            ASSERT_TRUE(page && *page && !(*page)->empty());
            const auto& newest = (*page)->front();
            for (const auto& one : **page) {
                widest = std::max(widest, std::chrono::abs(newest.received_at - one.received_at));
            }
        });
        return widest;
    }
};

TEST_F(ReplicaClocks, AnHourAheadOrBehindOnOneMachineChangesNothing) {
    SpreadLoad load(stage_, house_);
    for (std::size_t which = 0; which < kReplicas; ++which) {
        for (const auto ahead : {3'600s, -3'600s}) {
            house_.set_clock(which, ahead);
            const auto webhook = stage_.opened_pull();
            EXPECT_EQ(Stage::post(webhook, house_.port(which)), 202);
            until_sent(webhook.id);
        }
        house_.set_clock(which, 0s);
    }
    const auto account = settle("clocks set wrong", load.stop().accepted);
    EXPECT_EQ(account.repeats, 0U) << "nobody's lease ended before its time";
    EXPECT_LT(widest_gap(), 30min) << "and everybody wrote down the same time";
}

} // namespace
} // namespace baton::test
