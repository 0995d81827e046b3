#pragma once

#include "baton/base/result.hpp"

#include <cstddef>
#include <string>

namespace baton::crypto {

/// Bytes nobody can guess, for secrets. Only app calls it: everything else draws from
/// ports::Chance, so that runs can be repeated. `unavailable` when the system has no randomness to
/// give: do not start.
Result<std::string> random_bytes(std::size_t count);

} // namespace baton::crypto
