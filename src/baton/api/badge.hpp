#pragma once

#include "baton/hud/downstream_line.hpp"

#include <string>

namespace baton::api {

/// Level and pass rate as a small picture that says the same as a text. The figure is the one of
/// the pages.
std::string badge_of(const hud::DownstreamLine& line);

} // namespace baton::api
