#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/profile.hpp"
#include "baton/ports/levels.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <vector>

/// What the verbs of `baton levels` print and ask alike.
namespace baton::program {

/// ">= 90.0 % in 7 days (upper bound)"
std::string asked_text(const domain::Criterion& criterion);
/// "94.2 % of 132 (90.1 to 96.8 %)"
std::string measured_text(const domain::CriterionVerdict& verdict);
/// "L3", or "L3, L2 for now"
std::string level_text(const domain::LadderStanding& standing);
/// 2026-11-16
std::string date_text(TimePoint when);

/// One row for each criterion.
std::string criteria_table(const std::vector<domain::CriterionVerdict>& all);

boost::json::value time_json(const std::optional<TimePoint>& when);
boost::json::object transition_json(const domain::LadderTransition& moved);
boost::json::object json_of(const ports::KeptTransition& kept);
boost::json::object json_of(const domain::LadderStanding& standing);

} // namespace baton::program
