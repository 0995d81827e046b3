#pragma once

#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"

namespace baton::config {

/// What stands under `retention`. Faulty values are noted and left as they were.
void read_retention(const Section& file, Retention& retention, Values& values);

} // namespace baton::config
