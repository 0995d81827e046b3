#pragma once

#include "baton/base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace baton::store::sql {

/// zstd at level 1: a third of the cost of writing the raw bytes. Runs on the caller's thread, with
/// one working memory per thread.
std::string compress(std::string_view raw);

/// `unavailable` when the bytes are damaged or do not unfold to exactly `raw_bytes`.
Result<std::string> decompress(std::string_view packed, std::size_t raw_bytes);

} // namespace baton::store::sql
