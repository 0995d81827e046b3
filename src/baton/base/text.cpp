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

/// `**/` at the start of a path part stands for any number of folders, none included.
std::vector<Token> tokens_of(std::string_view pattern) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '?') {
            tokens.push_back({.wild = Wild::one});
        } else if (pattern[i] != '*') {
            tokens.push_back({.wild = Wild::literal, .literal = pattern[i]});
        } else {
            const bool part_starts = i == 0 || pattern[i - 1] == '/';
            std::size_t end = i;
            while (end < pattern.size() && pattern[end] == '*') {
                ++end;
            }
            const bool twice = end - i >= 2;
            const bool folders =
                twice && part_starts && end < pattern.size() && pattern[end] == '/';
            tokens.push_back(
                {.wild = folders ? Wild::folders
                         : twice ? Wild::globstar
                                 : Wild::star}
            );
            i = folders ? end : end - 1;
        }
    }
    return tokens;
}

/// Which ends of `text` can be reached after `token`, given those that could be reached before it.
std::vector<char> reach_after(Token token, const std::vector<char>& from, std::string_view text) {
    std::vector<char> to(text.size() + 1, 0);
    char open = 0; // a star that started somewhere to the left is still running
    for (std::size_t j = 0; j <= text.size(); ++j) {
        const bool more = j < text.size();
        switch (token.wild) {
        case Wild::literal:
            if (from[j] != 0 && more && text[j] == token.literal) {
                to[j + 1] = 1;
            }
            break;
        case Wild::one:
            if (from[j] != 0 && more && text[j] != '/') {
                std::size_t end = j + 1;
                while (end < text.size() && is_continuation(byte_at(text, end))) {
                    ++end;
                }
                to[end] = 1;
            }
            break;
        case Wild::star:
        case Wild::globstar:
            open = open != 0 || from[j] != 0 ? 1 : 0;
            to[j] = open;
            if (token.wild == Wild::star && more && text[j] == '/') {
                open = 0;
            }
            break;
        case Wild::folders:
            to[j] = from[j] != 0 || (open != 0 && j > 0 && text[j - 1] == '/') ? 1 : 0;
            open = open != 0 || from[j] != 0 ? 1 : 0;
            break;
        }
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
    std::vector<char> reached(text.size() + 1, 0);
    reached[0] = 1;
    for (const auto token : tokens_of(pattern)) {
        reached = reach_after(token, reached, text);
    }
    return reached[text.size()] != 0;
}

} // namespace baton
