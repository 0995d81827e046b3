#pragma once

#include "baton/domain/allowlist.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

namespace baton::wire {

/// Reads on-call handles in any of their forms: a list, "alice, bob" or '@alice'; nothing means
/// none.
void read_oncalls(const yaml::Node& node, domain::Downstream& into, yaml::Findings& findings);

/// Reads a mapping of Baton's own keys into an entry. A key that is wrong keeps its default and is
/// noted.
void read_entry_keys(const yaml::Node& mapping, domain::Downstream& into, yaml::Findings& findings);

/// Reads a device, the suffix of the labels that ask for it. False when it is none; that is then
/// noted.
bool read_device(const yaml::Node& node, domain::Downstream& into, yaml::Findings& findings);

} // namespace baton::wire
