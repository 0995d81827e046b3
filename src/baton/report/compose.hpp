#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/report/body.hpp"
#include "baton/report/ci.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace baton::report {

/// What the command line says about a report. Empty: the CI's environment decides.
struct Order {
    std::string status; // in_progress, completed
    std::string conclusion;
    std::string workflow;
    std::string job_name;
    std::string matrix; // JSON of GitHub's matrix: one job name per leg
    std::string run_id;
    int run_attempt{0}; // 0: not said
    std::string check_run_id;
    std::string run_url;
    std::string started_at;
    std::string artifact_url;
    std::vector<std::string> environment; // KEY=VALUE
    std::vector<std::string> junit;       // globs
    std::string test_results;             // JSON text
    std::string failed_tests_file;
    std::string benchmarks_file;
    std::string triage_verdict_file;
    std::string artifacts_file;
    std::string client_payload_file;
    std::string self_report; // nightly, periodic
    std::string sha;
    std::string upstream;
};

/// What is read from the machine that the job runs on.
struct Machine {
    Environment environment;
    std::function<Result<std::string>(const std::string& path, std::size_t bytes_max)> read_file;
    /// The files that a glob names, in order; none when there is no such file.
    std::function<std::vector<std::string>(const std::string& glob)> find_files;
    TimePoint now;
};

/// Makes a report from what was said and what the machine tells. Files that the job itself makes
/// (JUnit, benchmarks, verdict, artifacts) are left out with a note when they cannot be used: a
/// crash that cut them off must not cost the result as well.
///
/// `invalid`: the command line cannot be followed; the sentence names the option.
/// `not_found`: the relay did not start this job, so there is nothing to answer.
Result<Report> compose(const Order& order, const Machine& machine);

} // namespace baton::report
