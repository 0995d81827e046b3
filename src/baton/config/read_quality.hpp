#pragma once

#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"

namespace baton::config {

/// What stands under `quality`. Faulty values are noted and left as they were.
void read_quality(const Section& file, Quality& quality, Values& values);

} // namespace baton::config
