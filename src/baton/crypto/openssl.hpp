#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/types.h>

#include <memory>
#include <string_view>

/// OpenSSL's objects with owners. Only .cpp files of crypto include this: the headers of this
/// folder show none of it.
namespace baton::crypto {

struct OpensslFree {
    void operator()(BIO* bio) const { BIO_free_all(bio); }

    void operator()(BIGNUM* number) const { BN_free(number); }

    void operator()(ECDSA_SIG* signature) const { ECDSA_SIG_free(signature); }

    void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }

    void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }

    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }

    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }

    void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }

    void operator()(OSSL_PARAM* parameters) const { OSSL_PARAM_free(parameters); }

    void operator()(OSSL_PARAM_BLD* building) const { OSSL_PARAM_BLD_free(building); }
};

template <class T> using Owned = std::unique_ptr<T, OpensslFree>;

/// OpenSSL keeps a queue of errors per thread; what we leave in it would be read as the fault of
/// the next TLS call.
struct ErrorsForgotten {
    ErrorsForgotten() = default;
    ErrorsForgotten(const ErrorsForgotten&) = delete;
    ErrorsForgotten& operator=(const ErrorsForgotten&) = delete;

    ~ErrorsForgotten() { ERR_clear_error(); }
};

inline const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

} // namespace baton::crypto
