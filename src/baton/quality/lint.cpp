#include "baton/quality/lint.hpp"

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/lint_notes.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace baton::quality {

std::vector<Finding>
lint(const CriteriaSet& set, const Assessment& assessment, const LintInput& input) {
    Notes notes;
    lint_claims(set, assessment, notes);
    lint_evidence(set, assessment, input, notes);
    lint_outcome(set, assessment, input, notes);
    auto findings = notes.take();
    std::ranges::sort(findings, [](const Finding& a, const Finding& b) {
        return std::tie(a.at, a.code, a.message) < std::tie(b.at, b.code, b.message);
    });
    return findings;
}

} // namespace baton::quality
