#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/lint.hpp"
#include "baton/quality/score.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The parts of lint.
namespace baton::quality {

/// Collects findings.
class Notes {
public:
    void error(std::string_view code, Position at, std::string message, std::string hint = {}) {
        add(code, Severity::error, at, std::move(message), std::move(hint));
    }

    void warning(std::string_view code, Position at, std::string message, std::string hint = {}) {
        add(code, Severity::warning, at, std::move(message), std::move(hint));
    }

    std::vector<Finding> take() { return std::move(findings_); }

private:
    void
    add(std::string_view code, Severity severity, Position at, std::string message, std::string hint
    ) {
        findings_.push_back(
            {.code = std::string(code),
             .severity = severity,
             .at = at,
             .message = std::move(message),
             .hint = std::move(hint)}
        );
    }

    std::vector<Finding> findings_;
};

/// Q001 to Q006, Q025, Q032: what the claims say.
void lint_claims(const CriteriaSet& set, const Assessment& assessment, Notes& notes);

/// Q003, Q007, Q010 to Q015: what they rest on.
void lint_evidence(
    const CriteriaSet& set, const Assessment& assessment, const LintInput& input, Notes& notes
);

/// Q020 to Q024, Q030, Q031: what comes of it.
void lint_outcome(
    const CriteriaSet& set, const Assessment& assessment, const LintInput& input, Notes& notes
);

} // namespace baton::quality
