#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

/// The blocks of an assessment, one reader each. What is wrong is noted; what could be read is
/// there.
namespace baton::wire {

quality::Platform read_platform(const yaml::Node& node, yaml::Findings& findings);
/// Under its id, which is the node's key.
quality::Evidence read_evidence(const yaml::Node& node, yaml::Findings& findings);
/// Under its item's id, which is the node's key.
quality::Claim read_claim(const yaml::Node& node, yaml::Findings& findings);
quality::Value read_value(const yaml::Node& node, yaml::Findings& findings);

void read_support(const yaml::Node& node, quality::Assessment& out, yaml::Findings& findings);
void read_process(const yaml::Node& node, quality::Assessment& out, yaml::Findings& findings);
void read_decision(const yaml::Node& node, quality::Assessment& out, yaml::Findings& findings);
void read_facts(const yaml::Node& node, quality::Assessment& out, yaml::Findings& findings);
void read_signatures(const yaml::Node& node, quality::Assessment& out, yaml::Findings& findings);
void read_previous(const yaml::Node& node, quality::Assessment& out, yaml::Findings& findings);

} // namespace baton::wire
