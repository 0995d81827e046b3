#pragma once

#include "baton/base/result.hpp"
#include "baton/store/tools.hpp"

#include <string>

namespace baton::store::postgres {

/// See store/tools.hpp. Pages and references are the server's own business (amcheck, constraints).
Result<Verification> verify(const std::string& url, const Progress& progress);

} // namespace baton::store::postgres
