#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace baton::crypto {

/// Late re-runs must still be able to report: GitHub offers "Re-run" for about 30 days.
inline constexpr std::chrono::days kCallbackTokenLife{30};
/// No token is longer: three numbers of at most 20 digits and 43 characters of signature would fit
/// with room to spare.
inline constexpr std::size_t kCallbackTokenBytesMax = 128;

/// What a callback token is bound to: one generation of one dispatch, and what it was about. All of
/// it comes from our ledger, on minting as on verifying; the caller's word for any of it does not
/// count.
struct CallbackClaims {
    DispatchId dispatch{};
    int generation{0};
    DeliveryId delivery;
    RepoName downstream;
    std::optional<PrNumber> pr; // none for a push
    HeadSha head;
};

/// A secret that signs tokens, under the number that tokens name it by.
struct TokenKey {
    std::int64_t id{0};
    std::string secret;
};

/// Why a token was taken or turned away.
enum class TokenVerdict : std::uint8_t {
    good = 1,
    malformed,   // never one of ours
    unknown_key, // ours perhaps, but its key is gone: 31 days old, or from another relay
    mismatch,    // forged, or minted for another dispatch
    expired,     // genuine and for this dispatch, but too old
};

std::string_view name_of(TokenVerdict verdict);

/// `bt1.<key id>.<expiry in ms>.<signature>`. The signature is an HMAC-SHA256 over every claim and
/// the expiry, each with its length in front, so that no two sets of claims read the same.
/// `key.secret` must not be empty.
std::string mint(const CallbackClaims& claims, TimePoint expires_at, const TokenKey& key);

/// Whether `token` was minted for exactly these claims and is still good at `now` (it is not at
/// `expires_at`). The signature is compared in constant time.
TokenVerdict verify(
    std::string_view token,
    const CallbackClaims& expected,
    std::span<const TokenKey> keys,
    TimePoint now
);

} // namespace baton::crypto
