// A real `baton serve --shadow`: everything is recorded, nothing is sent, not even later.

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/object.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "e2e/cli_support.hpp"
#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kAllowlist =
    "L1:\n  - one/a\n  - one/b: {pause: {until: 2099-01-01T00:00:00Z, reason: racks}}\n";

Finished run_at(const Stage& stage, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--config", stage.config_file()});
    return baton(std::move(arguments));
}

std::size_t count_of(Stage& stage, domain::DispatchState wanted) {
    for (const auto& [state, count] : stage.counts().dispatches) {
        if (state == wanted) {
            return count;
        }
    }
    return 0;
}

bool withholds(Stage& stage, const sim::Webhook& webhook) {
    const auto before = count_of(stage, domain::DispatchState::cancelled);
    return stage.post(webhook) == 202 &&
           eventually(
               [&] { return count_of(stage, domain::DispatchState::cancelled) == before + 1; }, 20s
           );
}

TEST(Shadow, DecidesAndRecordsAndSendsNothing) {
    Stage stage({.allowlist = kAllowlist, .allowlist_on_github = true});
    ASSERT_TRUE(stage.start({"--shadow"})) << stage.log();
    EXPECT_THAT(stage.log(), HasSubstr("nothing is sent to GitHub"));
    std::string ready;
    EXPECT_TRUE(eventually([&] { return stage.get("/readyz", &ready) == 200; }, 20s));
    EXPECT_THAT(ready, HasSubstr(R"("mode":"shadow")"));

    const auto webhook = stage.pushed();
    EXPECT_TRUE(withholds(stage, webhook)) << stage.log();
    EXPECT_EQ(stage.received_in_all(), 0U);
    EXPECT_THAT(
        run_at(stage, {"deliveries", "show", webhook.id.text()}).out,
        AllOf(
            HasSubstr("one/a (L1), dispatch 1: cancelled\n  reason   shadow: not sent\n"),
            HasSubstr("withheld: shadow: not sent")
        )
    );
}

TEST(Shadow, LeavesNothingThatALiveRelayWouldSend) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start({"--shadow", "--kill-at", "store.settle.before"})) << stage.log();
    const auto webhook = stage.pushed();
    EXPECT_EQ(stage.post(webhook), 202);
    EXPECT_TRUE(stage.relay().wait(20s).has_value()) << "it died while an attempt was under way";
    ASSERT_TRUE(stage.start()) << stage.log();
    EXPECT_THAT(stage.log(), HasSubstr("the store was a shadow's since"));
    const auto after = stage.pushed();
    EXPECT_EQ(stage.post(after), 202);
    EXPECT_TRUE(eventually([&] { return stage.received("one/a", after.id) == 1; }, 20s));
    // At once in a file; a database's other replicas are given some seconds to show that they live.
    EXPECT_TRUE(
        eventually([&] { return count_of(stage, domain::DispatchState::cancelled) == 1U; }, 20s)
    ) << stage.log();
    EXPECT_EQ(stage.received("one/a", webhook.id), 0U);
}

TEST(Shadow, KeepsAwayFromTheWorkOfALiveRelay) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start({"--kill-at", "store.lease.before"})) << stage.log();
    EXPECT_EQ(stage.post(stage.pushed()), 202);
    EXPECT_TRUE(stage.relay().wait(20s).has_value());
    EXPECT_FALSE(stage.start({"--shadow"}));
    EXPECT_THAT(stage.log(), HasSubstr("give the shadow a store of its own"));
}

TEST(Shadow, IsComparedWithWhatAnotherRelaySent) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start({"--shadow"})) << stage.log();
    const auto first = stage.pushed();
    const auto second = stage.pushed();
    ASSERT_TRUE(withholds(stage, first));
    ASSERT_TRUE(withholds(stage, second));
    const auto same = stage.folder().write(
        "same.csv",
        "delivery_id,downstream,event_type\n" + first.id.text() + ",one/a,push\n" +
            second.id.text() + ",ONE/A,push\n"
    );
    const auto alike = run_at(stage, {"shadow", "compare", "--other", same});
    EXPECT_EQ(alike.exit_code, 0) << alike.out << alike.err;
    EXPECT_THAT(alike.out, HasSubstr("2 agreed, 0 only we, 0 only they"));

    const auto line = [](const DeliveryId& id, const std::string& repo) {
        return R"({"delivery_id":")" + id.text() + R"(","downstream":")" + repo +
               R"(","at":"2099-01-01T00:00:00Z"})" + "\n";
    };
    const auto other =
        stage.folder().write("other.ndjson", line(first.id, "one/a") + line(first.id, "one/b"));
    const auto compared = json_in(run_at(stage, {"shadow", "compare", "--other", other, "--json"}));
    EXPECT_EQ(compared.at("agreed").as_int64(), 1);
    EXPECT_EQ(compared.at("only_we").at(0).at("delivery").as_string(), second.id.text());
    EXPECT_EQ(compared.at("only_we").at(0).at("reason").as_string(), "listed at L1");
    EXPECT_THAT(
        std::string(compared.at("only_they").at(0).at("reason").as_string()),
        HasSubstr("paused until")
    );
    EXPECT_GT(compared.at("apart_ms").at("most").as_int64(), 0);
    const auto differs = run_at(stage, {"shadow", "compare", "--other", other});
    EXPECT_EQ(differs.exit_code, 1);
    EXPECT_THAT(differs.out, AllOf(HasSubstr("ONLY WE"), HasSubstr("ONLY THEY")));
    const auto later =
        run_at(stage, {"shadow", "compare", "--other", same, "--since", "2098-01-01T00:00:00Z"});
    EXPECT_THAT(later.out, HasSubstr("0 agreed, 0 only we, 0 only they"));

    const auto broken = stage.folder().write("broken.csv", "delivery_id\nx\n");
    const auto refused = run_at(stage, {"shadow", "compare", "--other", broken});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("broken.csv:1:1: error: the head of the table"));
}

} // namespace
} // namespace baton::test
