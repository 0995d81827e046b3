#include "baton/sim/report.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/caller.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/github_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

constexpr std::string_view kOtherSha = "feedfacefeedfacefeedfacefeedfacefeedface";

json::object object_in(const std::string& text) {
    boost::system::error_code broken;
    auto parsed = json::parse(text, broken);
    return !broken && parsed.is_object() ? std::move(parsed.as_object()) : json::object{};
}

json::value or_null(bool there, const std::string& text) {
    return there ? json::value(text) : json::value(nullptr);
}

/// A test of the downstream's own device, as PyTorch names them: what fails at one fails nowhere
/// else for that.
std::string failed_test(const RepoName& repo) {
    auto device = std::string(repo.repo());
    std::ranges::replace(device, '-', '_');
    return "test_ops.py::TestOps::test_add_" + device;
}

void add_results(json::object& workflow, const RepoName& repo, bool passed) {
    workflow["test_results"] = json::object{
        {"passed", passed ? 1204 : 1203},
        {"failed", passed ? 0 : 1},
        {"skipped", 17},
        {"total", 1221}
    };
    if (!passed) {
        workflow["failed_tests"] = json::array{json::object{
            {"name", failed_test(repo)},
            {"message", "AssertionError: Tensor-likes are not close!"},
            {"stack", "Traceback (most recent call last):\n  File \"test_ops.py\", line 12"},
        }};
    }
}

json::object workflow_json(const Report& report) {
    const auto& [step, run] = std::tie(report.step, report.run);
    const bool ended = !step.conclusion.empty();
    const auto when = github_time(report.said_at);
    json::object workflow{
        {"schema_version", "1"},
        {"status", ended ? "completed" : "in_progress"},
        {"conclusion", or_null(ended, step.conclusion)},
        {"name", run.workflow},
        {"url", fmt::format("https://github.com/{}/actions/runs/{}", run.repo.text(), run.id)},
        {"run_id", std::to_string(run.id)},
        {"run_attempt", std::to_string(run.attempt)},
        {"job_name", step.job},
        {"check_run_id", fmt::format("{}-{}", run.id, run.attempt)},
        {"started_at", or_null(!ended, when)},
        {"completed_at", or_null(ended, when)},
    };
    if (ended) {
        add_results(workflow, run.repo, step.conclusion == "success");
    }
    return workflow;
}

/// Another pull request and commit, wherever the echo names them.
void move_to_other_pull(json::object& body) {
    auto* const payload = body.if_contains("payload");
    if (payload == nullptr || !payload->is_object()) {
        return;
    }
    payload->as_object()["number"] = 1;
    payload->as_object()["after"] = kOtherSha;
    auto* const pull = payload->as_object().if_contains("pull_request");
    if (pull != nullptr && pull->is_object()) {
        pull->as_object()["number"] = 1;
        pull->as_object()["head"] = json::object{{"sha", kOtherSha}};
    }
}

void forge(json::object& body, const Report& report) {
    switch (report.step.forgery) {
    case Forgery::none:
    case Forgery::wrong_audience: // these three are about the token
    case Forgery::other_repo:
    case Forgery::other_run:
        return;
    case Forgery::other_delivery:
        body["delivery_id"] = "00000000-0000-4000-8000-000000000000";
        return;
    case Forgery::other_pull:
        return move_to_other_pull(body);
    case Forgery::other_dispatch:
        body["callback_token"] = report.other_callback_token;
        return;
    case Forgery::no_callback_token:
        body.erase("callback_token");
        return;
    }
}

bool flag(const json::object& body, std::string_view name) {
    const auto* const value = body.if_contains(name);
    return value != nullptr && value->is_bool() && value->as_bool();
}

} // namespace

std::string body_of(const Report& report) {
    auto body = object_in(report.echo->payload);
    forge(body, report);
    body["workflow"] = workflow_json(report);
    return json::serialize(body);
}

domain::Caller caller_of(const ActionsRun& run) {
    return {
        .provider = domain::Provider::github_actions,
        .repo = run.repo,
        .ids =
            domain::ImmutableIds{
                .repository = static_cast<std::int64_t>(run.repo_id), .owner = run.owner_id
            },
        .run_id = std::to_string(run.id),
        .run_attempt = run.attempt,
    };
}

ReportAnswer answer_in(int status, std::string body) {
    const auto fields = object_in(body);
    ReportAnswer answer{.status = status, .body = std::move(body)};
    if (fields.contains("proceed")) {
        answer.proceed = flag(fields, "proceed");
    }
    answer.duplicate = flag(fields, "duplicate");
    answer.stale = flag(fields, "stale");
    const auto* const status_word = fields.if_contains("status");
    answer.ignored = status_word != nullptr && *status_word == "ignored";
    return answer;
}

} // namespace baton::sim
