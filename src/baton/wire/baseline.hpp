#pragma once

#include "baton/base/result.hpp"
#include "baton/quality/coverage.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Lists that test files are counted against: docs/reference/quality-baseline.md.
namespace baton::wire {

inline constexpr std::size_t kBaselineBytesMax = 128U * 1024 * 1024;

/// A manifest, `cpq-baseline/1`. `invalid` with the line for everything else: another header, an
/// unknown kind, lines that are not sorted or stand twice.
Result<quality::Baseline> read_baseline(std::string_view text);

/// Ids, one in a line; `#` begins a comment, blank lines are passed over. `invalid` with the line
/// for what is not UTF-8 or has a tab.
Result<std::vector<std::string>> read_marks(std::string_view text);

} // namespace baton::wire
