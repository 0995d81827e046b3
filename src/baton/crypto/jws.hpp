#pragma once

#include "baton/base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace baton::crypto {

inline constexpr std::size_t kJwsBytesMax = 16U * 1024; // Actions' tokens have about 2 KiB

/// The parts of a token in its compact form (RFC 7515), decoded and not yet believed.
struct CompactJws {
    std::string header;           // JSON, as its writer says
    std::string payload;          // the same
    std::string_view signed_part; // of the token that was taken apart: what the signature is over
    std::string signature;
};

/// `invalid` with the reason when it is longer than kJwsBytesMax, has not exactly three parts, none
/// of them empty, or one is not base64url in its only spelling. No reason repeats the token.
Result<CompactJws> take_apart(std::string_view token);

} // namespace baton::crypto
