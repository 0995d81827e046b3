#pragma once

#include "baton/base/time.hpp"

#include <optional>
#include <string_view>

namespace baton::github {

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers write today; nullopt for anything
/// else.
std::optional<TimePoint> parse_http_date(std::string_view text);

} // namespace baton::github
