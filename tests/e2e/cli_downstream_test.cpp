// `baton downstream` and `baton explain` on a store without a relay: what they print, and what they
// say about input that cannot be used.

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "e2e/cli_store.hpp"
#include "e2e/cli_support.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

namespace {

using domain::DispatchState;
using ::testing::AllOf;
using ::testing::HasSubstr;

template <class T> T value(boost::asio::awaitable<Result<T>> work) {
    return run_awaitable(std::move(work)).value();
}

/// A list in force that names two downstreams, one of them in trouble, and a third that left it.
class DownstreamCommand : public ::testing::Test {
protected:
    DownstreamCommand()
        : store_(place_.open(at(0))) {
        EXPECT_TRUE(run_awaitable(store_->record_allowlist({
            .upstream = upstream(),
            .source = "file:list.yml",
            .mark = "1",
            .text = "L1: [org/good]\nL2:\n  - org/bad: {oncalls: [alice], device: npu}\n",
            .in_force_at = at(0),
        })));
        static_cast<void>(value(store_->insert_delivery(a_delivery("first", at(1)))));
        auto plan = a_plan(
            "first", {a_dispatch("first", "org/bad"), a_dispatch("first", "org/gone")}, at(1)
        );
        plan.plan.pull_request = a_pull_request("aaaa");
        plan.plan.decisions = {
            {.downstream = repo("org/bad"), .dispatch = true, .reason = "listed at L2"},
            {.downstream = repo("org/good"), .dispatch = false, .reason = "paused \x1b[2J"},
        };
        static_cast<void>(value(store_->commit_plan(std::move(plan))));
        settle("org/bad", DispatchState::failed);
        settle("org/gone", DispatchState::sent);
    }

    void settle(const std::string& downstream, DispatchState state) {
        const auto leased = value(store_->lease(a_lease(downstream, 1, at(2))));
        ASSERT_EQ(leased.size(), 1U);
        static_cast<void>(value(store_->settle(ended(leased[0].lease, state, at(3)))));
    }

    Finished run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--store", place_.text()});
        return baton(std::move(arguments));
    }

    StorePlace place_;
    std::unique_ptr<store::SqlStore> store_;
};

TEST_F(DownstreamCommand, ListShowsTheListedAndThoseThatOnlyHistoryKnows) {
    const auto listed = json_in(run({"downstream", "list", "--json"}));
    const auto& rows = listed.at("downstreams").as_array();
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].at("downstream").as_string(), "org/good");
    EXPECT_EQ(rows[0].at("state").as_string(), "ok");
    EXPECT_EQ(rows[0].at("last_sent_at").is_null(), true);
    EXPECT_EQ(rows[1].at("level").as_string(), "L2");
    EXPECT_EQ(rows[1].at("device").as_string(), "npu");
    EXPECT_EQ(rows[1].at("oncalls").at(0).as_string(), "alice");
    EXPECT_EQ(rows[1].at("failed").as_int64(), 1);
    EXPECT_EQ(rows[1].at("last_error").as_string(), "because");
    EXPECT_EQ(rows[2].at("downstream").as_string(), "org/gone");
    EXPECT_EQ(rows[2].at("state").as_string(), "unlisted");
    EXPECT_THAT(
        run({"downstream", "list"}).out,
        AllOf(
            HasSubstr("DOWNSTREAM  UPSTREAM   LEVEL  DEVICE  STATE"),
            HasSubstr("org/bad: last error 2027-01-15 08:00:02: because\n"),
            HasSubstr("org/gone: no allowlist in force names it\n")
        )
    );
}

TEST_F(DownstreamCommand, ListHasNothingToSayAboutAnEmptyStore) {
    const StorePlace empty;
    empty.open(at(0));
    const auto listed = baton({"downstream", "list", "--store", empty.text()});
    EXPECT_EQ(listed.exit_code, 1);
    EXPECT_THAT(listed.err, HasSubstr("has a relay read an allowlist yet?"));
}

TEST_F(DownstreamCommand, SuspendAndResumeLeaveTheirWordsInTheStore) {
    const auto held = json_in(
        run({"downstream", "suspend", "ORG/Good", "--reason", "fire", "--actor", "eve", "--json"})
    );
    EXPECT_EQ(held.at("actor").as_string(), "eve");
    EXPECT_TRUE(held.at("until").is_null());
    const auto suspensions = value(store_->suspensions(at(9)));
    ASSERT_EQ(suspensions.size(), 1U);
    EXPECT_EQ(suspensions[0].reason, "fire");
    EXPECT_THAT(
        run({"downstream", "list"}).out, HasSubstr("org/good: suspended: fire, by eve since ")
    );
    EXPECT_EQ(run({"downstream", "resume", "org/good"}).exit_code, 0);
    EXPECT_TRUE(value(store_->suspensions(at(9))).empty());
    const auto again = run({"downstream", "resume", "org/good"});
    EXPECT_EQ(again.exit_code, 1);
    EXPECT_THAT(again.err, HasSubstr("org/good is not suspended"));
}

TEST_F(DownstreamCommand, RefusesWhatMakesNoSense) {
    struct Case {
        std::vector<std::string> arguments;
        int exit_code;
        std::string says;
    };

    const std::string sha(40, 'a');
    for (const auto& c : std::vector<Case>{
             {{"downstream", "suspend", "nonsense", "--reason", "x"}, 2, "is not OWNER/REPO"},
             {{"downstream", "suspend", "org/good"}, 2, "--reason"},
             {{"downstream", "suspend", "org/god", "--reason", "x"}, 1, "did you mean org/good?"},
             {{"downstream", "suspend", "org/good", "--reason", "x", "--for", "soon"}, 2, "--for: "
             },
             {{"downstream",
               "suspend",
               "org/good",
               "--reason",
               "x",
               "--until",
               "1999-01-01T00:00:00Z"},
              2,
              "--until: "},
             {{"downstream", "dispatch", "org/gone", "--ref", "main", "--sha", sha}, 1, "org/gone"},
             {{"downstream", "dispatch", "org/good", "--ref", "main"}, 2, "Say --sha SHA"},
             {{"downstream", "dispatch", "org/good", "--ref", "main", "--sha", "short"},
              2,
              "40 hexadecimal digits"},
             {{"downstream", "repin", "org/good"}, 2, "say --config FILE"},
             {{"explain", "Up/Stream#8"},
              1,
              "no pull request Up/Stream#8 is known in " + place_.shown()},
             {{"explain", "nobody"}, 1, "no delivery nobody is known in " + place_.shown()},
         }) {
        SCOPED_TRACE(c.says);
        const auto refused = run(c.arguments);
        EXPECT_EQ(refused.exit_code, c.exit_code) << refused.out;
        EXPECT_THAT(refused.err, HasSubstr(c.says));
        EXPECT_EQ(refused.out, "");
    }
}

TEST_F(DownstreamCommand, ATestWaitsInTheStoreWhenNoRelayRuns) {
    const std::string sha(40, 'a');
    const auto waited = run(
        {"downstream",
         "dispatch",
         "org/good",
         "--ref",
         "main",
         "--sha",
         sha,
         "--wait",
         "--patience",
         "0s"}
    );
    EXPECT_EQ(waited.exit_code, 1);
    EXPECT_THAT(waited.out, HasSubstr("push of Up/Stream at " + sha + " to org/good, queued"));
    EXPECT_THAT(waited.err, HasSubstr("still pending after 0s: it is held, or no relay runs"));
}

TEST_F(DownstreamCommand, ExplainTellsTheSameStoryOfAPullRequestAndItsDelivery) {
    for (const auto* subject :
         {"Up/Stream#7", "#7", "https://github.com/up/stream/pull/7/files", "first", "1"}) {
        SCOPED_TRACE(subject);
        const auto told = run({"explain", subject});
        EXPECT_EQ(told.exit_code, 0) << told.err;
        EXPECT_THAT(
            told.out,
            AllOf(
                HasSubstr("2027-01-15T08:00:01.000Z  received pull_request opened, "),
                HasSubstr("planned by the allowlist of 2027-01-15T08:00:00.000Z from file:list.yml"
                ),
                HasSubstr("  to org/bad: listed at L2\n"),
                HasSubstr("  not to org/good: paused \\x1b[2J\n"),
                HasSubstr("org/bad: attempt 1: not_sent after 1s: no connection\n"),
                HasSubstr("org/bad: failed: because\n"),
                HasSubstr("until `baton deliveries redeliver first`: because\n"),
                HasSubstr("withheld  paused")
            )
        );
    }
    const auto told = json_in(run({"explain", "#7", "--json"}));
    EXPECT_EQ(told.at("pull_request").at("head_sha").as_string(), "aaaa");
    EXPECT_EQ(told.at("deliveries").at(0).at("dispatches").as_array().size(), 2U);
    EXPECT_EQ(told.at("deliveries").at(0).at("allowlists").at(0).at("mark").as_string(), "1");
    EXPECT_EQ(told.at("now").as_array().size(), 3U);
}

} // namespace

} // namespace baton::test
