#pragma once

#include <string>
#include <string_view>

namespace baton {

/// As `inert`, however long the text is: for pages, which have room where a log has none.
std::string inert_whole(std::string_view text);

/// Untrusted text as text of HTML, XML or one of their attributes: inert, however long, and what
/// could be markup is escaped.
std::string inert_markup(std::string_view text);

} // namespace baton
