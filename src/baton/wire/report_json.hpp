#pragma once

#include "baton/quality/changes.hpp"
#include "baton/quality/report.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace baton::wire {

/// A report as JSON: `cpq-result/1` as `score_json` writes it, and behind it what the report adds.
/// Keys stand in a fixed order, numbers are whole, and no time but `as_of` is in it.
std::string report_json(const quality::Report& report);

/// What changed, `cpq-diff/1`.
boost::json::object changes_object(const quality::Changes& changes);

} // namespace baton::wire
