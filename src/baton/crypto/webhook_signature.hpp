#pragma once

#include "baton/base/result.hpp"
#include "baton/crypto/hmac.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton::crypto {

/// The webhook secrets in force, made ready once; several while one is being replaced. Immutable,
/// shared by all threads.
class SignatureKeys {
public:
    /// `invalid` without any secret, or when one is empty: an empty secret would let everybody
    /// sign.
    static Result<std::shared_ptr<const SignatureKeys>> make(const std::vector<std::string>& secrets
    );

    std::size_t size() const { return keys_.size(); }

private:
    friend class SignatureCheck;
    explicit SignatureKeys(std::vector<HmacKey> keys);
    std::vector<HmacKey> keys_;
};

/// Says that a body carried a good signature. Only a SignatureCheck makes one, so whoever parses a
/// webhook asks for it and cannot be handed bytes that nobody checked.
class SignatureProof {
public:
    /// How many bytes were signed: must equal the length of the body that this proof comes with.
    std::size_t signed_bytes() const { return signed_bytes_; }

    /// Which secret it was, in the order of the configuration: shows when an old one is no longer
    /// used.
    std::size_t secret_index() const { return secret_index_; }

private:
    friend class SignatureCheck;

    SignatureProof(std::size_t signed_bytes, std::size_t secret_index)
        : signed_bytes_(signed_bytes)
        , secret_index_(secret_index) {}

    std::size_t signed_bytes_;
    std::size_t secret_index_;
};

/// Checks the `X-Hub-Signature-256` of one request while its body is being read. One per request,
/// one thread.
class SignatureCheck {
public:
    explicit SignatureCheck(const std::shared_ptr<const SignatureKeys>& keys);

    void update(std::span<const char> bytes);

    /// The proof, if `header` is the signature of all bytes so far under any of the secrets. Every
    /// secret is compared in constant time, whichever of them fits. The form is strictly `sha256=`
    /// and 64 lower-case hex digits, the only one that GitHub writes. Called once.
    std::optional<SignatureProof> finish(std::string_view header);

private:
    std::vector<Hmac> running_; // one per secret
    std::size_t bytes_{0};
};

} // namespace baton::crypto
