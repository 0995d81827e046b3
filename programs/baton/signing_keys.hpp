#pragma once

#include "baton/crypto/ed25519.hpp"

#include <optional>
#include <string>

namespace baton::program {

/// The two halves of an Ed25519 key, PEM; nullopt after saying what was found instead.
std::optional<crypto::Ed25519PrivateKey> private_key_or_complain(const std::string& path);
std::optional<crypto::Ed25519PublicKey> public_key_or_complain(const std::string& path);

} // namespace baton::program
