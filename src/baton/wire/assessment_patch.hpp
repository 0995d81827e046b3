#pragma once

#include "baton/base/result.hpp"
#include "baton/quality/filling.hpp"
#include "baton/quality/metric.hpp"

#include <string>
#include <string_view>

/// What was measured, put into an assessment as its author would have written it.
namespace baton::wire {

struct AssessmentPatch {
    const quality::Snapshot& snapshot;
    const quality::SnapshotEvidence& evidence;
    const quality::Filling& filling;
};

/// The lines to add: `evidence`, `items` and `facts`, as YAML of their own.
std::string yaml_of(const AssessmentPatch& patch);

/// The text with them: claims take the place of `unknown`, facts that are there stay as they are,
/// and not a byte of anything else changes. What comes out is read back and compared before it is
/// handed out. `invalid`: it cannot be changed without a person.
Result<std::string> patched(std::string_view text, const AssessmentPatch& patch);

} // namespace baton::wire
