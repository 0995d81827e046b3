#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/score.hpp"

#include <boost/json/array.hpp>

#include <CLI/App.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton::program {

/// The verbs of `baton quality`, one file each.
void add_quality_criteria(CLI::App& group, int& exit_code);
void add_quality_init(CLI::App& group, int& exit_code);
void add_quality_lint(CLI::App& group, int& exit_code);
void add_quality_score(CLI::App& group, int& exit_code);
void add_quality_gap(CLI::App& group, int& exit_code);
void add_quality_simulate(CLI::App& group, int& exit_code);
void add_quality_history(CLI::App& group, int& exit_code);
void add_quality_diff(CLI::App& group, int& exit_code);
void add_quality_report(CLI::App& group, int& exit_code);
void add_quality_badge(CLI::App& group, int& exit_code);
void add_quality_sign(CLI::App& group, int& exit_code);
void add_quality_bundle(CLI::App& group, int& exit_code);
void add_quality_verify(CLI::App& group, int& exit_code);
void add_quality_collect(CLI::App& group, int& exit_code);

/// Criteria, from the binary or a file.
struct CriteriaInput {
    int exit_code{0}; // what the shell is told when they cannot be used
    std::string name; // as it was asked for
    std::shared_ptr<const quality::CriteriaSet> set;
    std::vector<quality::Finding> findings;
};

/// `name` is a label that is built in, or a file.
CriteriaInput read_criteria_input(const std::string& name);

/// An assessment, and the criteria that it names.
struct AssessmentInput {
    std::string path;
    int exit_code{0}; // 1: findings that are errors; 2: no file, or no YAML
    std::shared_ptr<const quality::CriteriaSet> set;
    std::optional<quality::Assessment> assessment;
    std::vector<quality::Finding> findings; // of the reader, Q040
};

/// `criteria` replaces what the assessment names when it is not empty.
AssessmentInput read_assessment_input(const std::string& path, const std::string& criteria);
/// The same; prints its findings on standard error. nullopt when it cannot be used, and `exit_code`
/// says how.
std::optional<AssessmentInput>
assessment_or_complain(const std::string& path, const std::string& criteria, int& exit_code);

/// The name of a rank, for people.
std::string level_text(const quality::CriteriaSet& set, int rank);
/// The rank of a level's name, whatever its case; nullopt after saying which there are.
std::optional<int> rank_or_complain(const quality::CriteriaSet& set, std::string_view name);

/// nullopt after saying which there are; `all` and nothing are the default.
bool reading_or_complain(const std::string& name, std::optional<quality::Reading>& reading);

void print_findings(std::span<const quality::Finding> findings, std::string_view file);
boost::json::array findings_json(std::span<const quality::Finding> findings, std::string_view file);

/// Adds FILE and --criteria.
struct AssessmentOptions {
    std::string file;
    std::string criteria;
};

void add_assessment_options(CLI::App& command, AssessmentOptions& options);

} // namespace baton::program
