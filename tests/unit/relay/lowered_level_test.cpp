// Checks and gate follow the level that holds now, there and back again.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/reconciler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/memory_journal.hpp"
#include "unit/relay/callbacks_fixture.hpp"

namespace baton::relay {
namespace {

using domain::Level;

class Lowering : public CallingBack {
protected:
    Lowering() { loops.spawn(reconciler.run()); }

    ~Lowering() override {
        loops.cancel();
        reconciler.cancel();
        tasks.spawn(loops.join());
        sim::run_until_quiet(io, clock, {.until = clock.now() + 1s});
    }

    void listed_at(Level level) {
        domain::Allowlist allowlist;
        allowlist.add({.repo = kDownstream, .level = level, .device = "npu"});
        book.put(kUpstream, std::move(allowlist));
        opened(level);
    }

    /// An open pull request whose head was sent to it, and one job of it has begun.
    void opened(Level level) {
        const DeliveryId id("d-9");
        ports::NewDelivery delivery{
            .id = id,
            .event = "pull_request",
            .action = "opened",
            .repository = kUpstream.text(),
            .pr = PrNumber{9},
            .head = kHead,
            .received_at = clock.now(),
            .body = "{}",
        };
        EXPECT_TRUE(wait_for(store.insert_delivery(delivery)));
        ports::PlanCommit plan{.delivery = id, .upstream = kUpstream, .now = clock.now()};
        domain::PullRequest pull;
        pull.upstream = kUpstream;
        pull.number = PrNumber{9};
        pull.head = kHead;
        pull.updated_at = clock.now();
        pull.labels = {"ciflow/crcr/npu"};
        pull.newest_forwarded = id;
        plan.plan.pull_request = pull;
        domain::NewDispatch dispatch{
            .key = {.delivery = id, .downstream = kDownstream},
            .upstream = kUpstream,
            .event_type = "pull_request",
            .pr = PrNumber{9},
            .head = kHead,
            .level = level,
            .device = "npu",
        };
        plan.plan.dispatches = {dispatch};
        plan.plan.looks = {subject()};
        EXPECT_TRUE(wait_for(store.commit_plan(std::move(plan))));
        ports::LeaseQuery lease{
            .holder = InstanceId("relay"),
            .shares = {{.downstream = kDownstream, .count = 2}},
            .now = clock.now(),
            .until = clock.now() + 30s,
        };
        const auto leased = wait_for(store.lease(std::move(lease)));
        for (const auto& one : leased.value()) {
            ports::Settlement sent{.lease = one.lease, .now = clock.now()};
            sent.answer.outcome = domain::Outcome::accepted;
            sent.verdict.state = domain::DispatchState::sent;
            EXPECT_TRUE(wait_for(store.settle(std::move(sent))));
        }
        const auto sent = dispatch_of("d-9");
        ports::ReportCommit begun{
            .subject =
                {.dispatch = sent.id,
                 .downstream = kDownstream,
                 .upstream = kUpstream,
                 .event_type = "pull_request",
                 .pr = PrNumber{9},
                 .head = kHead},
            .report = {.key = {.workflow = "ci", .job = "test", .run_id = "7"}},
            .level = level,
            .bound = true,
            .run_proven = true,
            .now = clock.now(),
        };
        EXPECT_TRUE(wait_for(store.record_report(std::move(begun))));
    }

    static domain::Subject subject() {
        return {.upstream = kUpstream, .pr = PrNumber{9}, .head = kHead};
    }

    /// "name: status conclusion", after the reconciler had its time.
    std::map<std::string, std::string> standing() {
        sim::run_until_quiet(io, clock, {.until = clock.now() + 5s});
        std::map<std::string, std::string> found;
        const auto postings = wait_for(store.postings_of(subject()));
        for (const auto& posting : postings.value()) {
            const auto& check = posting.check;
            found[check.name] = check.conclusion ? std::string(domain::name_of(*check.conclusion))
                                                 : std::string(domain::name_of(check.status));
        }
        return found;
    }

    test::MemoryJournal journal;
    Reconciler reconciler{
        {{kUpstream, domain::CheckRules{.label_prefixes = {"ciflow/crcr/"}}}},
        {.executor = io.get_executor(),
         .store = store,
         .clock = clock,
         .journal = journal,
         .book = book,
         .on_wanted = [] {}}
    };
    async::TaskGroup loops{io.get_executor(), [](const std::string& surprise) {
                               ADD_FAILURE() << surprise;
                           }};
};

constexpr auto kJob = "crcr/acme/npu/ci/test";

TEST_F(Lowering, TheGateWaitsForNobodyWhoseLevel4IsLoweredAndWaitsAgainAfterwards) {
    listed_at(Level::l4);
    auto stands = standing();
    EXPECT_EQ(stands["crcr/gate"], "in_progress");
    EXPECT_EQ(stands[kJob], "in_progress");
    book.lower(kUpstream, {{kDownstream, Level::l3}});
    stands = standing();
    EXPECT_EQ(stands["crcr/gate"], "success") << "it stays: branch protection may require it";
    EXPECT_EQ(stands[kJob], "in_progress") << "the label asks for it at level 3";
    book.lower(kUpstream, {});
    EXPECT_EQ(standing()["crcr/gate"], "in_progress");
}

TEST_F(Lowering, TheCheckOfALevel3ThatIsLoweredEndsNeutralAndComesBack) {
    listed_at(Level::l3);
    EXPECT_EQ(standing()[kJob], "in_progress");
    book.lower(kUpstream, {{kDownstream, Level::l2}});
    EXPECT_EQ(standing()[kJob], "neutral");
    book.lower(kUpstream, {});
    EXPECT_EQ(standing()[kJob], "in_progress");
}

} // namespace
} // namespace baton::relay
