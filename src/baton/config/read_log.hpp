#pragma once

#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"

namespace baton::config {

/// What stands under `log`. Faulty values are noted and left as they were.
void read_log(const Section& file, Log& log, Values& values);

} // namespace baton::config
