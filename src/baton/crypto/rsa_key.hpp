#pragma once

#include "baton/base/result.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace baton::crypto {

/// The public half of an RSA key: checks RS256 signatures. Immutable, cheap to copy, any thread.
class RsaPublicKey {
public:
    /// PEM, `-----BEGIN PUBLIC KEY-----`. `invalid` for anything else.
    static Result<RsaPublicKey> parse(std::string_view pem);

    /// RSASSA-PKCS1-v1_5 with SHA-256, whatever a token's header may claim.
    bool verifies(std::string_view message, std::string_view signature) const;

private:
    friend class AppKey;
    struct Handle;
    explicit RsaPublicKey(std::shared_ptr<const Handle> handle);
    std::shared_ptr<const Handle> handle_;
};

/// The private key of a GitHub App, parsed once. Immutable, cheap to copy, any thread. Never prints
/// itself.
class AppKey {
public:
    /// PEM, PKCS#1 (what GitHub hands out) or PKCS#8. `invalid` with a sentence that says what was
    /// found instead: a public key, a certificate, an encrypted, elliptic, short or cut-off one.
    /// Never asks for a passphrase.
    static Result<AppKey> parse(std::string_view pem);

    /// RSASSA-PKCS1-v1_5 with SHA-256; a quarter of a millisecond at 2048 bits.
    std::string sign(std::string_view message) const;
    RsaPublicKey public_key() const;

private:
    struct Handle;
    explicit AppKey(std::shared_ptr<const Handle> handle);
    std::shared_ptr<const Handle> handle_;
};

struct RsaKeyPair {
    std::string private_pem; // PKCS#8
    std::string public_pem;
};

/// A 2048-bit key to throw away afterwards: for the demo, the simulator and tests. Takes a tenth of
/// a second or more.
RsaKeyPair make_rsa_key_pair();

} // namespace baton::crypto
