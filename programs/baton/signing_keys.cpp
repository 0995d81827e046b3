#include "signing_keys.hpp"

#include "baton/app/files.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/ed25519.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "command.hpp"

namespace baton::program {

namespace {

constexpr std::size_t kKeyBytesMax = 65'536;

template <class Key> std::optional<Key> key_or_complain(const std::string& path) {
    const auto pem = app::read_file(path, kKeyBytesMax);
    if (!pem) {
        complain(inert(path) + ": " + inert(pem.error().detail));
        return std::nullopt;
    }
    auto key = Key::parse(*pem);
    if (!key) {
        complain(inert(path) + ": " + key.error().detail);
        return std::nullopt;
    }
    return *std::move(key);
}

} // namespace

std::optional<crypto::Ed25519PrivateKey> private_key_or_complain(const std::string& path) {
    return key_or_complain<crypto::Ed25519PrivateKey>(path);
}

std::optional<crypto::Ed25519PublicKey> public_key_or_complain(const std::string& path) {
    return key_or_complain<crypto::Ed25519PublicKey>(path);
}

} // namespace baton::program
