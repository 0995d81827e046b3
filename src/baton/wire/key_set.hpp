#pragma once

#include "baton/base/result.hpp"
#include "baton/crypto/verification_key.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

inline constexpr std::size_t kKeySetBytesMax = 256U * 1024;
inline constexpr std::size_t kPublishedKeysMax = 100;

/// The keys that an issuer publishes, by their `kid`.
struct KeySet {
    std::map<std::string, crypto::VerificationKey, std::less<>> keys; // at least one
    /// What a person should know about the rest: doubled ids, weak or private keys. One that is
    /// merely for something else is passed over in silence.
    std::vector<std::string> remarks;
};

/// Reads a JWK set (RFC 7517). Members of unknown kinds are passed over, as the RFC wants it.
/// `invalid` when it is none, has doubled names, is too large or holds no key that we can use.
Result<KeySet> read_key_set(std::string_view json);

/// What `/.well-known/openid-configuration` says of an issuer, as far as we need it.
struct IssuerMetadata {
    std::string issuer;
    std::string jwks_uri;
};

/// `invalid` when one of them is not there.
Result<IssuerMetadata> read_issuer_metadata(std::string_view json);

} // namespace baton::wire
