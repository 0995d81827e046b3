#include "baton/crypto/pem.hpp"

#include "baton/crypto/openssl.hpp"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/types.h>

#include <string_view>

namespace baton::crypto {

namespace {

Owned<BIO> reading(std::string_view text) {
    return Owned<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

} // namespace

int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*context*/) {
    return -1;
}

Owned<EVP_PKEY> read_private_pem(std::string_view pem) {
    const ErrorsForgotten forget;
    if (pem.size() > kPemBytesMax) {
        return nullptr;
    }
    const auto bio = reading(pem);
    return Owned<EVP_PKEY>(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr));
}

Owned<EVP_PKEY> read_public_pem(std::string_view pem) {
    const ErrorsForgotten forget;
    if (pem.size() > kPemBytesMax) {
        return nullptr;
    }
    const auto bio = reading(pem);
    return Owned<EVP_PKEY>(PEM_read_bio_PUBKEY(bio.get(), nullptr, no_passphrase, nullptr));
}

} // namespace baton::crypto
