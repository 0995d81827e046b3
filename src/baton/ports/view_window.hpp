#pragma once

#include "baton/base/time.hpp"

namespace baton::ports {

/// Whole UTC days.
struct ViewWindow {
    TimePoint from{};
    TimePoint until{};
};

} // namespace baton::ports
