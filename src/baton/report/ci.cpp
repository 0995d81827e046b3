#include "baton/report/ci.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::report {

namespace json = boost::json;

namespace {

class Variables {
public:
    explicit Variables(const Environment& environment)
        : environment_(&environment) {}

    bool has(const char* name) const { return !of(name).empty(); }

    std::string of(const char* name) const { return (*environment_)(name).value_or(""); }

    /// The first of them that is set.
    std::string first_of(std::initializer_list<const char*> names) const {
        for (const auto* name : names) {
            if (auto value = of(name); !value.empty()) {
                return value;
            }
        }
        return "";
    }

    int number(const char* name, int without) const {
        constexpr std::int64_t kMost = 100'000;
        const auto number = whole_number(of(name));
        return number && *number <= kMost ? static_cast<int>(*number) : without;
    }

private:
    const Environment* environment_;
};

JobFacts in_github_actions(const Variables& variables) {
    return {
        .ci = Ci::github_actions,
        .workflow = variables.of("GITHUB_WORKFLOW"),
        .run_id = variables.of("GITHUB_RUN_ID"),
        .run_attempt = variables.number("GITHUB_RUN_ATTEMPT", 1),
        .job_name = variables.of("GITHUB_JOB"),
        .url = variables.has("GITHUB_RUN_ID") ? fmt::format(
                                                    "{}/{}/actions/runs/{}",
                                                    variables.of("GITHUB_SERVER_URL"),
                                                    variables.of("GITHUB_REPOSITORY"),
                                                    variables.of("GITHUB_RUN_ID")
                                                )
                                              : "",
        .started_at = "",
        .conclusion = "", // a step is not told; the action passes job.status
        .event_file = variables.of("GITHUB_EVENT_PATH"),
    };
}

/// A step with `parallelism` is many jobs of one label.
std::string buildkite_job(const Variables& variables) {
    auto name = variables.first_of({"BUILDKITE_LABEL", "BUILDKITE_STEP_KEY"});
    if (const auto jobs = variables.number("BUILDKITE_PARALLEL_JOB_COUNT", 1); jobs > 1) {
        name += fmt::format(" ({}/{})", variables.number("BUILDKITE_PARALLEL_JOB", 0) + 1, jobs);
    }
    return name;
}

JobFacts in_buildkite(const Variables& variables) {
    const auto exit_status = variables.of("BUILDKITE_COMMAND_EXIT_STATUS");
    const auto url = variables.of("BUILDKITE_BUILD_URL");
    return {
        .ci = Ci::buildkite,
        .workflow = variables.of("BUILDKITE_PIPELINE_SLUG"),
        .run_id = variables.of("BUILDKITE_BUILD_ID"),
        .run_attempt = variables.number("BUILDKITE_RETRY_COUNT", 0) + 1,
        .job_name = buildkite_job(variables),
        .url = url.empty() ? "" : url + "#" + variables.of("BUILDKITE_JOB_ID"),
        .started_at = "",
        .conclusion = exit_status.empty()  ? ""
                      : exit_status == "0" ? "success"
                                           : "failure",
        .event_file = "",
    };
}

JobFacts in_gitlab(const Variables& variables) {
    const auto conclusion = conclusion_from(variables.of("CI_JOB_STATUS")); // in after_script only
    return {
        .ci = Ci::gitlab,
        .workflow = variables.first_of({"CI_PIPELINE_NAME", "CI_PROJECT_NAME"}),
        .run_id = variables.of("CI_PIPELINE_ID"),
        .run_attempt = 1, // GitLab does not tell; --run-attempt does
        .job_name = variables.of("CI_JOB_NAME"),
        .url = variables.of("CI_JOB_URL"),
        .started_at = variables.of("CI_JOB_STARTED_AT"),
        .conclusion = std::string(conclusion.value_or("")),
        .event_file = "",
    };
}

JobFacts in_jenkins(const Variables& variables) {
    return {
        .ci = Ci::jenkins,
        .workflow = variables.of("JOB_NAME"),
        .run_id = variables.of("BUILD_NUMBER"),
        .run_attempt = 1,
        .job_name = variables.first_of({"STAGE_NAME", "JOB_BASE_NAME"}),
        .url = variables.of("BUILD_URL"),
        .started_at = "",
        .conclusion = "",
        .event_file = "",
    };
}

/// The single values in a matrix, in its order, however deep.
void collect_leaves(const json::value& value, std::vector<std::string>& leaves) {
    if (const auto* object = value.if_object()) {
        for (const auto& member : *object) {
            collect_leaves(member.value(), leaves);
        }
    } else if (const auto* array = value.if_array()) {
        for (const auto& item : *array) {
            collect_leaves(item, leaves);
        }
    } else if (const auto* text = value.if_string()) {
        leaves.emplace_back(*text);
    } else if (!value.is_null()) {
        leaves.push_back(json::serialize(value));
    }
}

} // namespace

std::string_view name_of(Ci ci) {
    switch (ci) {
    case Ci::github_actions:
        return "GitHub Actions";
    case Ci::buildkite:
        return "Buildkite";
    case Ci::gitlab:
        return "GitLab CI";
    case Ci::jenkins:
        return "Jenkins";
    case Ci::other:
        return "another CI";
    }
    return "another CI";
}

JobFacts job_facts(const Environment& environment) {
    const Variables variables(environment);
    if (variables.of("GITHUB_ACTIONS") == "true") {
        return in_github_actions(variables);
    }
    if (variables.of("BUILDKITE") == "true") {
        return in_buildkite(variables);
    }
    if (variables.of("GITLAB_CI") == "true") {
        return in_gitlab(variables);
    }
    if (variables.has("JENKINS_URL")) {
        return in_jenkins(variables);
    }
    return {};
}

std::optional<std::string_view> conclusion_from(std::string_view word) {
    using Pair = std::pair<std::string_view, std::string_view>;
    constexpr std::array kWords{
        Pair{"success", "success"},
        Pair{"failure", "failure"},
        Pair{"neutral", "neutral"},
        Pair{"cancelled", "cancelled"},
        Pair{"skipped", "skipped"},
        Pair{"timed_out", "timed_out"},
        Pair{"action_required", "action_required"},
        Pair{"failed", "failure"},     // GitLab
        Pair{"canceled", "cancelled"}, // GitLab
        Pair{"unstable", "failure"},   // Jenkins: tests failed
        Pair{"aborted", "cancelled"},  // Jenkins
        Pair{"not_built", "skipped"},  // Jenkins
    };
    const auto small = lower(word); // Jenkins shouts
    for (const auto& [theirs, ours] : kWords) {
        if (small == theirs) {
            return ours;
        }
    }
    return std::nullopt;
}

Result<std::string> leg_name(std::string_view job, std::string_view matrix_json) {
    const auto text = trimmed(matrix_json);
    if (text.empty() || text == "null") {
        return std::string(job);
    }
    boost::system::error_code broken;
    const auto matrix = json::parse(text, broken);
    if (broken) {
        return fail(Errc::invalid, "the matrix is no JSON; pass what toJSON(matrix) says");
    }
    std::vector<std::string> leaves;
    collect_leaves(matrix, leaves);
    if (leaves.empty()) {
        return std::string(job);
    }
    return fmt::format("{} ({})", job, fmt::join(leaves, ", "));
}

} // namespace baton::report
