// A real `baton serve` and the operator's hand beside it: suspend and resume, a test dispatch, a
// pin, and what `explain` tells of it.

#include "baton/base/ids.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"
#include "baton/store/place.hpp"

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
using ::testing::Not;

const char* const kAllowlist = "L1: [one/a]\nL2:\n  - one/b: [alice, bob]\n";

Finished run_at(const Stage& stage, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--config", stage.config_file()});
    return baton(std::move(arguments));
}

bool arrives(Stage& stage, const std::string& repo, const DeliveryId& id) {
    return eventually([&] { return stage.received(repo, id) == 1; }, 20s);
}

TEST(Operator, SuspendsADownstreamThatThenGetsNothingUntilItIsResumed) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto before = stage.pushed();
    EXPECT_EQ(stage.post(before), 202);
    EXPECT_TRUE(arrives(stage, "one/a", before.id));

    const auto suspended = run_at(
        stage,
        {"downstream", "suspend", "ONE/A", "--reason", "fire", "--for", "2h", "--actor", "eve"}
    );
    EXPECT_EQ(suspended.exit_code, 0) << suspended.err;
    EXPECT_THAT(suspended.out, HasSubstr("gets nothing from every upstream any more"));
    const auto during = stage.pushed();
    EXPECT_EQ(stage.post(during), 202);
    EXPECT_TRUE(arrives(stage, "one/b", during.id));
    EXPECT_EQ(stage.received("one/a", during.id), 0U);
    const auto shown = run_at(stage, {"deliveries", "show", during.id.text()});
    EXPECT_THAT(shown.out, AllOf(HasSubstr("not to one/a: suspended until"), HasSubstr(": fire")));

    const auto list = run_at(stage, {"downstream", "list"});
    EXPECT_THAT(
        list.out, AllOf(HasSubstr("suspended"), HasSubstr("by eve"), HasSubstr("alice,bob"))
    );

    EXPECT_EQ(run_at(stage, {"downstream", "resume", "one/a"}).exit_code, 0);
    EXPECT_EQ(run_at(stage, {"downstream", "resume", "one/a"}).exit_code, 1);
    const auto after = stage.pushed();
    EXPECT_EQ(stage.post(after), 202);
    EXPECT_TRUE(arrives(stage, "one/a", after.id));
    EXPECT_EQ(stage.received("one/a", during.id), 0U) << "it was withheld, not postponed";
}

TEST(Operator, HoldsWhatIsPendingWhileSuspended) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto first = stage.pushed();
    EXPECT_EQ(stage.post(first), 202);
    EXPECT_TRUE(arrives(stage, "one/a", first.id));
    EXPECT_EQ(run_at(stage, {"downstream", "suspend", "one/a", "--reason", "fire"}).exit_code, 0);
    const auto test = run_at(
        stage, {"downstream", "dispatch", "one/a", "--ref", "main", "--sha", std::string(40, 'a')}
    );
    EXPECT_EQ(test.exit_code, 0) << test.err;
    EXPECT_THAT(test.out, HasSubstr("it waits: one/a is suspended: fire"));
    const auto id =
        test.out.substr(test.out.find("test-"), std::string("test-0123456789abcdef").size());
    const auto second = stage.pushed(); // whatever was going to be sent is sent by now
    EXPECT_EQ(stage.post(second), 202);
    EXPECT_TRUE(arrives(stage, "one/b", second.id));
    EXPECT_EQ(stage.received("one/a", DeliveryId(id)), 0U);
    EXPECT_THAT(run_at(stage, {"explain", id}).out, HasSubstr("is held: suspended: fire"));
    EXPECT_EQ(run_at(stage, {"downstream", "resume", "one/a"}).exit_code, 0);
    EXPECT_TRUE(arrives(stage, "one/a", DeliveryId(id)));
}

TEST(Operator, SendsATestThatTheDownstreamCanTellFromTheRest) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start()) << stage.log();
    EXPECT_TRUE(eventually([&] { return stage.get("/readyz") == 200; }, 20s));
    const auto sent = json_in(run_at(
        stage,
        {"downstream",
         "dispatch",
         "one/b",
         "--ref",
         "main",
         "--sha",
         std::string(40, 'b'),
         "--event",
         "pull_request",
         "--wait",
         "--json"}
    ));
    const auto& dispatch = sent.at("dispatch").as_object();
    EXPECT_EQ(dispatch.at("state").as_string(), "sent");
    EXPECT_EQ(dispatch.at("event_type").as_string(), "pull_request");
    const DeliveryId id{std::string(dispatch.at("delivery").as_string())};
    EXPECT_TRUE(id.text().starts_with("test-"));
    EXPECT_EQ(stage.received("one/b", id), 1U);
    EXPECT_EQ(stage.received("one/a", id), 0U);
    const auto told = run_at(stage, {"explain", id.text()});
    EXPECT_THAT(
        told.out, AllOf(HasSubstr("to one/b: a test that"), HasSubstr("attempt 1: accepted 204"))
    );
}

TEST(Operator, AsksGithubForTheHeadOfARefAndSaysWhenItCannot) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start()) << stage.log();
    EXPECT_TRUE(eventually([&] { return stage.get("/readyz") == 200; }, 20s));
    const auto lost = run_at(stage, {"downstream", "dispatch", "one/a", "--ref", "no-such-branch"});
    EXPECT_EQ(lost.exit_code, 1);
    EXPECT_THAT(
        lost.err,
        AllOf(
            HasSubstr("GitHub cannot say which commit no-such-branch of up/stream is"),
            HasSubstr("name it with --sha")
        )
    );
    const auto stranger = run_at(stage, {"downstream", "dispatch", "one/c", "--ref", "main"});
    EXPECT_EQ(stranger.exit_code, 1);
    EXPECT_THAT(stranger.err, HasSubstr("no allowlist in force names one/c; did you mean one/a?"));
}

TEST(Operator, PinsARepositoryByTheNumbersThatGithubGives) {
    Stage stage({.allowlist = kAllowlist});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto first = json_in(run_at(stage, {"downstream", "repin", "one/a", "--json"}));
    EXPECT_TRUE(first.at("before").is_null());
    EXPECT_GT(first.at("now").at("repository_id").as_int64(), 0);
    EXPECT_GT(first.at("now").at("owner_id").as_int64(), 0);
    const auto second = run_at(
        stage, {"downstream", "repin", "one/a", "--repository-id", "77", "--owner-id", "78"}
    );
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_THAT(
        second.out,
        AllOf(HasSubstr("before  repository"), HasSubstr("now     repository 77, owner 78"))
    );
    EXPECT_EQ(run_at(stage, {"downstream", "repin", "one/a", "--owner-id", "78"}).exit_code, 2);
    const auto unknown = run_at(stage, {"downstream", "repin", "no/body"});
    EXPECT_EQ(unknown.exit_code, 1);
    EXPECT_THAT(unknown.err, HasSubstr("GitHub cannot be asked about no/body"));
}

TEST(Operator, ExplainsAPullRequestFromItsFirstWebhookToNow) {
    Stage stage({.allowlist = "L1: [one/a]\nL3:\n  npu:\n    one/b: {trigger: label}\n"});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto opened = stage.opened_pull();
    EXPECT_EQ(stage.post(opened), 202);
    EXPECT_TRUE(arrives(stage, "one/a", opened.id));
    const auto number = json_in(run_at(stage, {"deliveries", "show", "1", "--json"}))
                            .at("delivery")
                            .at("pr")
                            .as_int64();
    const auto told = run_at(stage, {"explain", "#" + std::to_string(number)});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(
        told.out,
        AllOf(
            HasSubstr("up/stream#" + std::to_string(number) + ": open, head "),
            HasSubstr("received pull_request opened"),
            HasSubstr("planned by the allowlist of "),
            HasSubstr("  to one/a: listed at L1"),
            HasSubstr("  not to one/b: waits for the label ciflow/crcr/npu"),
            HasSubstr("one/a: attempt 1: accepted 204"),
            HasSubstr("withheld")
        )
    );
    const auto label = stage.labelled(PrNumber{number}, "writer", "ciflow/crcr/npu");
    EXPECT_EQ(stage.post(label), 202);
    EXPECT_TRUE(arrives(stage, "one/b", opened.id));
    const auto url = "https://github.com/up/stream/pull/" + std::to_string(number);
    EXPECT_TRUE(eventually(
        [&] {
            const auto now = json_in(run_at(stage, {"explain", url, "--json"}));
            return now.at("deliveries").as_array().size() == 2 &&
                   now.at("now").at(1).at("state").as_string() == "sent";
        },
        10s
    ));
    EXPECT_THAT(run_at(stage, {"explain", url}).out, Not(HasSubstr("withheld")));
    const auto stranger = run_at(stage, {"explain", "up/stream#99999"});
    EXPECT_EQ(stranger.exit_code, 1);
    EXPECT_THAT(
        stranger.err,
        HasSubstr(
            "no pull request up/stream#99999 is known in " + store::shown(stage.store_place())
        )
    );
}

} // namespace
} // namespace baton::test
