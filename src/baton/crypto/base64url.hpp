#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace baton::crypto {

/// The alphabet of URLs and JWTs, without padding.
std::string base64url(std::string_view bytes);

/// nullopt for padding, foreign characters and left-over bits that are not zero: each value has
/// exactly one spelling, so a token cannot be changed and stay the same token.
std::optional<std::string> from_base64url(std::string_view text);

/// The usual alphabet, padded, on one line.
std::string base64(std::string_view bytes);

/// The same back, on as many lines as it likes; nullopt for anything else.
std::optional<std::string> from_base64(std::string_view text);

} // namespace baton::crypto
