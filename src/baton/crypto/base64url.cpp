#include "baton/crypto/base64url.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::crypto {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::int8_t kForeign = -1;

constexpr std::array<std::int8_t, 256> make_values() {
    std::array<std::int8_t, 256> values{};
    values.fill(kForeign);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
    }
    return values;
}

constexpr auto kValues = make_values();

} // namespace

std::string base64url(std::string_view bytes) {
    std::string text;
    text.reserve(((bytes.size() * 4) + 2) / 3);
    std::uint32_t held = 0;
    unsigned bits = 0;
    for (const char c : bytes) {
        held = (held << 8U) | static_cast<unsigned char>(c);
        bits += 8;
        while (bits >= 6) {
            bits -= 6;
            text += kAlphabet[(held >> bits) & 0x3FU];
        }
    }
    if (bits > 0) {
        text += kAlphabet[(held << (6U - bits)) & 0x3FU];
    }
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    if (text.size() % 4 == 1) { // six bits are no byte
        return std::nullopt;
    }
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t held = 0;
    unsigned bits = 0;
    for (const char c : text) {
        const auto value = kValues[static_cast<unsigned char>(c)];
        if (value == kForeign) {
            return std::nullopt;
        }
        held = (held << 6U) | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>((held >> bits) & 0xFFU);
        }
    }
    if ((held & ((1U << bits) - 1U)) != 0) {
        return std::nullopt;
    }
    return bytes;
}

std::string base64(std::string_view bytes) {
    auto text = base64url(bytes);
    std::ranges::replace(text, '-', '+');
    std::ranges::replace(text, '_', '/');
    text.append((4 - text.size() % 4) % 4, '=');
    return text;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string flat(text);
    std::erase_if(flat, [](char c) { return c == '\n' || c == '\r'; });
    if (flat.size() % 4 != 0 || flat.find_first_of("-_") != std::string::npos) {
        return std::nullopt;
    }
    for (int padding = 0; padding < 2 && flat.ends_with('='); ++padding) {
        flat.pop_back();
    }
    std::ranges::replace(flat, '+', '-');
    std::ranges::replace(flat, '/', '_');
    return from_base64url(flat);
}

} // namespace baton::crypto
