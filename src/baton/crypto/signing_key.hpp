#pragma once

#include "baton/crypto/verification_key.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace baton::crypto {

/// A key of an issuer of identity tokens, to throw away afterwards: for the simulator, the demo and
/// tests. Immutable, cheap to copy, any thread. Never prints its private half.
class SigningKey {
public:
    /// An RSA key takes a tenth of a second or more.
    static SigningKey make(Algorithm algorithm);

    Algorithm algorithm() const;
    /// As a token carries it: an ES256 signature is r and s, 32 bytes each.
    std::string sign(std::string_view message) const;
    /// The public half as a member of a key set (RFC 7517): one JSON object with kid, alg and use.
    /// `kid` must need no escape.
    std::string public_jwk(std::string_view kid) const;

    /// The whole token: base64url of `{"alg":…,"kid":…,"typ":"JWT"}`, of `claims`, and the
    /// signature over both.
    std::string token(std::string_view kid, std::string_view claims) const;

private:
    struct Handle;
    explicit SigningKey(std::shared_ptr<const Handle> handle);
    std::shared_ptr<const Handle> handle_;
};

} // namespace baton::crypto
