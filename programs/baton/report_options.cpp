#include "report_options.hpp"

#include <CLI/App.hpp>

namespace baton::program {

namespace {

void add_outcome(CLI::App& command, ReportOptions& options) {
    auto& order = options.order;
    command.add_option("--status", order.status, "What happened")
        ->required()
        ->check(CLI::IsMember({"in_progress", "completed"}))
        ->option_text("in_progress|completed");
    command.add_option("--conclusion", order.conclusion, "How it ended, in any CI's words")
        ->option_text("WORD");
    command.add_option("--junit", order.junit, "Test results in JUnit XML; may be repeated")
        ->option_text("GLOB");
    command.add_option("--test-results", order.test_results, "Counts, instead of JUnit's")
        ->option_text("JSON");
    command.add_option("--failed-tests", order.failed_tests_file, "A JSON list, likewise")
        ->option_text("FILE");
    command.add_option("--artifact-url", order.artifact_url, "Where logs and artifacts are")
        ->option_text("URL");
    command.add_option("--environment", order.environment, "device, versions, …; may be repeated")
        ->option_text("KEY=VALUE");
    command.add_option("--benchmarks", order.benchmarks_file, "A JSON list of measurements")
        ->option_text("FILE");
    command.add_option("--triage-verdict", order.triage_verdict_file, "A JSON object: whose fault")
        ->option_text("FILE");
    command.add_option("--artifacts", order.artifacts_file, "A JSON list of what was published")
        ->option_text("FILE");
}

void add_identity(CLI::App& command, ReportOptions& options) {
    auto& order = options.order;
    command.add_option("--workflow", order.workflow, "Default: as the CI says")
        ->option_text("NAME");
    command.add_option("--job-name", order.job_name, "Default: as the CI says")
        ->option_text("NAME");
    command.add_option("--matrix", order.matrix, "toJSON(matrix): one name per leg")
        ->option_text("JSON");
    command.add_option("--run-id", order.run_id, "Default: as the CI says")->option_text("ID");
    command.add_option("--run-attempt", order.run_attempt, "Default: as the CI says")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command.add_option("--check-run-id", order.check_run_id, "GitHub's number of this job")
        ->option_text("ID");
    command.add_option("--run-url", order.run_url, "Default: as the CI says")->option_text("URL");
    command.add_option("--started-at", order.started_at, "When the job began")->option_text("TIME");
    command
        .add_option(
            "--client-payload",
            order.client_payload_file,
            "What was dispatched; default: the event's"
        )
        ->option_text("FILE");
    command.add_flag("--nightly", options.nightly, "A run of your own schedule");
    command.add_flag("--periodic", options.periodic, "The same, more often than once a day");
    command.add_option("--sha", order.sha, "The upstream commit that such a run tested")
        ->option_text("SHA");
    command.add_option("--upstream", order.upstream, "And its repository")
        ->option_text("OWNER/REPO");
}

void add_sending(CLI::App& command, ReportOptions& options) {
    command.add_option("--url", options.url, "The relay; default: BATON_URL")->option_text("URL");
    command.add_option("--audience", options.audience, "Of the token; default: BATON_AUDIENCE")
        ->option_text("TEXT");
    command.add_option("--token-file", options.token_file, "Instead of asking the CI for a token")
        ->option_text("FILE");
    command.add_option("--token-env", options.token_env, "The same, from a variable")
        ->option_text("NAME");
    command.add_option("--ca-file", options.ca_file, "An authority to trust besides the system's")
        ->option_text("FILE");
    command.add_option("--timeout", options.timeout, "For everything together; default 60s")
        ->option_text("SPAN");
    command.add_flag("--strict", options.strict, "Fail when the relay could not be told");
    command.add_flag("--dry-run", options.dry_run, "Print what would be sent, and send nothing");
    command.add_flag("--json", options.json, "Print one JSON object");
}

} // namespace

void add_report_options(CLI::App& command, ReportOptions& options) {
    add_outcome(command, options);
    add_identity(command, options);
    add_sending(command, options);
    command.footer(
        R"(Run it in the CI job itself: GitHub Actions, Buildkite and GitLab CI tell who the job is and give it
an identity token, so it needs no secret. What the relay dispatched is sent back as it came.

A relay that is away or says no leaves a green job green; --strict turns it red. JUnit files that
cannot be read are left out and noted in the report, never a reason not to send it.

Examples:
  baton report --url https://relay.example.org --status in_progress
  baton report --url https://relay.example.org --status completed --conclusion success \
    --junit 'test-reports/**/*.xml' --environment device=npu
  baton report --url https://relay.example.org --status completed --conclusion failure \
    --nightly --sha SHA --upstream pytorch/pytorch

Exit codes: 0 told, or could not be told without --strict; 1 could not be told, with --strict;
2 unusable input; 78 the relay says not to proceed: another run has this work, or it is superseded.)"
    );
}

} // namespace baton::program
