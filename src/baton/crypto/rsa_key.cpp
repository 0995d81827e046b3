#include "baton/crypto/rsa_key.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/openssl.hpp"
#include "baton/crypto/pem.hpp"
#include "baton/crypto/sign_and_verify.hpp"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace baton::crypto {

struct RsaPublicKey::Handle {
    Owned<EVP_PKEY> key;
};

struct AppKey::Handle {
    Owned<EVP_PKEY> key;
};

namespace {

constexpr int kRsaBits = 2048; // of the keys we make, and the least we take: GitHub's have as many

/// What people put in place of an App's private key, and what to do about it.
struct Mistake {
    std::string_view mark;
    std::string_view advice;
};

constexpr std::array kMistakes{
    Mistake{
        .mark = "-----BEGIN ENCRYPTED PRIVATE KEY-----",
        .advice = "it is encrypted: remove the passphrase with `openssl pkey`"
    },
    Mistake{
        .mark = "Proc-Type: 4,ENCRYPTED",
        .advice = "it is encrypted: remove the passphrase with `openssl pkey`"
    },
    Mistake{
        .mark = "-----BEGIN PUBLIC KEY-----",
        .advice = "it is a public key: the private one is needed"
    },
    Mistake{
        .mark = "-----BEGIN RSA PUBLIC KEY-----",
        .advice = "it is a public key: the private one is needed"
    },
    Mistake{
        .mark = "-----BEGIN CERTIFICATE-----",
        .advice = "it is a certificate: the private key is needed"
    },
    Mistake{
        .mark = "-----BEGIN EC PRIVATE KEY-----",
        .advice = "it is an elliptic-curve key: GitHub Apps use RSA"
    },
    Mistake{
        .mark = "-----BEGIN OPENSSH PRIVATE KEY-----",
        .advice = "it is an SSH key: GitHub Apps use RSA keys in PEM form"
    },
};

std::string text_in(BIO* bio) {
    char* data = nullptr;
    const auto size = BIO_get_mem_data(bio, &data);
    return {data, static_cast<std::size_t>(size)};
}

tl::unexpected<Error> not_a_key(std::string_view advice) {
    return fail(Errc::invalid, fmt::format("the App's private key cannot be used: {}", advice));
}

/// A key whose parts do not belong together parses well and signs rubbish; one signature at start
/// tells.
bool signs_what_it_verifies(EVP_PKEY* key) {
    constexpr std::string_view kProbe = "baton";
    const auto signature = signature_of(key, kProbe);
    return !signature.empty() && verified(key, kProbe, signature);
}

} // namespace

RsaPublicKey::RsaPublicKey(std::shared_ptr<const Handle> handle)
    : handle_(std::move(handle)) {}

Result<RsaPublicKey> RsaPublicKey::parse(std::string_view pem) {
    const ErrorsForgotten forget;
    if (pem.size() > kPemBytesMax) {
        return fail(Errc::invalid, "this is no RSA public key: it is far too long");
    }
    auto key = read_public_pem(pem);
    if (key == nullptr || EVP_PKEY_is_a(key.get(), "RSA") != 1) {
        return fail(Errc::invalid, "this is no RSA public key in PEM form");
    }
    return RsaPublicKey(std::make_shared<const Handle>(Handle{.key = std::move(key)}));
}

bool RsaPublicKey::verifies(std::string_view message, std::string_view signature) const {
    return verified(handle_->key.get(), message, signature);
}

AppKey::AppKey(std::shared_ptr<const Handle> handle)
    : handle_(std::move(handle)) {}

Result<AppKey> AppKey::parse(std::string_view pem) {
    const ErrorsForgotten forget;
    for (const auto& mistake : kMistakes) {
        if (pem.find(mistake.mark) != std::string_view::npos) {
            return not_a_key(mistake.advice);
        }
    }
    if (pem.size() > kPemBytesMax || pem.find("-----BEGIN ") == std::string_view::npos) {
        return not_a_key("it is not in PEM form (-----BEGIN RSA PRIVATE KEY-----)");
    }
    auto key = read_private_pem(pem);
    if (key == nullptr) {
        return not_a_key("it is damaged or cut off");
    }
    if (EVP_PKEY_is_a(key.get(), "RSA") != 1) {
        return not_a_key("it is not an RSA key");
    }
    if (EVP_PKEY_get_bits(key.get()) < kRsaBits) {
        return not_a_key(fmt::format("it has fewer than {} bits", kRsaBits));
    }
    if (!signs_what_it_verifies(key.get())) {
        return not_a_key("it is damaged: what it signs it does not verify");
    }
    return AppKey(std::make_shared<const Handle>(Handle{.key = std::move(key)}));
}

std::string AppKey::sign(std::string_view message) const {
    auto signature = signature_of(handle_->key.get(), message);
    BATON_ASSERT(!signature.empty()); // it could sign when it was parsed
    return signature;
}

RsaPublicKey AppKey::public_key() const {
    Owned<EVP_PKEY> copy(EVP_PKEY_dup(handle_->key.get()));
    BATON_ASSERT(copy != nullptr);
    return RsaPublicKey(
        std::make_shared<const RsaPublicKey::Handle>(RsaPublicKey::Handle{.key = std::move(copy)})
    );
}

RsaKeyPair make_rsa_key_pair() {
    const Owned<EVP_PKEY> key(EVP_RSA_gen(kRsaBits));
    const Owned<BIO> private_bio(BIO_new(BIO_s_mem()));
    const Owned<BIO> public_bio(BIO_new(BIO_s_mem()));
    BATON_ASSERT(key != nullptr && private_bio != nullptr && public_bio != nullptr);
    const auto wrote_private = PEM_write_bio_PKCS8PrivateKey(
        private_bio.get(), key.get(), nullptr, nullptr, 0, no_passphrase, nullptr
    );
    const auto wrote_public = PEM_write_bio_PUBKEY(public_bio.get(), key.get());
    BATON_ASSERT(wrote_private == 1 && wrote_public == 1);
    return RsaKeyPair{
        .private_pem = text_in(private_bio.get()), .public_pem = text_in(public_bio.get())
    };
}

} // namespace baton::crypto
