#include "baton/crypto/ed25519.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/openssl.hpp"
#include "baton/crypto/pem.hpp"
#include "baton/crypto/sign_and_verify.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace baton::crypto {

/// A private key holds its public half, so both are kept alike.
struct Ed25519PublicKey::Handle {
    Owned<EVP_PKEY> key;
};

namespace {

/// What people put in place of a key, and what to do about it.
struct Mistake {
    std::string_view mark;
    std::string_view advice;
};

constexpr std::string_view kEncrypted =
    "it is encrypted: remove the passphrase with `openssl pkey`";
constexpr std::string_view kSsh = "it is an SSH key: make one with `openssl genpkey`";

constexpr std::array kPrivateMistakes{
    Mistake{.mark = "-----BEGIN ENCRYPTED PRIVATE KEY-----", .advice = kEncrypted},
    Mistake{.mark = "Proc-Type: 4,ENCRYPTED", .advice = kEncrypted},
    Mistake{.mark = "-----BEGIN OPENSSH PRIVATE KEY-----", .advice = kSsh},
    Mistake{
        .mark = "-----BEGIN PUBLIC KEY-----", .advice = "it is a public key: the private one signs"
    },
    Mistake{
        .mark = "-----BEGIN CERTIFICATE-----", .advice = "it is a certificate: a private key signs"
    },
};

constexpr std::string_view kPrivateGiven =
    "it is a private key: derive the public one with `openssl pkey -pubout` and keep this one to "
    "yourself";

constexpr std::array kPublicMistakes{
    Mistake{.mark = "PRIVATE KEY-----", .advice = kPrivateGiven},
    Mistake{
        .mark = "-----BEGIN CERTIFICATE-----",
        .advice = "it is a certificate: take its key out with `openssl x509 -pubkey -noout`"
    },
    Mistake{
        .mark = "ssh-ed25519 ",
        .advice = "it is an SSH key: the public half of a key of `openssl genpkey` is needed"
    },
};

tl::unexpected<Error> refused(std::string_view which, std::string_view advice) {
    return fail(Errc::invalid, fmt::format("the {} key cannot be used: {}", which, advice));
}

std::optional<std::string_view>
mistake_in(std::string_view pem, std::span<const Mistake> mistakes) {
    for (const auto& mistake : mistakes) {
        if (pem.find(mistake.mark) != std::string_view::npos) {
            return mistake.advice;
        }
    }
    if (pem.size() > kPemBytesMax || pem.find("-----BEGIN ") == std::string_view::npos) {
        return "it is not in PEM form";
    }
    return std::nullopt;
}

/// What is wrong with a key that OpenSSL has or has not read.
std::optional<std::string> wrong_with(const EVP_PKEY* key) {
    if (key == nullptr) {
        return "it is damaged or cut off";
    }
    if (EVP_PKEY_is_a(key, "ED25519") != 1) {
        return fmt::format(
            "it is an {} key: make one with `openssl genpkey -algorithm ed25519`",
            EVP_PKEY_get0_type_name(key)
        );
    }
    return std::nullopt;
}

} // namespace

Ed25519PublicKey::Ed25519PublicKey(std::shared_ptr<const Handle> handle)
    : handle_(std::move(handle)) {}

Result<Ed25519PublicKey> Ed25519PublicKey::parse(std::string_view pem) {
    constexpr std::string_view kWhich = "public";
    if (const auto mistake = mistake_in(pem, kPublicMistakes)) {
        return refused(kWhich, *mistake);
    }
    auto key = read_public_pem(pem);
    if (const auto wrong = wrong_with(key.get())) {
        return refused(kWhich, *wrong);
    }
    return Ed25519PublicKey(std::make_shared<const Handle>(Handle{.key = std::move(key)}));
}

bool Ed25519PublicKey::verifies(std::string_view message, std::string_view signature) const {
    return signature.size() == kEd25519SignatureBytes &&
           verified(handle_->key.get(), message, signature);
}

Ed25519PrivateKey::Ed25519PrivateKey(std::shared_ptr<const Ed25519PublicKey::Handle> handle)
    : handle_(std::move(handle)) {}

Result<Ed25519PrivateKey> Ed25519PrivateKey::parse(std::string_view pem) {
    constexpr std::string_view kWhich = "private";
    if (const auto mistake = mistake_in(pem, kPrivateMistakes)) {
        return refused(kWhich, *mistake);
    }
    auto key = read_private_pem(pem);
    if (const auto wrong = wrong_with(key.get())) {
        return refused(kWhich, *wrong);
    }
    return Ed25519PrivateKey(std::make_shared<const Ed25519PublicKey::Handle>(
        Ed25519PublicKey::Handle{.key = std::move(key)}
    ));
}

std::string Ed25519PrivateKey::sign(std::string_view message) const {
    auto signature = signature_of(handle_->key.get(), message);
    BATON_ASSERT(signature.size() == kEd25519SignatureBytes); // a key that was read can sign
    return signature;
}

Ed25519PublicKey Ed25519PrivateKey::public_key() const {
    return Ed25519PublicKey(handle_);
}

} // namespace baton::crypto
