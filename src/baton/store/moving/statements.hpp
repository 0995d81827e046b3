#pragma once

#include "baton/store/moving/tables.hpp"

namespace baton::store::moving {

/// The order of text in the file is that of its copies (postgres::clean), so that both sides are
/// read in the same one. A collation of this name has to be there: see `open_to_move`.
inline constexpr const char* kCollation = "cleaned";

/// Writes the statements of a table whose columns and key are known.
void prepare(Table& table);

} // namespace baton::store::moving
