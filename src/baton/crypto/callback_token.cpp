#include "baton/crypto/callback_token.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/constant_time.hpp"
#include "baton/crypto/hmac.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace baton::crypto {

namespace {

constexpr std::string_view kVersion = "bt1";
constexpr std::size_t kFields = 4;

/// A token taken apart, not yet believed.
struct Parts {
    std::int64_t key_id{0};
    std::int64_t expires_ms{0};
    std::string_view mac; // base64url
};

void append_field(std::string& message, std::string_view field) {
    auto size = static_cast<std::uint64_t>(field.size());
    std::array<char, 8> prefix{};
    for (auto byte = prefix.rbegin(); byte != prefix.rend(); ++byte) {
        *byte = static_cast<char>(size & 0xFFU);
        size >>= 8U;
    }
    message.append(prefix.data(), prefix.size());
    message.append(field);
}

void append_number(std::string& message, std::int64_t number) {
    append_field(message, fmt::format("{}", number));
}

std::string mac_of(const CallbackClaims& claims, std::int64_t expires_ms, const TokenKey& key) {
    std::string message;
    append_field(message, kVersion);
    append_number(message, key.id);
    append_number(message, expires_ms);
    append_number(message, static_cast<std::int64_t>(claims.dispatch));
    append_number(message, claims.generation);
    append_field(message, claims.delivery.text());
    append_field(message, claims.downstream.key());
    append_field(
        message, claims.pr ? fmt::format("{}", static_cast<std::int64_t>(*claims.pr)) : ""
    );
    append_field(message, claims.head.text());
    const auto mac = HmacKey(key.secret).sign(message);
    return base64url(view_of(mac));
}

/// Digits only and no zero in front: each number has one spelling.
std::optional<std::int64_t> number_of(std::string_view text) {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || stop != text.data() + text.size() || text.front() == '-' ||
        (text.front() == '0' && text.size() > 1)) {
        return std::nullopt;
    }
    return number;
}

std::optional<Parts> take_apart(std::string_view token) {
    if (token.size() > kCallbackTokenBytesMax || std::ranges::count(token, '.') != kFields - 1) {
        return std::nullopt;
    }
    std::array<std::string_view, kFields> fields;
    for (auto& field : fields) {
        const auto dot = std::min(token.find('.'), token.size());
        field = token.substr(0, dot);
        token.remove_prefix(std::min(dot + 1, token.size()));
    }
    const auto key_id = number_of(fields[1]);
    const auto expires_ms = number_of(fields[2]);
    const auto mac = from_base64url(fields[3]);
    if (fields[0] != kVersion || !key_id || !expires_ms || !mac || mac->size() != kSha256Bytes) {
        return std::nullopt;
    }
    return Parts{.key_id = *key_id, .expires_ms = *expires_ms, .mac = fields[3]};
}

} // namespace

std::string_view name_of(TokenVerdict verdict) {
    switch (verdict) {
    case TokenVerdict::good:
        return "good";
    case TokenVerdict::malformed:
        return "malformed";
    case TokenVerdict::unknown_key:
        return "unknown_key";
    case TokenVerdict::mismatch:
        return "mismatch";
    case TokenVerdict::expired:
        return "expired";
    }
    return "unknown";
}

std::string mint(const CallbackClaims& claims, TimePoint expires_at, const TokenKey& key) {
    const auto expires_ms = to_ms(expires_at);
    return fmt::format(
        "{}.{}.{}.{}", kVersion, key.id, expires_ms, mac_of(claims, expires_ms, key)
    );
}

TokenVerdict verify(
    std::string_view token,
    const CallbackClaims& expected,
    std::span<const TokenKey> keys,
    TimePoint now
) {
    const auto parts = take_apart(token);
    if (!parts) {
        return TokenVerdict::malformed;
    }
    const auto key = std::ranges::find(keys, parts->key_id, &TokenKey::id);
    if (key == keys.end()) {
        return TokenVerdict::unknown_key;
    }
    if (!equal_in_constant_time(mac_of(expected, parts->expires_ms, *key), parts->mac)) {
        return TokenVerdict::mismatch;
    }
    if (to_ms(now) >= parts->expires_ms) { // believed only now: the signature covers it
        return TokenVerdict::expired;
    }
    return TokenVerdict::good;
}

} // namespace baton::crypto
