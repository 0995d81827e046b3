#pragma once

#include "baton/base/result.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/domain/token_claims.hpp"

#include <string>
#include <string_view>

namespace baton::wire {

/// An identity token (a JWT of an OpenID issuer) taken apart and read. Nothing of it may be
/// believed before `verifies` of the right key says so of `signed_part` and `signature`.
struct IdentityToken {
    crypto::Algorithm algorithm{crypto::Algorithm::rs256};
    std::string key_id; // not empty
    domain::TokenClaims claims;
    std::string_view signed_part; // of the text that was read
    std::string signature;
};

/// `unauthenticated` with what is wrong with its form, in words that never repeat the token. See
/// docs/design/identity.md for the rules.
Result<IdentityToken> read_identity_token(std::string_view token);

} // namespace baton::wire
