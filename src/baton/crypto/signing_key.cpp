#include "baton/crypto/signing_key.hpp"

#include "baton/base/assert.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/ecdsa_form.hpp"
#include "baton/crypto/openssl.hpp"
#include "baton/crypto/sign_and_verify.hpp"
#include "baton/crypto/verification_key.hpp"

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/types.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace baton::crypto {

struct SigningKey::Handle {
    Owned<EVP_PKEY> key;
    Algorithm algorithm{Algorithm::rs256};
};

namespace {

/// A number of the key as a JWK writes it; at least `width` bytes.
std::string jwk_number(EVP_PKEY* key, const char* name, std::size_t width) {
    BIGNUM* found = nullptr;
    BATON_ASSERT(EVP_PKEY_get_bn_param(key, name, &found) == 1);
    const Owned<BIGNUM> number(found);
    std::string bytes(std::max(width, static_cast<std::size_t>(BN_num_bytes(found))), '\0');
    const auto size = static_cast<int>(bytes.size());
    BATON_ASSERT(BN_bn2binpad(found, reinterpret_cast<unsigned char*>(bytes.data()), size) == size);
    return base64url(bytes);
}

} // namespace

SigningKey::SigningKey(std::shared_ptr<const Handle> handle)
    : handle_(std::move(handle)) {}

SigningKey SigningKey::make(Algorithm algorithm) {
    Owned<EVP_PKEY> key(
        algorithm == Algorithm::rs256 ? EVP_RSA_gen(VerificationKey::kRsaBitsMin)
                                      : EVP_EC_gen(kP256Name)
    );
    BATON_ASSERT(key != nullptr);
    return SigningKey(
        std::make_shared<const Handle>(Handle{.key = std::move(key), .algorithm = algorithm})
    );
}

Algorithm SigningKey::algorithm() const {
    return handle_->algorithm;
}

std::string SigningKey::sign(std::string_view message) const {
    auto signature = signature_of(handle_->key.get(), message);
    BATON_ASSERT(!signature.empty());
    return handle_->algorithm == Algorithm::es256 ? pair_from_der(signature) : signature;
}

std::string SigningKey::public_jwk(std::string_view kid) const {
    auto* const key = handle_->key.get();
    if (handle_->algorithm == Algorithm::rs256) {
        return fmt::format(
            R"({{"kty":"RSA","use":"sig","alg":"RS256","kid":"{}","n":"{}","e":"{}"}})",
            kid,
            jwk_number(key, OSSL_PKEY_PARAM_RSA_N, 1),
            jwk_number(key, OSSL_PKEY_PARAM_RSA_E, 1)
        );
    }
    return fmt::format(
        R"({{"kty":"EC","use":"sig","alg":"ES256","kid":"{}","crv":"P-256","x":"{}","y":"{}"}})",
        kid,
        jwk_number(key, OSSL_PKEY_PARAM_EC_PUB_X, kP256Bytes),
        jwk_number(key, OSSL_PKEY_PARAM_EC_PUB_Y, kP256Bytes)
    );
}

std::string SigningKey::token(std::string_view kid, std::string_view claims) const {
    const auto header =
        fmt::format(R"({{"alg":"{}","kid":"{}","typ":"JWT"}})", name_of(algorithm()), kid);
    const auto signed_part = base64url(header) + "." + base64url(claims);
    return signed_part + "." + base64url(sign(signed_part));
}

} // namespace baton::crypto
