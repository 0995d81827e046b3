#pragma once

#include "baton/config/config.hpp"

namespace baton::app {

/// The real environment and file system, for reading a configuration.
config::Surroundings real_surroundings();

} // namespace baton::app
