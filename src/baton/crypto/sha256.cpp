#include "baton/crypto/sha256.hpp"

#include "baton/base/assert.hpp"
#include "baton/crypto/hmac.hpp"

#include <openssl/evp.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace baton::crypto {

namespace {

std::optional<unsigned> digit_of(char c) {
    if (c >= '0' && c <= '9') {
        return static_cast<unsigned>(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return static_cast<unsigned>(c - 'a') + 10U;
    }
    return std::nullopt;
}

} // namespace

Sha256Bytes sha256(std::string_view message) {
    Sha256Bytes digest{};
    unsigned size = 0;
    auto* place = reinterpret_cast<unsigned char*>(digest.data());
    BATON_ASSERT(
        EVP_Digest(message.data(), message.size(), place, &size, EVP_sha256(), nullptr) == 1
    );
    BATON_ASSERT(size == digest.size());
    return digest;
}

std::string sha256_hex(std::string_view message) {
    const auto digest = sha256(message);
    return to_hex(view_of(digest));
}

std::string to_hex(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    hex.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        hex += kDigits[byte >> 4U];
        hex += kDigits[byte & 0xFU];
    }
    return hex;
}

std::optional<Sha256Bytes> sha256_from_hex(std::string_view hex) {
    if (hex.size() != kSha256Bytes * 2) {
        return std::nullopt;
    }
    Sha256Bytes digest{};
    for (std::size_t i = 0; i < digest.size(); ++i) {
        const auto high = digit_of(hex[2 * i]);
        const auto low = digit_of(hex[(2 * i) + 1]);
        if (!high || !low) {
            return std::nullopt;
        }
        digest[i] = static_cast<char>((*high << 4U) | *low);
    }
    return digest;
}

} // namespace baton::crypto
