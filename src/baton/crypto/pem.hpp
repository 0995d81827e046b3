#pragma once

#include "baton/crypto/openssl.hpp"

#include <openssl/types.h>

#include <cstddef>
#include <string_view>

/// Reading keys from PEM. Only .cpp files of crypto include this.
namespace baton::crypto {

inline constexpr std::size_t kPemBytesMax = 65'536; // a 16384-bit RSA key needs 13,000

/// A callback for OpenSSL, which would ask on the terminal without one.
int no_passphrase(char* buffer, int size, int writing, void* context);

/// nullptr for what is longer than kPemBytesMax or no key; never asks for a passphrase.
Owned<EVP_PKEY> read_private_pem(std::string_view pem);
Owned<EVP_PKEY> read_public_pem(std::string_view pem);

} // namespace baton::crypto
