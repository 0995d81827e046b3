#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/metric.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// What test files say, counted against what there is: docs/reference/quality-baseline.md.
namespace baton::quality {

/// The order is from best to worst: of several verdicts about one id the worst stands.
enum class TestVerdict : std::uint8_t { passed = 1, expected_failure, skipped, failed };

/// One test of one file; attempts in one suite are one, the last of which decided.
struct TestResult {
    std::string id; // FILE::CLASS::NAME as the JUnit reader tells it
    std::string class_name;
    std::string name;
    TestVerdict verdict{TestVerdict::passed};
    std::vector<std::string> operators; // that it says it is about
};

struct TestFile {
    CountedFile file;
    std::vector<std::string> suites; // their names; shards are told by them
    std::optional<Day> ran_on;       // the newest that its suites tell
    std::vector<TestResult> results;
};

enum class BaselineKind : std::uint8_t { unit = 1, benchmark, operator_ };

struct BaselineEntry {
    BaselineKind kind{BaselineKind::unit};
    std::string id;
    bool deprecated{false};
    bool training{false};
    bool distributed{false};
};

struct Baseline {
    Release release;
    std::string hardware; // the class: "ACCELERATOR"
    std::string digest;   // SHA-256 of the file
    std::vector<BaselineEntry> entries;
};

/// What is measured, and on what.
struct CoverageFacts {
    std::vector<TestFile> files;
    std::vector<std::string> devices;  // folded in names: "xpu", "privateuse1"
    std::vector<std::string> hardware; // declared; a test counts when it passes on each
    std::vector<std::string> targets;
    Window window; // of the runs
};

/// All files together, each id once.
class TestBook {
public:
    explicit TestBook(const CoverageFacts& facts);

    /// The worst verdict over the declared hardware; nullopt when it did not run on each.
    std::optional<TestVerdict> verdict_of(std::string_view id) const;
    /// Of a case whose name is the id itself, as benchmark cells and operators are told.
    std::optional<TestVerdict> verdict_of_named(std::string_view name) const;

    struct OperatorCases {
        std::size_t passed{0};
        std::size_t failed{0};
    };

    const std::map<std::string, OperatorCases>& operators() const { return operators_; }

    /// Every id that was told, whatever came of it.
    std::set<std::string> ids() const;

    /// Why nothing can be counted on these files; measured: nothing is in the way.
    MetricVerdict obstacle() const { return obstacle_; }

    const std::string& reason() const { return reason_; }

    std::size_t files() const { return files_; }

private:
    using OfHardware = std::map<std::string, TestVerdict>; // by hardware

    std::optional<TestVerdict>
    worst(const std::map<std::string, OfHardware, std::less<>>& from, std::string_view id) const;
    void take(const TestFile& file, const CoverageFacts& facts);
    void look_for_obstacles(const CoverageFacts& facts);

    std::map<std::string, OfHardware, std::less<>> by_id_;
    std::map<std::string, OfHardware, std::less<>> by_name_;
    std::map<std::string, OperatorCases> operators_;
    std::set<std::string> hardware_; // that has to be there
    MetricVerdict obstacle_{MetricVerdict::measured};
    std::string reason_;
    std::size_t files_{0};
};

/// TEST-1, TEST-2, TEST-4: what passed of what there is, less deprecated and exempt entries.
Metric unit_coverage(const Baseline& baseline, const TestBook& book, const CoverageFacts& facts);
Metric
benchmark_coverage(const Baseline& baseline, const TestBook& book, const CoverageFacts& facts);
Metric
operator_coverage(const Baseline& baseline, const TestBook& book, const CoverageFacts& facts);

/// CI-4: tests that carry a mark of being flaky, of those that the configuration knows: what the
/// files tell of and what is marked, less deprecated and exempt ones where there is a baseline.
/// Without marks (`nullptr`) nobody can tell.
Metric flaky_marked(
    const std::vector<std::string>* marks,
    const Baseline* baseline,
    const TestBook& book,
    const CoverageFacts& facts
);

/// Targets of which tests ran: "training", "distributed".
std::vector<std::string> reporting_of(const Baseline& baseline, const TestBook& book);

} // namespace baton::quality
