#pragma once

#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"

namespace baton::config {

/// Who is told: the lists under `sinks` and `notify`. Faulty ones are noted and left out.
void read_told(const Section& file, Config& config, Values& values);

} // namespace baton::config
