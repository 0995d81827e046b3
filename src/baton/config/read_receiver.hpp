#pragma once

#include "baton/config/config.hpp"
#include "baton/config/values.hpp"
#include "baton/wire/yaml.hpp"

#include <optional>

namespace baton::config {

/// One entry of `notify`; nullopt: it is no mapping, which was noted.
std::optional<Receiver> read_receiver(const wire::yaml::Node& node, Values& values);

} // namespace baton::config
