#pragma once

#include <cstdint>

namespace baton::store {

/// Who opens a store. Relays serve from it; tools may look and act beside them.
enum class StoreRole : std::uint8_t { serving = 1, tool };

} // namespace baton::store
