#pragma once

#include "baton/base/result.hpp"

#include <string>
#include <string_view>

namespace baton::github {

/// Each segment encoded, the slashes kept; `invalid` for what would lead out of the repository.
Result<std::string> encoded_path(std::string_view path);

} // namespace baton::github
