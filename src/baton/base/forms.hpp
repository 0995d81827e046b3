#pragma once

#include <string_view>

/// What strangers' words have to look like before they are used. Each says only what the text is
/// made of; how long it may be is for the place that asks.
namespace baton {

/// Hex digits of either case, and at least one.
bool is_hex(std::string_view text);

/// As RFC 9562 writes it, in either case.
bool is_uuid(std::string_view text);

/// ASCII without blanks and control characters: for ids and keys that travel in headers. So is
/// nothing at all.
bool is_visible_ascii(std::string_view text);

/// An address that may be shown as a link: http or https, nothing that could break a line.
bool is_web_address(std::string_view text);

} // namespace baton
