#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// An elliptic signature in its two forms: tokens carry r and s side by side (RFC 7518), OpenSSL
/// speaks DER. Only .cpp files of crypto include this.
namespace baton::crypto {

inline constexpr std::size_t kP256Bytes = 32; // of a coordinate, of r, of s
inline constexpr const char* kP256Name = "P-256";

/// nullopt when it has not exactly 64 bytes.
std::optional<std::string> der_from_pair(std::string_view pair);

/// `der` must be a signature under P-256.
std::string pair_from_der(std::string_view der);

} // namespace baton::crypto
