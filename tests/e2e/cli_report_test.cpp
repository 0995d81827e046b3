// `baton report` as a CI job runs it, against a relay and a token endpoint that do as the test
// says.

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "e2e/cli_support.hpp"
#include "support/process.hpp"
#include "support/raw_socket.hpp"
#include "support/scripted_server.hpp"

namespace baton::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kYes = R"({"ok":true,"status":"completed","proceed":true})";
constexpr const char* kToken = R"({"value":"the.identity.token"})";
constexpr const char* kEvent =
    R"({"action":"pull_request","client_payload":{"event_type":"pull_request","delivery_id":"d-1","payload":{},"callback_token":"callback-secret"}})";

/// A job of GitHub Actions that the relay started.
struct Job {
    explicit Job(
        std::deque<ScriptedServer::Answer> relay_says,
        std::deque<ScriptedServer::Answer> github_says = {says(200, kToken)}
    )
        : relay(std::move(relay_says))
        , github(std::move(github_says)) {
        folder.write("event.json", kEvent);
        folder.write("output", "");
    }

    Finished report(std::vector<std::string> more) {
        std::vector<std::string> arguments{
            "report", "--url", url.empty() ? relay.url() : url, "--timeout", timeout
        };
        arguments.insert(arguments.end(), more.begin(), more.end());
        return baton(
            std::move(arguments),
            {
                "GITHUB_ACTIONS=true",
                "GITHUB_WORKFLOW=Upstream CI",
                "GITHUB_RUN_ID=4711",
                "GITHUB_RUN_ATTEMPT=1",
                "GITHUB_JOB=test",
                "GITHUB_SERVER_URL=https://github.com",
                "GITHUB_REPOSITORY=org/backend",
                "GITHUB_EVENT_PATH=" + folder.file("event.json"),
                "GITHUB_OUTPUT=" + folder.file("output"),
                "ACTIONS_ID_TOKEN_REQUEST_URL=" + github.url() + "/id?api-version=2.0",
                "ACTIONS_ID_TOKEN_REQUEST_TOKEN=the-bearer",
            }
        );
    }

    Finished completed(std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"--status", "completed", "--conclusion", "success"});
        return report(std::move(more));
    }

    std::string outputs() const { return slurp(folder.file("output")); }

    ScriptedServer relay;
    ScriptedServer github;
    TemporaryFolder folder;
    std::string url;
    std::string timeout{"20s"}; // for a machine that is busy with other things
};

TEST(CliReport, TellsTheRelayAndSaysSo) {
    Job job({says(200, kYes)});
    const auto done = job.completed({"--json"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(json_in(done)["outcome"], "accepted");
    EXPECT_EQ(job.outputs(), "proceed=true\nstatus=accepted\n");
    const auto asked = job.relay.asked();
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0].path, "/github/callback");
    EXPECT_EQ(asked[0].authorization, "Bearer the.identity.token");
    const auto body = boost::json::parse(asked[0].body);
    EXPECT_EQ(body.at("delivery_id"), "d-1");
    EXPECT_EQ(body.at("callback_token"), "callback-secret");
    EXPECT_EQ(body.at("workflow").at("run_id"), "4711");
    EXPECT_THAT(job.github.asked().at(0).query, HasSubstr("audience=pytorch-cross-repo-ci-relay"));
}

TEST(CliReport, StopsAJobWith78WhenItShallNotProceed) {
    Job job(
        {says(200, R"({"ok":true,"status":"in_progress","proceed":false,"reason":"superseded"})")}
    );
    const auto done = job.report({"--status", "in_progress"});
    EXPECT_EQ(done.exit_code, 78);
    EXPECT_EQ(done.err, "baton: the relay says not to proceed: superseded\n");
    EXPECT_EQ(job.outputs(), "proceed=false\nstatus=accepted\n");
}

TEST(CliReport, ComesBackAfter429) {
    Job job({says(429, R"({"detail":"rate limit"})", {{"Retry-After", "0"}}), says(200, kYes)});
    const auto done = job.completed();
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(job.relay.asked().size(), 2);
    EXPECT_THAT(done.err, HasSubstr("the relay answered 429: rate limit; trying again"));
}

TEST(CliReport, ARelayInTroubleLeavesAGreenJobGreenUnlessStrict) {
    Job job({says(503, R"({"detail":"the store is away"})")});
    job.timeout = "1s";
    const auto lenient = job.completed();
    EXPECT_EQ(lenient.exit_code, 0);
    EXPECT_THAT(
        lenient.err, HasSubstr("::warning title=baton report::the relay could not be told")
    );
    EXPECT_THAT(lenient.err, HasSubstr("the store is away"));
    EXPECT_EQ(job.completed({"--strict"}).exit_code, 1);
    EXPECT_THAT(job.outputs(), HasSubstr("proceed=true\nstatus=unreachable\n"));
}

TEST(CliReport, ARelayThatIsAwayToo) {
    Job job({says(200, kYes)});
    job.timeout = "1s";
    {
        const RawListener gone;
        job.url = "http://127.0.0.1:" + std::to_string(gone.port());
    }
    const auto lenient = job.completed();
    EXPECT_EQ(lenient.exit_code, 0);
    EXPECT_THAT(lenient.err, HasSubstr("the relay could not be told"));
    EXPECT_EQ(job.completed({"--strict"}).exit_code, 1);
}

TEST(CliReport, ARefusalIsAnErrorInTheRelaysWords) {
    Job job({says(403, R"({"detail":"org/backend is not listed; open a pull request"})")});
    const auto done = job.completed();
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_THAT(
        done.err,
        HasSubstr("::error title=baton report::the relay refused the report with 403: org/backend "
                  "is not listed")
    );
    EXPECT_EQ(job.completed({"--strict"}).exit_code, 1);
}

TEST(CliReport, ReadsTestsAndOutlivesAHostileFile) {
    Job job({says(200, kYes)});
    job.folder.write(
        "good.xml",
        R"(<testsuite><testcase name="a"/><testcase name="b"><failure message="m"/></testcase></testsuite>)"
    );
    job.folder.write(
        "laughs.xml", "<!DOCTYPE x [<!ENTITY a \"aa\">]><testsuite><testcase name=\"&a;\""
    );
    const auto done = job.report(
        {"--status",
         "completed",
         "--conclusion",
         "failure",
         "--json",
         "--junit",
         job.folder.path() + "/*.xml"}
    );
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_THAT(done.err, HasSubstr("laughs.xml: offset"));
    EXPECT_EQ(json_in(done)["tests"].at("total"), 2);
    const auto body = boost::json::parse(job.relay.asked().at(0).body);
    EXPECT_EQ(body.at("workflow").at("failed_tests").at(0).at("name"), "b");
    EXPECT_THAT(
        std::string(body.at("workflow").at("notes").at(0).as_string()), HasSubstr("laughs.xml")
    );
}

TEST(CliReport, CutsALargeReportBelowTwoMebibytes) {
    Job job({says(200, kYes)});
    std::string tests = "<testsuite>";
    for (int i = 0; i < 1500; ++i) {
        tests += "<testcase name=\"t" + std::to_string(i) + "\"><failure>" +
                 std::string(6000, 's') + "</failure></testcase>";
    }
    const auto file = job.folder.write("many.xml", tests + "</testsuite>");
    const auto done =
        job.report({"--status", "completed", "--conclusion", "failure", "--junit", file});
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_THAT(done.err, HasSubstr("stacks of"));
    const auto asked = job.relay.asked();
    ASSERT_EQ(asked.size(), 1);
    EXPECT_LT(asked[0].body.size(), std::size_t{2} * 1024 * 1024);
    EXPECT_EQ(
        boost::json::parse(asked[0].body).at("workflow").at("test_results").at("failed"), 1500
    );
}

TEST(CliReport, ATokenEndpointThatIsInTroubleIsAskedAgain) {
    Job job({says(200, kYes)}, {says(500, ""), says(200, kToken)});
    EXPECT_EQ(job.completed().exit_code, 0);
    EXPECT_EQ(job.github.asked().size(), 2);
}

TEST(CliReport, ATokenEndpointThatSaysNothingEndsInAWarningNotInAWait) {
    Job job({says(200, kYes)}, {{.response = {}, .silent = true}});
    job.timeout = "1s";
    const auto done = job.completed();
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_THAT(done.err, HasSubstr("no identity token"));
    EXPECT_EQ(job.relay.asked().size(), 0);
}

TEST(CliReport, ADryRunShowsTheBodyAndNoSecret) {
    Job job({says(200, kYes)});
    const auto done = job.completed({"--dry-run"});
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_THAT(done.out, HasSubstr(R"("callback_token":"***")"));
    EXPECT_THAT(done.out + done.err, Not(HasSubstr("callback-secret")));
    EXPECT_EQ(job.relay.asked().size(), 0);
    EXPECT_EQ(job.github.asked().size(), 0);
}

TEST(CliReport, NoSecretIsPrintedWhateverHappens) {
    Job job({says(500, R"({"detail":"no"})")});
    job.timeout = "1s";
    const auto done = job.completed({"--json"});
    for (const auto* secret : {"the-bearer", "the.identity.token", "callback-secret"}) {
        EXPECT_THAT(done.out + done.err, Not(HasSubstr(secret)));
    }
}

TEST(CliReport, AJobThatTheRelayDidNotStartIsLeftAlone) {
    Job job({says(200, kYes)});
    job.folder.write("event.json", R"({"ref":"refs/heads/main"})");
    const auto done = job.completed({"--json"});
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_EQ(json_in(done)["outcome"], "not_relayed");
    EXPECT_EQ(job.completed({"--strict"}).exit_code, 1);
    EXPECT_EQ(job.relay.asked().size(), 0);
}

TEST(CliReport, ASelfReportNamesItsCommit) {
    Job job({says(200, kYes)});
    const std::string sha(40, 'c');
    const auto done = job.completed({"--nightly", "--sha", sha, "--upstream", "up/stream"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    const auto body = boost::json::parse(job.relay.asked().at(0).body);
    EXPECT_EQ(body.at("delivery_id"), sha.c_str());
    EXPECT_EQ(body.at("event_type"), "nightly");
}

TEST(CliReport, OtherCisHandOverTheirToken) {
    Job job({says(200, kYes)});
    const auto token = job.folder.write("token", "a.b.c\n");
    const auto payload = job.folder.write("payload.json", R"({"delivery_id":"d-2"})");
    const auto done = baton(
        {"report",
         "--url",
         job.relay.url(),
         "--status",
         "completed",
         "--token-file",
         token,
         "--client-payload",
         payload,
         "--conclusion",
         "UNSTABLE"},
        {"GITHUB_ACTIONS=",
         "JENKINS_URL=https://j/",
         "JOB_NAME=ring",
         "BUILD_NUMBER=7",
         "STAGE_NAME=Test"}
    );
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(job.relay.asked().at(0).authorization, "Bearer a.b.c");
    EXPECT_EQ(
        boost::json::parse(job.relay.asked().at(0).body).at("workflow").at("conclusion"), "failure"
    );
}

TEST(CliReport, ACommandLineThatCannotBeFollowedIsUnusable) {
    Job job({says(200, kYes)});
    EXPECT_EQ(job.report({}).exit_code, 2);
    EXPECT_EQ(job.report({"--status", "done"}).exit_code, 2);
    EXPECT_EQ(job.report({"--status", "completed"}).exit_code, 2) << "no conclusion";
    EXPECT_EQ(job.completed({"--nightly", "--periodic"}).exit_code, 2);
    job.timeout = "soon";
    EXPECT_EQ(job.completed().exit_code, 2);
    job.timeout = "1s";
    job.url = "http://relay.example.org";
    const auto clear = job.completed();
    EXPECT_EQ(clear.exit_code, 2);
    EXPECT_THAT(clear.err, HasSubstr("--url"));
}

} // namespace
} // namespace baton::test
