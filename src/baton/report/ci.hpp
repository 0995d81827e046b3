#pragma once

#include "baton/base/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace baton::report {

/// One variable of the environment; nullopt when it is not set. Only app knows the real one.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The CI that a job runs in.
enum class Ci : std::uint8_t { github_actions = 1, buildkite, gitlab, jenkins, other };

std::string_view name_of(Ci ci);

/// What the CI's environment tells about the job that runs in it. Empty: not told.
struct JobFacts {
    Ci ci{Ci::other};
    std::string workflow;
    std::string run_id;
    int run_attempt{1};
    std::string job_name;
    std::string url;
    std::string started_at;
    std::string conclusion; // how the job fares, in Baton's words
    std::string event_file; // where the event that started the job can be read

    friend bool operator==(const JobFacts&, const JobFacts&) = default;
};

JobFacts job_facts(const Environment& environment);

/// How GitHub, Buildkite, GitLab and Jenkins say it, in Baton's words; nullopt when nobody says so.
std::optional<std::string_view> conclusion_from(std::string_view word);

/// The name that GitHub gives to one leg of a matrix: `test (3.12, npu)`. `matrix_json` is what
/// `toJSON(matrix)` says; `null` and nothing are no matrix. `invalid` when it is no JSON.
Result<std::string> leg_name(std::string_view job, std::string_view matrix_json);

} // namespace baton::report
