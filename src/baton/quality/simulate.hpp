#pragma once

#include "baton/base/result.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"

#include <string_view>

/// What would be, if something were otherwise.
namespace baton::quality {

/// Changes one claim: `TEST-1=16148/20184`, `SW-3=met` (unmet, unknown), `UX-1=package,size`, or
/// `UX-1=+size` beside what is claimed. What is supposed counts as proven, reviews fall away.
/// `invalid` says what cannot be understood.
Result<void> suppose(const CriteriaSet& set, Assessment& assessment, std::string_view change);

} // namespace baton::quality
