#pragma once

#include "baton/base/result.hpp"

#include <cstddef>
#include <string>

namespace baton::app {

/// The whole file. not_found with the system's word for why; invalid when it is longer than
/// `bytes_max`.
Result<std::string> read_file(const std::string& path, std::size_t bytes_max);

} // namespace baton::app
