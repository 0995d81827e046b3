#pragma once

#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"

#include <boost/json/object.hpp>

namespace baton::wire {

/// The way to a level, what may fall, and when evidence gets too old.
boost::json::object gap_object(const quality::CriteriaSet& set, const quality::Gap& gap);

} // namespace baton::wire
