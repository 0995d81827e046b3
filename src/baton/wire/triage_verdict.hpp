#pragma once

#include "baton/base/result.hpp"

#include <simdjson.h>

#include <string>

namespace baton::wire {

/// A downstream's own opinion why its job failed, reduced to the members we know, each checked and
/// cut to its bound, as compact JSON. `invalid` says what is wrong with it as a whole; the caller
/// drops it then and says so: an opinion is never a reason to refuse a result.
Result<std::string> read_triage_verdict(simdjson::dom::element verdict);

} // namespace baton::wire
