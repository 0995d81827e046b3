#pragma once

#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Criteria sets as YAML: docs/design/quality.md describes the format.
namespace baton::wire {

struct CriteriaReading {
    bool is_yaml{true};
    /// Absent as soon as one finding is an error.
    std::optional<quality::CriteriaSet> set;
    std::vector<quality::Finding> findings; // in file order: C040, and what `quality::check` says
};

/// Reads and checks; any bytes get an answer.
CriteriaReading read_criteria(std::string_view text);

/// A file of criteria/, carried inside the binary.
struct CriteriaFile {
    std::string_view name; // "pytorch-cpq-2025.11-124.yml"
    std::string_view text;
};

std::span<const CriteriaFile> criteria_files();

/// By label.
const std::vector<quality::CriteriaSet>& builtin_criteria();
/// "pytorch-cpq/2025.11-124"; nullptr when there is none of that label.
const quality::CriteriaSet* builtin_criteria_set(std::string_view label);

} // namespace baton::wire
