#pragma once

#include "baton/base/result.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

/// Ed25519 (RFC 8032): how Baton signs what people keep. Equal messages get equal signatures, so
/// what is signed can be made again, byte for byte.
namespace baton::crypto {

inline constexpr std::size_t kEd25519SignatureBytes = 64;

/// The half that is given away. Immutable, cheap to copy, any thread.
class Ed25519PublicKey {
public:
    /// PEM, `-----BEGIN PUBLIC KEY-----`. `invalid` with a sentence that says what was found
    /// instead.
    static Result<Ed25519PublicKey> parse(std::string_view pem);

    bool verifies(std::string_view message, std::string_view signature) const;

private:
    friend class Ed25519PrivateKey;
    struct Handle;
    explicit Ed25519PublicKey(std::shared_ptr<const Handle> handle);
    std::shared_ptr<const Handle> handle_;
};

/// The half that signs, parsed once. Immutable, cheap to copy, any thread. Never prints itself.
class Ed25519PrivateKey {
public:
    /// PEM, PKCS#8: what `openssl genpkey -algorithm ed25519` writes. `invalid` with a sentence
    /// that says what was found instead. Never asks for a passphrase.
    static Result<Ed25519PrivateKey> parse(std::string_view pem);

    /// The 64 bytes themselves.
    std::string sign(std::string_view message) const;
    Ed25519PublicKey public_key() const;

private:
    explicit Ed25519PrivateKey(std::shared_ptr<const Ed25519PublicKey::Handle> handle);
    std::shared_ptr<const Ed25519PublicKey::Handle> handle_;
};

} // namespace baton::crypto
