// Nightly and periodic runs that a downstream started by itself.

#include "baton/base/result.hpp"
#include "baton/domain/job.hpp"
#include "baton/sim/faults.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "unit/relay/callbacks_fixture.hpp"

namespace baton::relay {
namespace {

class SelfReporting : public CallingBack {
protected:
    Said nightly(std::string sha) {
        return {
            .delivery = std::move(sha),
            .status = "completed",
            .event_type = "nightly",
            .upstream = "up/stream"
        };
    }

    std::string known_commit() {
        return model.push({.repo = kUpstream, .by = Login("ann"), .now = clock.now()})
            .value()
            .head.text();
    }
};

TEST_F(SelfReporting, ANightlyOfAKnownCommitIsTakenOnce) {
    const auto sha = known_commit();
    const auto first = call(nightly(sha));
    ASSERT_TRUE(first) << first.error().detail;
    EXPECT_EQ(first->weighed.effect, domain::Weighed::Effect::recorded);
    EXPECT_EQ(call(nightly(sha))->weighed.effect, domain::Weighed::Effect::duplicate);
}

TEST_F(SelfReporting, IsRefusedWhenItIsNotAFinishedRunOfAKnownCommit) {
    refused(
        call(nightly("nightly-2026-11-15")), Errc::invalid, "/delivery_id: expected the 40 hex"
    );
    auto running = nightly(known_commit());
    running.status = "in_progress";
    refused(call(running), Errc::invalid, "/workflow/status: expected completed");
    refused(call(nightly(std::string(40, '9'))), Errc::not_found, "has no commit");
    auto elsewhere = nightly(known_commit());
    elsewhere.upstream = "some/where";
    refused(call(elsewhere), Errc::invalid, "/payload/repository/full_name");
}

TEST_F(SelfReporting, IsTakenUnverifiedWhileGithubIsAway) {
    const auto sha = known_commit();
    faults.add({.fault = {.ending = sim::Fault::Ending::unreachable, .perform = false}});
    const auto outcome = call(nightly(sha));
    ASSERT_TRUE(outcome) << outcome.error().detail;
    const auto waiting = wait_for(store.unverified_jobs(10));
    ASSERT_TRUE(waiting);
    ASSERT_EQ(waiting->size(), 1U);
    EXPECT_EQ(waiting->front().commit, domain::CommitCheck::unverified);
}

} // namespace
} // namespace baton::relay
