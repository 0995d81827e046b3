#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What files of criteria and assessments share.
namespace baton::wire {

quality::Position position_of(yaml::Place place);

/// A number, or numbers by name.
quality::Effort effort_of(const yaml::Node& node, yaml::Findings& findings);

std::optional<quality::Amount>
amount_of(const yaml::Node& node, std::string_view what, yaml::Findings& findings);

std::optional<quality::Day>
day_of(const yaml::Node& node, std::string_view what, yaml::Findings& findings);

/// A SHA-256 as 64 lower-case hex digits; empty, and noted, when it is something else.
std::string digest_of(const yaml::Node& node, std::string_view what, yaml::Findings& findings);

/// Refuses another schema than `expected`.
void check_schema(const yaml::Node& root, std::string_view expected, yaml::Findings& findings);

std::vector<quality::Finding> coded(std::vector<domain::Finding> findings, std::string_view code);

} // namespace baton::wire
