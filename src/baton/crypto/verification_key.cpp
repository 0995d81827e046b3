#include "baton/crypto/verification_key.hpp"

#include "baton/base/result.hpp"
#include "baton/crypto/ecdsa_form.hpp"
#include "baton/crypto/openssl.hpp"
#include "baton/crypto/sign_and_verify.hpp"

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/types.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::crypto {

struct VerificationKey::Handle {
    Owned<EVP_PKEY> key;
    Algorithm algorithm{Algorithm::rs256};
};

namespace {

struct Named {
    Algorithm algorithm;
    std::string_view name;
};

constexpr std::array kNames{
    Named{.algorithm = Algorithm::rs256, .name = "RS256"},
    Named{.algorithm = Algorithm::es256, .name = "ES256"},
};

constexpr std::size_t kNumberBytesMax = 2048; // far beyond kRsaBitsMax, and not yet work

Owned<BIGNUM> number_of(std::string_view bytes) {
    return bytes.size() > kNumberBytesMax
               ? nullptr
               : Owned<BIGNUM>(BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

/// nullptr when OpenSSL finds no key in the parameters.
Owned<EVP_PKEY> public_key_from(const char* kind, OSSL_PARAM_BLD* building) {
    const Owned<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(building));
    const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
    EVP_PKEY* key = nullptr;
    if (parameters == nullptr || context == nullptr || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
        return nullptr;
    }
    return Owned<EVP_PKEY>(key);
}

bool is_sound(EVP_PKEY* key) {
    const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
    return context != nullptr && EVP_PKEY_public_check(context.get()) == 1;
}

} // namespace

std::string_view name_of(Algorithm algorithm) {
    for (const auto& one : kNames) {
        if (one.algorithm == algorithm) {
            return one.name;
        }
    }
    return "?";
}

std::optional<Algorithm> algorithm_named(std::string_view name) {
    for (const auto& one : kNames) {
        if (one.name == name) {
            return one.algorithm;
        }
    }
    return std::nullopt;
}

VerificationKey::VerificationKey(std::shared_ptr<const Handle> handle)
    : handle_(std::move(handle)) {}

Result<VerificationKey> VerificationKey::rsa(RsaParts parts) {
    const ErrorsForgotten forget;
    const auto modulus = number_of(parts.modulus);
    const auto exponent = number_of(parts.exponent);
    if (modulus == nullptr || exponent == nullptr) {
        return fail(Errc::invalid, "its numbers are far too long");
    }
    const auto bits = BN_num_bits(modulus.get());
    if (bits < kRsaBitsMin || bits > kRsaBitsMax) {
        return fail(
            Errc::invalid,
            fmt::format("it has {} bits, and {} to {} are taken", bits, kRsaBitsMin, kRsaBitsMax)
        );
    }
    if (BN_is_odd(modulus.get()) != 1) {
        return fail(Errc::invalid, "its modulus is even");
    }
    if (BN_is_odd(exponent.get()) != 1 || BN_is_one(exponent.get()) == 1 ||
        BN_num_bits(exponent.get()) > kExponentBitsMax) {
        return fail(Errc::invalid, "its exponent is none of an RSA key");
    }
    const Owned<OSSL_PARAM_BLD> building(OSSL_PARAM_BLD_new());
    if (building == nullptr ||
        OSSL_PARAM_BLD_push_BN(building.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
        OSSL_PARAM_BLD_push_BN(building.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1) {
        return fail(Errc::unavailable, "there is no memory for a key");
    }
    auto key = public_key_from("RSA", building.get());
    if (key == nullptr) {
        return fail(Errc::invalid, "its numbers are none of an RSA key");
    }
    return VerificationKey(
        std::make_shared<const Handle>(Handle{.key = std::move(key), .algorithm = Algorithm::rs256})
    );
}

Result<VerificationKey> VerificationKey::p256(PointParts parts) {
    const ErrorsForgotten forget;
    if (parts.x.size() != kP256Bytes || parts.y.size() != kP256Bytes) {
        return fail(Errc::invalid, fmt::format("its coordinates have not {} bytes", kP256Bytes));
    }
    constexpr char kUncompressed = 0x04;
    const auto point = kUncompressed + std::string(parts.x) + std::string(parts.y);
    const Owned<OSSL_PARAM_BLD> building(OSSL_PARAM_BLD_new());
    if (building == nullptr ||
        OSSL_PARAM_BLD_push_utf8_string(building.get(), OSSL_PKEY_PARAM_GROUP_NAME, kP256Name, 0) !=
            1 ||
        OSSL_PARAM_BLD_push_octet_string(
            building.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()
        ) != 1) {
        return fail(Errc::unavailable, "there is no memory for a key");
    }
    auto key = public_key_from("EC", building.get());
    if (key == nullptr || !is_sound(key.get())) {
        return fail(Errc::invalid, "its point is not on the curve P-256");
    }
    return VerificationKey(
        std::make_shared<const Handle>(Handle{.key = std::move(key), .algorithm = Algorithm::es256})
    );
}

Algorithm VerificationKey::algorithm() const {
    return handle_->algorithm;
}

bool VerificationKey::verifies(std::string_view message, std::string_view signature) const {
    const ErrorsForgotten forget;
    if (handle_->algorithm == Algorithm::rs256) {
        return verified(handle_->key.get(), message, signature);
    }
    const auto der = der_from_pair(signature);
    return der && verified(handle_->key.get(), message, *der);
}

} // namespace baton::crypto
