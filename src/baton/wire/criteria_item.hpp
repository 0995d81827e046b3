#pragma once

#include "baton/quality/criteria.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

namespace baton::wire {

/// One entry of `items`. What is wrong is noted; what could be read is there.
quality::Item read_item(const yaml::Node& node, yaml::Findings& findings);

quality::RelayRule read_relay_rule(const yaml::Node& node, yaml::Findings& findings);

} // namespace baton::wire
