#pragma once

#include <openssl/types.h>

#include <string>
#include <string_view>

/// The two sides of a signature over SHA-256, for whichever kind of key: RSASSA-PKCS1-v1_5 with an
/// RSA key, ECDSA in DER with an elliptic one. Only .cpp files of crypto include this.
namespace baton::crypto {

bool verified(EVP_PKEY* key, std::string_view message, std::string_view signature);

/// Empty when the key cannot sign.
std::string signature_of(EVP_PKEY* key, std::string_view message);

} // namespace baton::crypto
