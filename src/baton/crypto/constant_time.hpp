#pragma once

#include <string_view>

namespace baton::crypto {

/// Whether both are the same, in a time that depends on their lengths only: an answer that comes
/// back sooner would tell a guesser how many bytes were right.
bool equal_in_constant_time(std::string_view a, std::string_view b);

} // namespace baton::crypto
