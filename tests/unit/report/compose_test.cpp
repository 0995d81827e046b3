#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/report/body.hpp"
#include "baton/report/compose.hpp"
#include "baton/wire/junit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace baton::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A machine made of two maps; a glob is `PREFIX*`.
struct World {
    std::map<std::string, std::string> variables{
        {"GITHUB_ACTIONS", "true"},
        {"GITHUB_WORKFLOW", "CI"},
        {"GITHUB_RUN_ID", "4711"},
        {"GITHUB_JOB", "test"},
        {"GITHUB_SERVER_URL", "https://github.com"},
        {"GITHUB_REPOSITORY", "org/backend"},
        {"GITHUB_EVENT_PATH", "event.json"},
    };
    std::map<std::string, std::string> files{
        {"event.json", R"({"client_payload":{"delivery_id":"d-1"}})"},
    };

    Machine machine() const {
        return {
            .environment =
                [this](const std::string& name) {
                    const auto found = variables.find(name);
                    return found == variables.end() ? std::nullopt : std::optional(found->second);
                },
            .read_file = [this](const std::string& path, std::size_t) -> Result<std::string> {
                const auto found = files.find(path);
                if (found == files.end()) {
                    return fail(Errc::not_found, path + ": no such file");
                }
                return found->second;
            },
            .find_files =
                [this](const std::string& glob) {
                    std::vector<std::string> found;
                    for (const auto& [path, text] : files) {
                        if (path == glob || (glob.ends_with('*') &&
                                             path.starts_with(glob.substr(0, glob.size() - 1)))) {
                            found.push_back(path);
                        }
                    }
                    return found;
                },
            .now = parse_rfc3339("2026-11-15T13:30:00Z").value(),
        };
    }

    Report report(Order order) const {
        auto made = compose(order, machine());
        EXPECT_TRUE(made) << (made ? "" : made.error().detail);
        return made.value_or(Report{});
    }

    Error refusal(Order order) const {
        auto made = compose(order, machine());
        EXPECT_FALSE(made);
        return made ? Error{} : made.error();
    }
};

Order done() {
    return {.status = "completed", .conclusion = "success"};
}

TEST(Compose, TakesEverythingFromGithubActions) {
    const auto report = World{}.report(done());
    EXPECT_EQ(std::get<Echo>(report.origin).client_payload, R"({"delivery_id":"d-1"})");
    EXPECT_EQ(report.workflow, "CI");
    EXPECT_EQ(report.run_id, "4711");
    EXPECT_EQ(report.job_name, "test");
    EXPECT_EQ(report.run_attempt, 1);
    EXPECT_EQ(report.started_at, "");
    EXPECT_EQ(report.completed_at, "2026-11-15T13:30:00.000Z");
    EXPECT_EQ(report.tests, std::nullopt);
    EXPECT_THAT(report.notes, IsEmpty());
}

TEST(Compose, WhatTheCommandLineSaysStandsBeforeWhatTheCiSays) {
    auto order = done();
    order.workflow = "Nightly";
    order.job_name = "shard 3";
    order.run_id = "0190f3a0-0000-7000-8000-000000000000";
    order.run_attempt = 4;
    order.run_url = "https://ci.example.org/9";
    order.started_at = "2026-11-15T12:00:00Z";
    const auto report = World{}.report(order);
    EXPECT_EQ(report.workflow, "Nightly");
    EXPECT_EQ(report.job_name, "shard 3");
    EXPECT_EQ(report.run_id, "0190f3a0-0000-7000-8000-000000000000");
    EXPECT_EQ(report.run_attempt, 4);
    EXPECT_EQ(report.url, "https://ci.example.org/9");
    EXPECT_EQ(report.started_at, "2026-11-15T12:00:00Z");
}

TEST(Compose, EachLegOfAMatrixHasANameOfItsOwn) {
    auto order = done();
    order.matrix = R"({"device":"npu"})";
    EXPECT_EQ(World{}.report(order).job_name, "test (npu)");
    order.job_name = "mine";
    EXPECT_EQ(World{}.report(order).job_name, "mine");
}

TEST(Compose, AStartHasItsTimeAndNoConclusion) {
    const auto report = World{}.report({.status = "in_progress", .conclusion = "success"});
    EXPECT_EQ(report.started_at, "2026-11-15T13:30:00.000Z");
    EXPECT_EQ(report.conclusion, "");
    EXPECT_EQ(report.completed_at, "");
}

TEST(Compose, OtherCisHandThePayloadOverInAFileOrAVariable) {
    World world;
    world.variables = {
        {"BUILDKITE", "true"},
        {"BUILDKITE_PIPELINE_SLUG", "ci"},
        {"BUILDKITE_BUILD_ID", "u"},
        {"BUILDKITE_LABEL", "tests"},
        {"BUILDKITE_COMMAND_EXIT_STATUS", "0"},
        {"BATON_CLIENT_PAYLOAD", R"({"delivery_id":"v"})"},
    };
    world.files["payload.json"] = R"({"delivery_id":"f"})";
    Order order{.status = "completed"};
    EXPECT_EQ(std::get<Echo>(world.report(order).origin).client_payload, R"({"delivery_id":"v"})");
    EXPECT_EQ(world.report(order).conclusion, "success");
    order.client_payload_file = "payload.json";
    EXPECT_EQ(std::get<Echo>(world.report(order).origin).client_payload, R"({"delivery_id":"f"})");
}

TEST(Compose, AJobThatTheRelayDidNotStartHasNothingToAnswer) {
    World world;
    world.files["event.json"] = R"({"ref":"refs/heads/main"})";
    EXPECT_EQ(world.refusal(done()).code, Errc::not_found);
    world.variables.erase("GITHUB_EVENT_PATH");
    EXPECT_EQ(world.refusal(done()).code, Errc::not_found);
    world.files.clear();
    world.variables["GITHUB_EVENT_PATH"] = "event.json";
    EXPECT_EQ(world.refusal(done()).code, Errc::not_found);
}

TEST(Compose, ASelfReportNeedsACommitAndItsRepository) {
    auto order = done();
    order.self_report = "nightly";
    order.sha = "ABCDEF0123456789ABCDEF0123456789ABCDEF01";
    order.upstream = "pytorch/pytorch";
    const auto report = World{}.report(order);
    const auto& own = std::get<SelfReport>(report.origin);
    EXPECT_EQ(own.sha.text(), "abcdef0123456789abcdef0123456789abcdef01");
    EXPECT_EQ(own.upstream.text(), "pytorch/pytorch");
    EXPECT_EQ(report.started_at, report.completed_at);
}

struct Refused {
    const char* says;
    std::function<void(Order&)> change;
};

TEST(Compose, SaysWhichOptionCannotBeFollowed) {
    const std::vector<Refused> cases{
        {"--status", [](Order& order) { order.status = "done"; }},
        {"--conclusion: GitHub Actions does not tell", [](Order& order) { order.conclusion = ""; }},
        {"--conclusion: green is not", [](Order& order) { order.conclusion = "green"; }},
        {"--sha and --upstream belong to", [](Order& order) { order.sha = "main"; }},
        {"--sha: give the 40 hex",
         [](Order& order) {
             order.self_report = "nightly";
             order.sha = "main";
         }},
        {"--upstream: give",
         [](Order& order) {
             order.self_report = "nightly";
             order.sha = std::string(40, '0');
         }},
        {"--status: a self-report",
         [](Order& order) {
             order.self_report = "nightly";
             order.status = "in_progress";
         }},
        {"--matrix", [](Order& order) { order.matrix = "{"; }},
        {"--environment: device is not", [](Order& order) { order.environment = {"device"}; }},
        {"--environment: =npu is not", [](Order& order) { order.environment = {"=npu"}; }},
        {"--started-at", [](Order& order) { order.started_at = "noon"; }},
        {"--client-payload", [](Order& order) { order.client_payload_file = "absent"; }},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.says);
        auto order = done();
        c.change(order);
        const auto error = World{}.refusal(order);
        EXPECT_EQ(error.code, Errc::invalid);
        EXPECT_THAT(error.detail, HasSubstr(c.says));
    }
}

TEST(Compose, WhatTheCiDoesNotTellHasToBeGiven) {
    World world;
    world.variables = {{"BATON_CLIENT_PAYLOAD", R"({"delivery_id":"v"})"}};
    EXPECT_THAT(world.refusal(done()).detail, HasSubstr("--workflow"));
    auto order = done();
    order.workflow = "w";
    EXPECT_THAT(world.refusal(order).detail, HasSubstr("--run-id"));
    order.run_id = "1";
    EXPECT_THAT(world.refusal(order).detail, HasSubstr("--job-name"));
    order.job_name = "j";
    EXPECT_EQ(world.report(order).workflow, "w");
}

TEST(Compose, SumsTheTestsOfAllFilesUpOnceEach) {
    World world;
    world.files["out/1.xml"] = R"(<testsuite><testcase name="a"/></testsuite>)";
    world.files["out/2.xml"] = R"(<testsuite><testcase name="a"><failure/></testcase></testsuite>)";
    auto order = done();
    order.conclusion = "failure";
    order.junit = {"out/*", "out/1.xml"};
    const auto report = world.report(order);
    ASSERT_TRUE(report.tests);
    EXPECT_EQ(report.tests->passed, 1);
    EXPECT_EQ(report.tests->failed, 1);
    EXPECT_THAT(report.notes, IsEmpty());
}

TEST(Compose, FilesThatCannotBeUsedAreNotedAndCostNothingElse) {
    World world;
    world.files["out/1.xml"] = R"(<testsuite><testcase name="a"/></testsuite>)";
    world.files["out/2.xml"] = R"(<testsuite><testcase name="a")";
    world.files["bench.json"] = "{}";
    auto order = done();
    order.junit = {"out/*", "none/*"};
    order.benchmarks_file = "bench.json";
    order.triage_verdict_file = "absent.json";
    order.test_results = "[";
    const auto report = world.report(order);
    EXPECT_EQ(report.tests->passed, 1);
    EXPECT_EQ(report.benchmarks, "");
    EXPECT_EQ(report.triage_verdict, "");
    EXPECT_THAT(
        report.notes,
        ElementsAre(
            HasSubstr("--junit none/*: there is no such file"),
            HasSubstr("out/2.xml: offset"),
            HasSubstr("--test-results: not JSON"),
            HasSubstr("--benchmarks: bench.json: not a JSON list"),
            HasSubstr("--triage-verdict: absent.json: no such file")
        )
    );
}

TEST(Compose, NotesASuccessThatHasFailedTests) {
    World world;
    world.files["1.xml"] = R"(<testsuite><testcase name="a"><failure/></testcase></testsuite>)";
    auto order = done();
    order.junit = {"1.xml"};
    EXPECT_THAT(
        world.report(order).notes,
        ElementsAre(HasSubstr("conclusion is success and 1 tests failed"))
    );
}

} // namespace
} // namespace baton::report
