#pragma once

#include <cstdint>

namespace baton::store::postgres {

/// How long a statement may take, and its answer be waited for: seconds, or an hour for what a
/// person or a new version does with all rows at once.
enum class Patience : std::uint8_t { seconds = 1, hours };

} // namespace baton::store::postgres
