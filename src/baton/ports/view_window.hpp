#pragma once

#include "baton/base/time.hpp"

namespace baton::ports {

/// Whole UTC days.
struct ViewWindow {
    TimePoint from{};
    TimePoint until{}; // not in it any more
};

} // namespace baton::ports
