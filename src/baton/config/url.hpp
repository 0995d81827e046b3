#pragma once

#include "baton/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace baton::config {

/// Where plain `http` is accepted: what carries tokens to strangers goes over `https`.
enum class PlainHttp : std::uint8_t { loopback_only, anywhere };

/// Checks `https://host[:port][/path]`: no user, query, fragment or blanks. Gives it back without
/// slashes at the end; `invalid` with the reason otherwise.
Result<std::string> check_url(std::string_view text, PlainHttp plain);

/// `https://host[:port]` of a checked URL, in lower case.
std::string origin_of(std::string_view url);

/// localhost, 127.0.0.0/8 or ::1 (with or without brackets), by its text; names are not looked up.
bool is_loopback(std::string_view host);

} // namespace baton::config
