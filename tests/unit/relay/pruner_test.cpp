// What is kept for a time only is forgotten by the hour, by whoever leads.

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/pruner.hpp"
#include "baton/sim/crash_points.hpp"
#include "baton/sim/stepped_store.hpp"
#include "baton/sim/virtual_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "support/memory_journal.hpp"
#include "unit/relay/callbacks_fixture.hpp"

namespace baton::relay {
namespace {

class Pruning : public CallingBack {
protected:
    /// Deliveries that lead to nothing.
    void receive(int count) {
        for (int i = 0; i < count; ++i) {
            const DeliveryId id("quiet-" + std::to_string(++received_));
            ports::NewDelivery delivery{
                .id = id, .event = "push", .received_at = clock.now(), .body = "{}"
            };
            ASSERT_TRUE(wait_for(store.insert_delivery(std::move(delivery))));
            ports::PlanCommit plan{.delivery = id, .upstream = kUpstream, .now = clock.now()};
            ASSERT_TRUE(wait_for(store.commit_plan(std::move(plan))));
        }
    }

    /// The dispatch that is there has a result, and no sink has to hear of it.
    JobId reported() {
        const auto dispatch = dispatch_of("d-1");
        ports::ReportCommit commit{
            .subject =
                {.dispatch = dispatch.id,
                 .downstream = kDownstream,
                 .upstream = kUpstream,
                 .event_type = "pull_request",
                 .pr = PrNumber{5},
                 .head = kHead},
            .bound = true,
            .now = clock.now(),
        };
        commit.report.key = {.workflow = "ci", .job = "test", .run_id = "7", .attempt = 1};
        commit.report.status = domain::JobStatus::completed;
        commit.report.conclusion = domain::Conclusion::success;
        return wait_for(store.record_report(std::move(commit))).value().job.id;
    }

    void run_for(Millis time) { sim::run_until_quiet(io, clock, {.until = clock.now() + time}); }

    void start() { tasks.spawn(pruner.run()); }

    void stop() {
        tasks.cancel();
        run_for(1h);
    }

    test::MemoryJournal journal;
    bool leads{true};
    std::shared_ptr<sim::Incarnation> life =
        std::make_shared<sim::Incarnation>([this](std::string_view point) {
            asked += point == "store.prune_bodies.before" ? 1 : 0;
            measured += point == "store.keep_sizes.before" ? 1 : 0;
            return fails ? sim::Step::Order::fail : sim::Step::Order::go_on;
        });
    sim::SteppedStore watched{store, life};
    int asked{0};
    int measured{0};
    bool fails{false};
    Pruner pruner{
        {.bodies_for = 30 * 24h, .results_for = 100 * 24h},
        {.store = watched, .clock = clock, .journal = journal, .leads = [this] { return leads; }}
    };

private:
    int received_{0};
};

TEST_F(Pruning, ForgetsInStepsUntilNothingIsLeftAndTellsItOnce) {
    receive(450);
    clock.advance(31 * 24h);
    receive(1);
    start();
    run_for(30min);
    const auto told = journal.all<ports::Pruned>();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].bodies, 450U);
    EXPECT_EQ(asked, 3) << "two hundred at a time";
    EXPECT_FALSE(wait_for(store.body_of(DeliveryId("quiet-450"))));
    EXPECT_TRUE(wait_for(store.body_of(DeliveryId("quiet-451"))));
    stop();
}

TEST_F(Pruning, ForgetsResultsAfterPayloadsAndThenTheirDispatches) {
    const auto job = reported();
    clock.advance(101 * 24h);
    start();
    run_for(30min);
    const auto told = journal.all<ports::Pruned>();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].bodies, 1U);
    EXPECT_EQ(told[0].jobs, 1U);
    EXPECT_EQ(told[0].dispatches, 1U);
    EXPECT_FALSE(wait_for(store.report_detail(job)));
    stop();
}

TEST_F(Pruning, AReportForADispatchThatWasForgottenHasNoRecord) {
    reported();
    clock.advance(101 * 24h);
    start();
    run_for(30min);
    refused(
        call({.token = token, .status = "completed"}),
        Errc::invalid,
        "no matching dispatch record: delivery d-1"
    );
    stop();
}

TEST_F(Pruning, MeasuresOnceADay) {
    start();
    run_for(72h);
    EXPECT_EQ(measured, 3);
    stop();
}

TEST_F(Pruning, LooksOnceAnHourAndSaysNothingOfNothing) {
    receive(1);
    start();
    run_for(10h);
    EXPECT_EQ(asked, 10);
    EXPECT_TRUE(journal.entries().empty());
    stop();
}

TEST_F(Pruning, IsTheLeadsAlone) {
    receive(1);
    clock.advance(31 * 24h);
    leads = false;
    start();
    run_for(3h);
    EXPECT_EQ(asked, 0);
    leads = true;
    run_for(2h);
    EXPECT_EQ(journal.all<ports::Pruned>().size(), 1U);
    stop();
}

TEST_F(Pruning, AStoreThatIsAwayIsAskedAgainAnHourLater) {
    receive(1);
    clock.advance(31 * 24h);
    fails = true;
    start();
    run_for(30min);
    ASSERT_EQ(journal.all<ports::Trouble>().size(), 1U);
    EXPECT_TRUE(journal.all<ports::Trouble>()[0].healed);
    fails = false;
    run_for(1h);
    EXPECT_EQ(journal.all<ports::Pruned>().size(), 1U);
    stop();
}

} // namespace
} // namespace baton::relay
