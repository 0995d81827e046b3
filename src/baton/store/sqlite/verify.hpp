#pragma once

#include "baton/base/result.hpp"
#include "baton/store/tools.hpp"

#include <string>

namespace baton::store::sqlite {

/// See store/tools.hpp.
Result<Verification> verify(const std::string& path, const Progress& progress);

} // namespace baton::store::sqlite
