#pragma once

#include "baton/crypto/hmac.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace baton::crypto {

Sha256Bytes sha256(std::string_view message);

/// The digest as 64 lower-case hex digits: how files and versions are named.
std::string sha256_hex(std::string_view message);

std::string to_hex(std::string_view bytes); // lower case

/// Exactly 64 lower-case hex digits, as GitHub writes them; nullopt for everything else.
std::optional<Sha256Bytes> sha256_from_hex(std::string_view hex);

} // namespace baton::crypto
