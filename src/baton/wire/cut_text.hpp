#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Shortens text of any length for places that have a limit. Bytes that are not UTF-8 become
/// U+FFFD, a cut never falls inside a character, and what was cut says so. The answer, mark
/// included, has at most `bytes_max` bytes.
namespace baton::wire {

/// Keeps the beginning: for names and messages, which begin with what matters.
std::string cut_end(std::string_view text, std::size_t bytes_max);

/// Keeps both ends: a Python traceback ends with the error, a C++ one begins with it.
std::string cut_middle(std::string_view text, std::size_t bytes_max);

} // namespace baton::wire
