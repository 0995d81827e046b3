#pragma once

#include "baton/hud/quality_shelf.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/score.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The schemas Quality… of web/openapi.json, one function each.
namespace baton::api {

boost::json::value day_json(std::optional<quality::Day> day); // null without one
boost::json::array texts_json(const std::vector<std::string>& texts);

boost::json::array findings_json(std::span<const quality::Finding> findings);
boost::json::array files_json(const std::vector<hud::FaultyFile>& files);
boost::json::array levels_json(const quality::CriteriaSet& set);
boost::json::object p0_json(const quality::P0Score& p0);
boost::json::object score_json(const quality::CriteriaSet& set, const quality::Score& score);
boost::json::value decision_json(const std::optional<quality::Decision>& decision);
boost::json::object criterion_json(const quality::Item& item);
/// `item` has to be of the assessment's criteria.
boost::json::object
item_json(const hud::ShelvedAssessment& one, const quality::ItemScore& scored, quality::Day today);

std::string_view name_of(quality::Status status);
std::string_view name_of(quality::ExemptPoints exempt);

} // namespace baton::api
