#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a downstream says about one of its CI jobs.
namespace baton::domain {

enum class JobStatus : std::uint8_t { in_progress = 1, completed };

enum class Conclusion : std::uint8_t {
    success = 1,
    failure,
    neutral,
    cancelled,
    skipped,
    timed_out,
    action_required,
};

inline constexpr std::array kConclusions{
    Conclusion::success,
    Conclusion::failure,
    Conclusion::neutral,
    Conclusion::cancelled,
    Conclusion::skipped,
    Conclusion::timed_out,
    Conclusion::action_required,
};

std::string_view name_of(JobStatus status);
std::optional<JobStatus> job_status_named(std::string_view name);
std::string_view name_of(Conclusion conclusion);
std::optional<Conclusion> conclusion_named(std::string_view name);

/// One CI job of one attempt of one run. What it ran for is told apart by the dispatch, or by the
/// commit of a self-report.
struct JobKey {
    std::string workflow;
    std::string job; // may be empty: a workflow that reports as a whole
    std::string run_id;
    int attempt{1};

    friend auto operator<=>(const JobKey&, const JobKey&) = default;
};

struct TestCounts {
    std::int64_t passed{0};
    std::int64_t failed{0};
    std::int64_t skipped{0};
    std::int64_t total{0};

    friend bool operator==(const TestCounts&, const TestCounts&) = default;
};

struct FailedTest {
    std::string name;
    std::string message;
    std::string stack;
    bool cut{false}; // some of it was too long

    friend bool operator==(const FailedTest&, const FailedTest&) = default;
};

struct Benchmark {
    std::string suite;
    std::string name;
    double value{0};
    std::string unit;

    friend bool operator==(const Benchmark&, const Benchmark&) = default;
};

/// What is kept of a report beyond its verdict. The texts are JSON, checked and bounded when read;
/// empty: not given.
struct ReportDetail {
    std::vector<FailedTest> failed_tests;
    std::vector<Benchmark> benchmarks;
    std::string environment;        // an object
    std::string expected_failures;  // an array
    std::string artifacts;          // an array
    std::string triage_verdict;     // an object
    std::vector<std::string> notes; // what was cut or dropped, in words

    friend bool operator==(const ReportDetail&, const ReportDetail&) = default;
};

/// One callback body, read. Everything in it is the downstream's word.
struct Report {
    JobKey key;
    JobStatus status{JobStatus::in_progress};
    std::optional<Conclusion> conclusion; // there when completed
    std::string url;
    std::string check_run_id;
    std::optional<TimePoint> started_at; // by their clock
    std::optional<TimePoint> completed_at;
    std::optional<TestCounts> tests;
    std::string artifact_url;
    ReportDetail detail;

    friend bool operator==(const Report&, const Report&) = default;
};

} // namespace baton::domain
