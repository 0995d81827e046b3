#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/rsa_key.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton::crypto {

// GitHub takes an App's token for at most ten minutes ahead of its own clock. Issued a minute in
// the past and good for half a minute less than that, it also works when our clock is a little off;
// used for nine minutes, it never runs out in somebody's hand.
inline constexpr std::chrono::seconds kAppJwtBackdate{60};
inline constexpr std::chrono::seconds kAppJwtLife{570};
inline constexpr std::chrono::seconds kAppJwtUse{540};

/// A token by which the App itself speaks to GitHub (RS256).
struct AppJwt {
    std::string token;
    TimePoint use_until{}; // sign a new one from then on
};

AppJwt make_app_jwt(const AppKey& key, std::int64_t app_id, TimePoint now);

/// What such a token says. `issuer` is the App's id; numbers are accepted for it as GitHub does.
struct JwtClaims {
    std::string issuer;
    TimePoint issued_at{};
    TimePoint expires_at{};
};

/// For the other side (the simulator): the claims of a token with a good RS256 signature.
/// `unauthenticated` with the reason otherwise; times are for the caller to judge. `alg` must be
/// RS256 and the claims must be a flat object of texts and whole numbers, which is what App tokens
/// are.
Result<JwtClaims> verify_rs256(std::string_view token, const RsaPublicKey& key);

} // namespace baton::crypto
