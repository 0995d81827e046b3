#pragma once

#include "baton/base/result.hpp"
#include "baton/store/tools.hpp"

#include <string>
#include <string_view>

namespace baton::store::sqlite {

/// What one of the checks is called.
inline constexpr std::string_view kPendingDispatches = "pending dispatches";

/// See store/tools.hpp.
Result<Verification> verify(const std::string& path, const Progress& progress);

} // namespace baton::store::sqlite
