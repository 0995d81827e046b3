#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/link_notes.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace baton::quality {

/// What lint needs from outside and does not fetch itself.
struct LintInput {
    /// SHA-256 of each evidence file that could be read, by its path in the assessment; nullopt for
    /// those that are missing. No entry: not looked at.
    std::map<std::string, std::optional<std::string>> files;
    /// The assessment before, when it is at hand (Q030, Q031).
    const Assessment* previous{nullptr};
    /// Says when a release came out that the assessment names without its day (Q011).
    const Calendar* calendar{nullptr};
    /// What was found at the links of evidence, when anybody looked (Q012).
    const LinkNotes* links{nullptr};
};

/// Everything that is wrong with an assessment that could be read, in file order. The reader's own
/// findings (Q040) are not repeated.
std::vector<Finding>
lint(const CriteriaSet& set, const Assessment& assessment, const LintInput& input = {});

} // namespace baton::quality
