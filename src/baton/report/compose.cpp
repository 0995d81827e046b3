#include "baton/report/compose.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/report/body.hpp"
#include "baton/report/ci.hpp"
#include "baton/wire/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::report {

namespace {

constexpr std::size_t kEventBytesMax = 30U * 1024 * 1024; // GitHub writes the whole event

tl::unexpected<Error> unusable(std::string sentence) {
    return fail(Errc::invalid, std::move(sentence));
}

bool is_sha(std::string_view text) {
    constexpr std::size_t kShaDigits = 40;
    return text.size() == kShaDigits && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

Result<std::variant<Echo, SelfReport>> self_report(const Order& order) {
    const auto sha = lower(order.sha);
    if (!is_sha(sha)) {
        return unusable("--sha: give the 40 hex digits of the upstream commit that was tested");
    }
    auto upstream = RepoName::parse(order.upstream);
    if (!upstream) {
        return unusable("--upstream: give the tested repository as OWNER/REPO");
    }
    return SelfReport{
        .event_type = order.self_report,
        .sha = HeadSha(sha),
        .upstream = *std::move(upstream),
    };
}

Result<std::string>
client_payload(const Order& order, const Machine& machine, const std::string& event_file) {
    if (!order.client_payload_file.empty()) {
        auto text = machine.read_file(order.client_payload_file, kPartBytesMax);
        return text ? std::move(text) : unusable("--client-payload: " + text.error().detail);
    }
    if (auto text = machine.environment("BATON_CLIENT_PAYLOAD"); text && !text->empty()) {
        return *std::move(text);
    }
    if (event_file.empty()) {
        return fail(
            Errc::not_found,
            "the relay did not start this job: there is no client_payload. Give the one that was "
            "dispatched with --client-payload or in BATON_CLIENT_PAYLOAD"
        );
    }
    const auto event = machine.read_file(event_file, kEventBytesMax);
    if (!event) {
        return fail(Errc::not_found, event.error().detail);
    }
    auto payload = client_payload_in(*event);
    if (!payload) {
        return fail(
            Errc::not_found,
            fmt::format(
                "the relay did not start this job: {} (repository_dispatch has one)",
                payload.error().detail
            )
        );
    }
    return payload;
}

Result<std::variant<Echo, SelfReport>>
origin_of(const Order& order, const Machine& machine, const std::string& event_file) {
    if (!order.self_report.empty()) {
        return self_report(order);
    }
    if (!order.sha.empty() || !order.upstream.empty()) {
        return unusable("--sha and --upstream belong to --nightly or --periodic");
    }
    BATON_TRY(auto payload, client_payload(order, machine, event_file));
    if (const auto checked = checked_part(payload, Shape::object); !checked) {
        return unusable("the client_payload is " + checked.error().detail);
    }
    return Echo{.client_payload = std::move(payload)};
}

Result<Status> status_of(const Order& order) {
    if (order.status == "completed") {
        return Status::completed;
    }
    if (order.status != "in_progress") {
        return unusable("--status: say in_progress or completed");
    }
    if (!order.self_report.empty()) {
        return unusable("--status: a self-report is sent once, when the run has completed");
    }
    return Status::in_progress;
}

Result<std::string> conclusion_of(const Order& order, const JobFacts& facts, Status status) {
    if (status != Status::completed) {
        return std::string();
    }
    const auto& word = order.conclusion.empty() ? facts.conclusion : order.conclusion;
    if (word.empty()) {
        return unusable(fmt::format(
            "--conclusion: {} does not tell how the job ended; say success, failure, cancelled, "
            "skipped, neutral, timed_out or action_required",
            name_of(facts.ci)
        ));
    }
    const auto conclusion = conclusion_from(word);
    if (!conclusion) {
        return unusable(fmt::format(
            "--conclusion: {} is not success, failure, cancelled, skipped, neutral, timed_out or "
            "action_required",
            inert(word)
        ));
    }
    return std::string(*conclusion);
}

Result<std::string> said(std::string_view option, const std::string& by_order, std::string by_ci) {
    auto value = by_order.empty() ? std::move(by_ci) : by_order;
    if (trimmed(value).empty()) {
        return unusable(fmt::format("{}: this CI does not tell, so it has to be given", option));
    }
    return value;
}

Result<std::vector<std::pair<std::string, std::string>>> environment_of(const Order& order) {
    std::vector<std::pair<std::string, std::string>> environment;
    for (const auto& word : order.environment) {
        const auto equals = word.find('=');
        if (equals == 0 || equals == std::string::npos) {
            return unusable(fmt::format("--environment: {} is not KEY=VALUE", inert(word)));
        }
        environment.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    return environment;
}

/// Reads what it can and notes the rest.
std::optional<wire::TestSummary>
tests_of(const Order& order, const Machine& machine, Report& report) {
    std::vector<std::string> files;
    for (const auto& glob : order.junit) {
        auto found = machine.find_files(glob);
        if (found.empty()) {
            report.notes.push_back(fmt::format("--junit {}: there is no such file", inert(glob)));
        }
        std::ranges::move(found, std::back_inserter(files));
    }
    std::ranges::sort(files); // a file that two globs name counts once
    const auto [first, last] = std::ranges::unique(files);
    files.erase(first, last);

    std::optional<wire::TestSummary> all;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (i >= wire::kJunitFilesMax || bytes >= wire::kJunitBytesMax) {
            report.notes.push_back(
                fmt::format("{} JUnit files left out: there are too many", files.size() - i)
            );
            break;
        }
        auto text = machine.read_file(files[i], wire::kJunitFileBytesMax);
        if (!text) {
            report.notes.push_back(inert(text.error().detail));
            continue;
        }
        bytes += text->size();
        auto summary = wire::read_junit(*std::move(text));
        if (!summary) {
            report.notes.push_back(fmt::format("{}: {}", inert(files[i]), summary.error().detail));
            continue;
        }
        all = all.value_or(wire::TestSummary{});
        all->add(*std::move(summary));
    }
    return all;
}

std::string part_of(
    std::string_view option,
    const std::string& path,
    Shape shape,
    const Machine& machine,
    Report& report
) {
    if (path.empty()) {
        return "";
    }
    auto text = machine.read_file(path, kPartBytesMax);
    if (!text) {
        report.notes.push_back(fmt::format("{}: {}", option, inert(text.error().detail)));
        return "";
    }
    if (const auto checked = checked_part(*text, shape); !checked) {
        report.notes.push_back(
            fmt::format("{}: {}: {}", option, inert(path), checked.error().detail)
        );
        return "";
    }
    return *std::move(text);
}

void add_evidence(const Order& order, const Machine& machine, Report& report) {
    report.tests = tests_of(order, machine, report);
    if (!order.test_results.empty()) {
        if (const auto checked = checked_part(order.test_results, Shape::object)) {
            report.test_results = order.test_results;
        } else {
            report.notes.push_back("--test-results: " + checked.error().detail);
        }
    }
    const auto part = [&](std::string_view option, const std::string& path, Shape shape) {
        return part_of(option, path, shape, machine, report);
    };
    report.failed_tests = part("--failed-tests", order.failed_tests_file, Shape::list);
    report.benchmarks = part("--benchmarks", order.benchmarks_file, Shape::list);
    report.triage_verdict = part("--triage-verdict", order.triage_verdict_file, Shape::object);
    report.artifacts = part("--artifacts", order.artifacts_file, Shape::list);
    if (report.conclusion == "success" && report.tests && report.tests->failed > 0) {
        report.notes.push_back(
            fmt::format("the conclusion is success and {} tests failed", report.tests->failed)
        );
    }
}

} // namespace

Result<Report> compose(const Order& order, const Machine& machine) {
    const auto facts = job_facts(machine.environment);
    Report report;
    BATON_TRY(report.status, status_of(order));
    BATON_TRY(report.origin, origin_of(order, machine, facts.event_file));
    BATON_TRY(report.conclusion, conclusion_of(order, facts, report.status));
    BATON_TRY(report.workflow, said("--workflow", order.workflow, facts.workflow));
    BATON_TRY(report.run_id, said("--run-id", order.run_id, facts.run_id));
    auto leg = leg_name(facts.job_name, order.matrix);
    if (!leg) {
        return unusable("--matrix: " + leg.error().detail);
    }
    BATON_TRY(report.job_name, said("--job-name", order.job_name, *std::move(leg)));
    BATON_TRY(report.environment, environment_of(order));
    const bool own = std::holds_alternative<SelfReport>(report.origin);
    const auto now = to_rfc3339(machine.now);
    const auto& started = order.started_at.empty() ? facts.started_at : order.started_at;
    if (!started.empty() && !parse_rfc3339(started)) {
        return unusable("--started-at: give a time like 2026-11-15T13:30:00Z");
    }
    report.run_attempt = order.run_attempt > 0 ? order.run_attempt : facts.run_attempt;
    report.check_run_id = order.check_run_id;
    report.url = order.run_url.empty() ? facts.url : order.run_url;
    report.started_at = !started.empty()                              ? started
                        : own || report.status == Status::in_progress ? now
                                                                      : "";
    report.completed_at = report.status == Status::completed ? now : "";
    report.artifact_url = order.artifact_url;
    add_evidence(order, machine, report);
    return report;
}

} // namespace baton::report
