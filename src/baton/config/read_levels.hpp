#pragma once

#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"

namespace baton::config {

/// What stands under `levels`. Faulty values are noted and left as they were.
void read_levels(const Section& file, Levels& levels, Values& values);

} // namespace baton::config
