#pragma once

#include "baton/config/config.hpp"
#include "baton/config/values.hpp"
#include "baton/wire/yaml.hpp"

#include <optional>

namespace baton::config {

/// Reads the `oidc` section; nullopt when it is no mapping. Faults are noted.
std::optional<Oidc> read_oidc(const wire::yaml::Node& node, Values& values);

} // namespace baton::config
