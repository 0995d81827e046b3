#pragma once

#include "baton/base/result.hpp"

#include <simdjson.h>

#include <string_view>

namespace baton::wire {

/// Reads a JSON object in which no name stands twice, at any depth: of two readers one would take
/// the first and one the last, and what was checked would not be what is used. `invalid` with the
/// reason otherwise, and for more than limits::kJsonDepthMax levels. The object lives as long as
/// `parser` and until it parses again.
Result<simdjson::dom::object> strict_object(simdjson::dom::parser& parser, std::string_view json);

} // namespace baton::wire
