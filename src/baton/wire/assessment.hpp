#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/findings.hpp"

#include <optional>
#include <string_view>
#include <vector>

/// Assessments as YAML: docs/design/quality.md describes the format.
namespace baton::wire {

struct AssessmentReading {
    bool is_yaml{true};
    /// Absent as soon as one finding is an error.
    std::optional<quality::Assessment> assessment;
    std::vector<quality::Finding> findings; // Q040, in file order
};

/// Any bytes get an answer. Says nothing of criteria: whether an item exists is for
/// `quality::lint`.
AssessmentReading read_assessment(std::string_view text);

} // namespace baton::wire
