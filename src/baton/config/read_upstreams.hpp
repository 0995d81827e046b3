#pragma once

#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"

#include <vector>

namespace baton::config {

/// Reads the `upstreams` of the file. Faults are noted, and so is their absence.
std::vector<Upstream> read_upstreams(Section& file, Values& values);

} // namespace baton::config
