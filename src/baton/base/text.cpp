#include "baton/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton {

namespace {

constexpr std::size_t kInertBytesMax = 200;
constexpr std::size_t kNearestBytesMax = 64; // longer words are no typing mistakes of ours

unsigned char byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

bool is_continuation(unsigned char byte) {
    return (byte & 0xC0U) == 0x80U;
}

/// A character of well-formed UTF-8 and its length in bytes; length 0 when the bytes are broken.
struct CodePoint {
    std::uint32_t value{0};
    std::size_t bytes{0};
};

CodePoint code_point_at(std::string_view text, std::size_t at) {
    const auto lead = byte_at(text, at);
    if (lead < 0x80U) {
        return {.value = lead, .bytes = 1};
    }
    const std::size_t bytes = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
    if (lead < 0xC2U || lead > 0xF4U || at + bytes > text.size()) {
        return {};
    }
    std::uint32_t value = lead & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto next = byte_at(text, at + i);
        if (!is_continuation(next)) {
            return {};
        }
        value = (value << 6U) | (next & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < kSmallest[bytes] || value > 0x10FFFF || surrogate) {
        return {};
    }
    return {.value = value, .bytes = bytes};
}

/// What can move a cursor, start a line or turn the reading direction, in one byte or in three.
bool is_unsafe(std::uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/// Edit distance in which swapping two neighbours is one step: the commonest slip of a hand.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        last[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

enum class Wild : std::uint8_t { literal, one, star, globstar, folders };

struct Token {
    Wild wild{Wild::literal};
    char literal{0};
};

struct Stars {
    Token token;
    std::size_t bytes{0};
};

/// The run of stars at `at`. `**/` at the start of a path part stands for any number of folders,
/// none included.
Stars stars_at(std::string_view pattern, std::size_t at) {
    const auto end = std::min(pattern.find_first_not_of('*', at), pattern.size());
    if (end - at < 2) {
        return {.token = {.wild = Wild::star}, .bytes = 1};
    }
    const bool part_starts = at == 0 || pattern[at - 1] == '/';
    if (part_starts && end < pattern.size() && pattern[end] == '/') {
        return {.token = {.wild = Wild::folders}, .bytes = end - at + 1};
    }
    return {.token = {.wild = Wild::globstar}, .bytes = end - at};
}

std::vector<Token> tokens_of(std::string_view pattern) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < pattern.size();) {
        if (pattern[i] == '*') {
            const auto stars = stars_at(pattern, i);
            tokens.push_back(stars.token);
            i += stars.bytes;
            continue;
        }
        const auto wild = pattern[i] == '?' ? Wild::one : Wild::literal;
        tokens.push_back({.wild = wild, .literal = pattern[i]});
        ++i;
    }
    return tokens;
}

/// For each offset of the text whether the pattern so far can end there.
using Reach = std::vector<char>;

void after_literal(char literal, const Reach& from, std::string_view text, Reach& to) {
    for (std::size_t j = 0; j < text.size(); ++j) {
        to[j + 1] = from[j] != 0 && text[j] == literal ? 1 : 0;
    }
}

void after_one(const Reach& from, std::string_view text, Reach& to) {
    for (std::size_t j = 0; j < text.size(); ++j) {
        if (from[j] != 0 && text[j] != '/') {
            std::size_t end = j + 1;
            while (end < text.size() && is_continuation(byte_at(text, end))) {
                ++end;
            }
            to[end] = 1;
        }
    }
}

void after_star(bool crosses, const Reach& from, std::string_view text, Reach& to) {
    bool running = false; // a star that started to the left of here
    for (std::size_t j = 0; j <= text.size(); ++j) {
        running = running && (crosses || text[j - 1] != '/');
        running = running || from[j] != 0;
        to[j] = running ? 1 : 0;
    }
}

void after_folders(const Reach& from, std::string_view text, Reach& to) {
    bool running = false;
    for (std::size_t j = 0; j <= text.size(); ++j) {
        to[j] = from[j] != 0 || (running && text[j - 1] == '/') ? 1 : 0;
        running = running || from[j] != 0;
    }
}

Reach reach_after(Token token, const Reach& from, std::string_view text) {
    Reach to(text.size() + 1, 0);
    switch (token.wild) {
    case Wild::literal:
        after_literal(token.literal, from, text, to);
        break;
    case Wild::one:
        after_one(from, text, to);
        break;
    case Wild::star:
        after_star(false, from, text, to);
        break;
    case Wild::globstar:
        after_star(true, from, text, to);
        break;
    case Wild::folders:
        after_folders(from, text, to);
        break;
    }
    return to;
}

} // namespace

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n\f\v";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string inert(std::string_view text) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto c = code_point_at(text, at);
        const auto bytes = std::max<std::size_t>(c.bytes, 1);
        if (at + bytes > kInertBytesMax) {
            return out + "…";
        }
        if (c.bytes == 0 || is_unsafe(c.value)) {
            for (const char byte : text.substr(at, bytes)) {
                fmt::format_to(
                    std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(byte)
                );
            }
        } else {
            out += text.substr(at, bytes);
        }
        at += bytes;
    }
    return out;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    std::int64_t value = 0;
    for (const char c : text) {
        const std::int64_t digit = c - '0';
        if (c < '0' || c > '9' || value > (kMost - digit) / 10) {
            return std::nullopt;
        }
        value = value * 10 + digit;
    }
    return text.empty() ? std::nullopt : std::optional(value);
}

std::optional<std::size_t> broken_utf8_at(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto c = code_point_at(text, at);
        if (c.bytes == 0) {
            return at;
        }
        at += c.bytes;
    }
    return std::nullopt;
}

std::string_view cut_to(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) {
        return text;
    }
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    while (bytes > 0 && continues(text[bytes])) {
        --bytes;
    }
    return text.substr(0, bytes);
}

std::optional<std::string_view>
nearest(std::string_view word, std::span<const std::string_view> candidates) {
    std::optional<std::string_view> best;
    auto best_distance = std::numeric_limits<std::size_t>::max();
    if (word.empty() || word.size() > kNearestBytesMax) {
        return best;
    }
    const std::string small = lower(word);
    for (const auto candidate : candidates) {
        const auto longer = std::max(word.size(), candidate.size());
        const auto steps = distance(small, lower(candidate));
        const auto allowed = std::max<std::size_t>(1, longer / 3);
        if (steps <= allowed && steps < longer && steps < best_distance) {
            best = candidate;
            best_distance = steps;
        }
    }
    return best;
}

bool glob_matches(std::string_view pattern, std::string_view text) {
    Reach reached(text.size() + 1, 0);
    reached[0] = 1;
    for (const auto token : tokens_of(pattern)) {
        reached = reach_after(token, reached, text);
    }
    return reached[text.size()] != 0;
}

} // namespace baton
