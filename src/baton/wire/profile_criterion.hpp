#pragma once

#include "baton/domain/profile.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <optional>
#include <string_view>

namespace baton::wire {

/// `{id: l3.pass, figure: pass_raw, window: 14, at_least: 90%}`; nullopt: findings were noted.
std::optional<domain::Criterion> read_criterion(const yaml::Node& node, yaml::Findings& findings);

/// `90%`, `0.9`; 0 to 1.
std::optional<double>
share_of(const yaml::Node& node, std::string_view what, yaml::Findings& findings);

} // namespace baton::wire
