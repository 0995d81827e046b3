#pragma once

#include <cstdint>

namespace baton::store::postgres {

/// How long a statement may take, and its answer be waited for: seconds; a moment for a sign of
/// life, which comes too late otherwise; or an hour for what a person or a new version does with
/// all rows at once.
enum class Patience : std::uint8_t { seconds = 1, moment, hours };

} // namespace baton::store::postgres
