#pragma once

#include <string>
#include <string_view>

namespace baton::wire {

inline constexpr std::string_view kCsvLineEnd = "\r\n";

/// One cell of RFC 4180 that holds a text: quoted where it has to be. One that a spreadsheet would
/// take for a formula gets a ' in front.
std::string csv_text(std::string_view text);

} // namespace baton::wire
