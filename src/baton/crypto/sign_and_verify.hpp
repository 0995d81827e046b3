#pragma once

#include <openssl/types.h>

#include <string>
#include <string_view>

/// The two sides of a signature, for whichever kind of key: over SHA-256 RSASSA-PKCS1-v1_5 with an
/// RSA key and ECDSA in DER with an elliptic one; Ed25519, which hashes by itself, with its own.
/// Only .cpp files of crypto include this.
namespace baton::crypto {

bool verified(EVP_PKEY* key, std::string_view message, std::string_view signature);

/// Empty when the key cannot sign.
std::string signature_of(EVP_PKEY* key, std::string_view message);

} // namespace baton::crypto
