#pragma once

#include "baton/quality/criteria.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"
#include "baton/wire/yaml_mapping.hpp"

#include <optional>
#include <string_view>

namespace baton::wire {

/// One entry of `items`. What is wrong is noted; what could be read is there.
quality::Item read_item(const yaml::Node& node, yaml::Findings& findings);

/// `P0`; nullopt when it is not there, or noted as wrong.
std::optional<quality::Priority> read_priority(yaml::Mapping& mapping, std::string_view key);

quality::RelayRule read_relay_rule(const yaml::Node& node, yaml::Findings& findings);

} // namespace baton::wire
