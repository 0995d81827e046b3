#pragma once

#include "baton/app/demo_text.hpp"
#include "baton/app/demo_view.hpp"

#include <cstddef>

/// The lines of figures on the demo's screen. Each has its name on the left; what does not fit as a
/// whole is left out, the telling figures last.
namespace baton::app::demo {

inline constexpr std::size_t kLabelColumns = 12;

Line webhooks_line(const Webhooks& webhooks, std::size_t columns);
Line dispatches_line(const Snapshot& snapshot, std::size_t columns);
Line results_line(const Results& results, std::size_t columns);
Line checks_line(const Checks& checks, std::size_t columns);
Line pace_line(const Snapshot& snapshot, std::size_t columns);

} // namespace baton::app::demo
