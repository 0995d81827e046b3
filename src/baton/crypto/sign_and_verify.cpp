#include "baton/crypto/sign_and_verify.hpp"

#include "baton/crypto/openssl.hpp"

#include <openssl/evp.h>
#include <openssl/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace baton::crypto {

namespace {

const EVP_MD* digest_for(EVP_PKEY* key) {
    return EVP_PKEY_is_a(key, "ED25519") == 1 ? nullptr : EVP_sha256();
}

} // namespace

bool verified(EVP_PKEY* key, std::string_view message, std::string_view signature) {
    const ErrorsForgotten forget;
    const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
    return context != nullptr &&
           EVP_DigestVerifyInit(context.get(), nullptr, digest_for(key), nullptr, key) == 1 &&
           EVP_DigestVerify(
               context.get(),
               bytes_of(signature),
               signature.size(),
               bytes_of(message),
               message.size()
           ) == 1;
}

std::string signature_of(EVP_PKEY* key, std::string_view message) {
    const ErrorsForgotten forget;
    const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
    std::size_t size = 0;
    if (context == nullptr ||
        EVP_DigestSignInit(context.get(), nullptr, digest_for(key), nullptr, key) != 1 ||
        EVP_DigestSign(context.get(), nullptr, &size, bytes_of(message), message.size()) != 1) {
        return {};
    }
    std::string signature(size, '\0');
    auto* place = reinterpret_cast<unsigned char*>(signature.data());
    if (EVP_DigestSign(context.get(), place, &size, bytes_of(message), message.size()) != 1) {
        return {};
    }
    signature.resize(size);
    return signature;
}

} // namespace baton::crypto
