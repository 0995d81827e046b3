#include "baton/domain/markdown.hpp"

#include "baton/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";    // U+2026
constexpr std::string_view kBrokenBar = "\xC2\xA6";       // U+00A6, for what parts the cells
constexpr std::string_view kCut = "\n\n*The rest was cut: it is longer than GitHub takes.*\n";

struct Character {
    std::uint32_t value{0};
    std::string_view bytes;
};

/// The first character of well-formed UTF-8.
Character first_of(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80U ? 1 : lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
    std::uint32_t value = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        value = (value << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    return {.value = value, .bytes = text.substr(0, length)};
}

/// Moves a cursor, turns the reading direction, or is there without being seen.
bool is_unseen(std::uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
           (c >= 0xE0000 && c <= 0xE0FFF);
}

std::string_view harmless(const Character& character) {
    switch (character.value) {
    case '\t':
    case '\n':
    case '\r':
        return " ";
    case '`':
        return "'";
    case '|':
        return kBrokenBar;
    default:
        return is_unseen(character.value) ? kReplacement : character.bytes;
    }
}

/// At most `most` characters, each one harmless inside code.
std::string harmless(std::string_view text, std::size_t most) {
    std::string out;
    auto broken = broken_utf8_at(text).value_or(text.size());
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) {
        if (count == most) {
            return out.append(kEllipsis);
        }
        if (at == broken) {
            out += kReplacement;
            ++at;
            broken = at + broken_utf8_at(text.substr(at)).value_or(text.size() - at);
            continue;
        }
        const auto character = first_of(text.substr(at));
        out += harmless(character);
        at += character.bytes.size();
    }
    return out;
}

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_plain(std::string_view text) {
    constexpr std::string_view kPunctuation = " .,:;()'\"%+-/?=";
    const bool known = std::ranges::all_of(text, [&](char c) {
        return is_letter_or_digit(c) || kPunctuation.find(c) != std::string_view::npos;
    });
    constexpr std::array<std::string_view, 3> kAddresses{"www.", "://", "gh-"};
    const auto small = lower(text);
    return known && std::ranges::none_of(kAddresses, [&](std::string_view address) {
               return small.find(address) != std::string::npos;
           });
}

/// What GitHub may take for a commit: seven hexadecimal digits or more in one word.
bool names_commit(std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdefABCDEF";
    std::size_t run = 0;
    for (const char c : text) {
        run = kHex.find(c) == std::string_view::npos ? 0 : run + 1;
        if (run == 7) {
            return true;
        }
    }
    return false;
}

/// Who sees the link shall see where it leads: no "https://github.com@elsewhere".
bool shows_host(std::string_view after_scheme) {
    const auto authority = after_scheme.substr(0, after_scheme.find_first_of("/?#"));
    return !authority.empty() && authority.find_first_of("@\\") == std::string_view::npos;
}

} // namespace

std::string inert_markdown(std::string_view text, std::size_t most) {
    const auto inside = harmless(trimmed(text), most);
    return inside.empty() ? "`(empty)`" : fmt::format("`{}`", inside);
}

std::string inert_sentence(std::string_view text, std::size_t most) {
    return text.size() <= most && is_plain(text) && !names_commit(text)
               ? std::string(text)
               : inert_markdown(text, most);
}

std::optional<std::string> link_to(std::string_view words, std::string_view url) {
    const auto small = lower(url.substr(0, 8));
    const std::size_t scheme = small == "https://" ? 8 : small.starts_with("http://") ? 7 : 0;
    const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; };
    if (scheme == 0 || !shows_host(url.substr(scheme)) || std::ranges::any_of(url, is_blank)) {
        return std::nullopt;
    }
    std::string target;
    for (const char c : url) {
        constexpr std::string_view kKept = "-._~:/?#@!$,;=%+";
        if (c == '&') {
            target += "&amp;"; // "&copy;" is a character to Markdown, also in a link
        } else if (is_letter_or_digit(c) || kKept.find(c) != std::string_view::npos) {
            target += c;
        } else {
            target += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return fmt::format("[{}]({})", words, target);
}

std::string cut_lines(std::string text, std::size_t most) {
    if (text.size() <= most) {
        return text;
    }
    const auto room = most - std::min(most, kCut.size());
    const auto end = text.rfind('\n', room);
    text.resize(end == std::string::npos || end > room ? 0 : end);
    return text.append(kCut);
}

} // namespace baton::domain
