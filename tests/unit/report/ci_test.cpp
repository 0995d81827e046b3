#include "baton/report/ci.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

namespace baton::report {
namespace {

Environment made_of(std::map<std::string, std::string> variables) {
    return [variables = std::move(variables)](const std::string& name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
}

TEST(JobFacts, OnGithubActionsARunIsItsNumberAndAJobItsKey) {
    const auto facts = job_facts(made_of({
        {"GITHUB_ACTIONS", "true"},
        {"GITHUB_WORKFLOW", "Upstream CI"},
        {"GITHUB_RUN_ID", "4711"},
        {"GITHUB_RUN_ATTEMPT", "2"},
        {"GITHUB_JOB", "test"},
        {"GITHUB_SERVER_URL", "https://github.com"},
        {"GITHUB_REPOSITORY", "org/backend"},
        {"GITHUB_EVENT_PATH", "/tmp/event.json"},
    }));
    const JobFacts expected{
        .ci = Ci::github_actions,
        .workflow = "Upstream CI",
        .run_id = "4711",
        .run_attempt = 2,
        .job_name = "test",
        .url = "https://github.com/org/backend/actions/runs/4711",
        .event_file = "/tmp/event.json",
    };
    EXPECT_EQ(facts, expected);
}

TEST(JobFacts, OnBuildkiteARunIsABuildAndTheExitStatusItsConclusion) {
    std::map<std::string, std::string> variables{
        {"BUILDKITE", "true"},
        {"BUILDKITE_PIPELINE_SLUG", "backend-ci"},
        {"BUILDKITE_BUILD_ID", "0190-uuid"},
        {"BUILDKITE_RETRY_COUNT", "1"},
        {"BUILDKITE_LABEL", ":pytest: tests"},
        {"BUILDKITE_STEP_KEY", "tests"},
        {"BUILDKITE_BUILD_URL", "https://buildkite.com/org/backend-ci/builds/7"},
        {"BUILDKITE_JOB_ID", "job-uuid"},
        {"BUILDKITE_COMMAND_EXIT_STATUS", "1"},
    };
    const JobFacts expected{
        .ci = Ci::buildkite,
        .workflow = "backend-ci",
        .run_id = "0190-uuid",
        .run_attempt = 2,
        .job_name = ":pytest: tests",
        .url = "https://buildkite.com/org/backend-ci/builds/7#job-uuid",
        .conclusion = "failure",
    };
    EXPECT_EQ(job_facts(made_of(variables)), expected);

    variables.erase("BUILDKITE_LABEL");
    variables["BUILDKITE_COMMAND_EXIT_STATUS"] = "0";
    variables["BUILDKITE_PARALLEL_JOB"] = "2";
    variables["BUILDKITE_PARALLEL_JOB_COUNT"] = "8";
    EXPECT_EQ(job_facts(made_of(variables)).job_name, "tests (3/8)");
    EXPECT_EQ(job_facts(made_of(variables)).conclusion, "success");

    variables.erase("BUILDKITE_COMMAND_EXIT_STATUS");
    EXPECT_EQ(job_facts(made_of(variables)).conclusion, "") << "the command has not ended yet";
}

TEST(JobFacts, OnGitlabARunIsAPipelineAndTheStatusItsConclusion) {
    const auto facts = job_facts(made_of({
        {"GITLAB_CI", "true"},
        {"CI_PROJECT_NAME", "backend"},
        {"CI_PIPELINE_ID", "1234"},
        {"CI_JOB_NAME", "test: [npu]"},
        {"CI_JOB_URL", "https://gitlab.com/g/backend/-/jobs/9"},
        {"CI_JOB_STARTED_AT", "2026-11-15T13:30:00Z"},
        {"CI_JOB_STATUS", "canceled"},
    }));
    const JobFacts expected{
        .ci = Ci::gitlab,
        .workflow = "backend",
        .run_id = "1234",
        .run_attempt = 1,
        .job_name = "test: [npu]",
        .url = "https://gitlab.com/g/backend/-/jobs/9",
        .started_at = "2026-11-15T13:30:00Z",
        .conclusion = "cancelled",
    };
    EXPECT_EQ(facts, expected);
}

TEST(JobFacts, OnJenkinsARunIsABuildNumber) {
    const auto facts = job_facts(made_of({
        {"JENKINS_URL", "https://jenkins.example.org/"},
        {"JOB_NAME", "folder/backend"},
        {"BUILD_NUMBER", "77"},
        {"STAGE_NAME", "Test"},
        {"BUILD_URL", "https://jenkins.example.org/job/folder/job/backend/77/"},
    }));
    EXPECT_EQ(facts.ci, Ci::jenkins);
    EXPECT_EQ(facts.workflow, "folder/backend");
    EXPECT_EQ(facts.run_id, "77");
    EXPECT_EQ(facts.job_name, "Test");
    EXPECT_EQ(facts.conclusion, "");
}

TEST(JobFacts, ElsewhereNothingIsTold) {
    EXPECT_EQ(job_facts(made_of({})), JobFacts{});
    EXPECT_EQ(job_facts(made_of({{"CI", "true"}})).ci, Ci::other);
}

TEST(JobFacts, NumbersThatAreNoneCountAsNotTold) {
    const auto facts = job_facts(
        made_of({{"GITHUB_ACTIONS", "true"}, {"GITHUB_RUN_ATTEMPT", "99999999999999999999"}})
    );
    EXPECT_EQ(facts.run_attempt, 1);
}

TEST(Conclusion, IsUnderstoodInTheWordsOfEveryCi) {
    EXPECT_EQ(conclusion_from("success"), "success");
    EXPECT_EQ(conclusion_from("failed"), "failure");
    EXPECT_EQ(conclusion_from("canceled"), "cancelled");
    EXPECT_EQ(conclusion_from("UNSTABLE"), "failure");
    EXPECT_EQ(conclusion_from("ABORTED"), "cancelled");
    EXPECT_EQ(conclusion_from("NOT_BUILT"), "skipped");
    EXPECT_EQ(conclusion_from("timed_out"), "timed_out");
    EXPECT_EQ(conclusion_from("green"), std::nullopt);
    EXPECT_EQ(conclusion_from(""), std::nullopt);
}

TEST(LegName, IsTheOneThatGithubShows) {
    EXPECT_EQ(leg_name("test", "").value(), "test");
    EXPECT_EQ(leg_name("test", "null").value(), "test");
    EXPECT_EQ(leg_name("test", "{}").value(), "test");
    EXPECT_EQ(
        leg_name("test", R"({"python": "3.12", "device": "npu"})").value(), "test (3.12, npu)"
    );
    EXPECT_EQ(
        leg_name("test", R"({"os": {"name": "linux", "bits": 64}, "fast": true})").value(),
        "test (linux, 64, true)"
    );
    EXPECT_FALSE(leg_name("test", "{python"));
}

} // namespace
} // namespace baton::report
