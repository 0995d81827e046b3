#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/score.hpp"

#include <string>

namespace baton::wire {

/// A score as JSON (`cpq-result/1`), for programs and pages alike. Keys stand in a fixed order, and
/// nothing of the moment is in it: equal inputs are equal bytes.
std::string score_json(
    const quality::CriteriaSet& set,
    const quality::Assessment& assessment,
    const quality::Score& score
);

} // namespace baton::wire
