// A real `baton serve` that was away when a nightly was due.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/operating.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/sim_world.hpp"
#include "baton/store/place.hpp"
#include "baton/store/store_role.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "e2e/account.hpp"
#include "e2e/cli_support.hpp"
#include "e2e/stage.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// Long ago a relay read the list and saw the schedule; it was not seen again.
void see_long_ago(const std::string& place, const std::string& allowlist) {
    constexpr auto kLongAgo = from_ms(1'700'000'000'000);
    const auto upstream = *RepoName::parse(Stage::kUpstream);
    const auto store = store::open_store(place, store::StoreRole::serving, kLongAgo);
    ASSERT_TRUE(store) << store.error().detail;
    ASSERT_TRUE(run_awaitable((*store)->record_allowlist(
        {.upstream = upstream,
         .source = "file:allowlist.yml",
         .mark = "1",
         .text = allowlist,
         .in_force_at = kLongAgo}
    )));
    ASSERT_TRUE(run_awaitable((*store)->miss_schedule(
        {.upstream = upstream,
         .downstream = *RepoName::parse("one/b"),
         .due = kLongAgo,
         .reason = "a new schedule",
         .now = kLongAgo,
         .excused = true}
    )));
}

TEST(ScheduleE2e, ANightlyThatWasDueWhileNoRelayRanIsCaughtUpOnce) {
    const std::string allowlist = "L2:\n  - one/b: {schedule: \"0 3 1 * *\"}\n";
    Stage stage({.allowlist = allowlist});
    see_long_ago(stage.store_place(), allowlist);
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto received = [&] {
        return stage.github().with([](sim::SimWorld& world) {
            return world.model.dispatches().find({.repo = RepoName::parse("one/b").value()});
        });
    };
    EXPECT_TRUE(eventually([&] { return !received().empty(); }, 30s)) << stage.log();
    const auto first = received().front();
    EXPECT_EQ(first.event_type, "nightly");
    const auto body = boost::json::parse(first.body).at("client_payload").as_object();
    EXPECT_EQ(body.at("event_type"), "nightly");
    EXPECT_EQ(body.at("payload").at("repository").at("full_name"), Stage::kUpstream);
    EXPECT_EQ(body.at("payload").at("head_sha").as_string().size(), 40U);
    EXPECT_TRUE(body.contains("callback_token"));

    EXPECT_TRUE(eventually([&] { return !is_pending(stage.counts()); }, 30s)) << stage.log();
    stage.pull_the_plug();
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto push = stage.pushed();
    EXPECT_EQ(stage.post(push), 202);
    EXPECT_TRUE(eventually([&] { return stage.received("one/b", push.id) == 1; }, 30s));
    EXPECT_EQ(received().size(), 2U) << "the nightly and the push";
    const auto list = baton({"downstream", "list", "--config", stage.config_file()});
    EXPECT_THAT(list.out, HasSubstr("one/b: schedule 0 3 1 * * settled until "));
    EXPECT_THAT(stage.log(), HasSubstr("schedule.missed"));
}

} // namespace
} // namespace baton::test
