#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/score.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <string>

namespace baton::wire {

/// A score (`cpq-result/1`), for programs and pages alike. Keys stand in a fixed order, and nothing
/// of the moment is in it: equal inputs are equal bytes.
boost::json::object score_object(
    const quality::CriteriaSet& set,
    const quality::Assessment& assessment,
    const quality::Score& score
);

/// What users should know while items are open: item and text.
boost::json::array warnings_json(const quality::Score& score);

boost::json::object section_json(const quality::SectionScore& section);

std::string score_json(
    const quality::CriteriaSet& set,
    const quality::Assessment& assessment,
    const quality::Score& score
);

} // namespace baton::wire
