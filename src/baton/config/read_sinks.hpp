#pragma once

#include "baton/config/config.hpp"
#include "baton/config/values.hpp"
#include "baton/wire/yaml.hpp"

#include <vector>

namespace baton::config {

/// The list under `sinks`. Faulty ones are noted and left out.
std::vector<Sink> read_sinks(const wire::yaml::Node& node, Values& values);

} // namespace baton::config
