#include "baton/wire/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace baton::wire {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

bool is_continuation(unsigned char byte) {
    return (byte & 0xC0U) == 0x80U;
}

/// How a sequence of UTF-8 that starts with some byte has to go on: its length, and the range of
/// its second byte, which keeps out overlong forms, surrogates and what lies beyond U+10FFFF.
struct Shape {
    std::size_t length{0}; // 0: no sequence starts like this
    unsigned char second_min{0x80};
    unsigned char second_max{0xBF};
};

Shape shape_of(unsigned char lead) {
    if (lead >= 0xC2 && lead <= 0xDF) {
        return {.length = 2};
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        return {
            .length = 3,
            .second_min = static_cast<unsigned char>(lead == 0xE0 ? 0xA0 : 0x80),
            .second_max = static_cast<unsigned char>(lead == 0xED ? 0x9F : 0xBF),
        };
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        return {
            .length = 4,
            .second_min = static_cast<unsigned char>(lead == 0xF0 ? 0x90 : 0x80),
            .second_max = static_cast<unsigned char>(lead == 0xF4 ? 0x8F : 0xBF),
        };
    }
    return {};
}

/// The length of the sequence at the front of `text`; 0 when it is broken.
std::size_t sequence_length(std::string_view text) {
    const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto shape = shape_of(byte_at(0));
    if (shape.length == 0 || text.size() < shape.length) {
        return 0;
    }
    if (byte_at(1) < shape.second_min || byte_at(1) > shape.second_max) {
        return 0;
    }
    for (std::size_t i = 2; i < shape.length; ++i) {
        if (!is_continuation(byte_at(i))) {
            return 0;
        }
    }
    return shape.length;
}

bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void append_escaped(std::string& out, char c) {
    switch (c) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    default: // of char, not of an enum of ours
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
}

/// The index behind the closing quote of the string that starts at `quote`.
std::size_t end_of_string(std::string_view json, std::size_t quote) {
    auto i = quote + 1;
    while (i < json.size() && json[i] != '"') {
        i += json[i] == '\\' ? 2 : 1;
    }
    return std::min(i + 1, json.size());
}

} // namespace

void append_json_quoted(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const auto plain =
            static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
        out.append(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty()) {
            break;
        }
        if (static_cast<unsigned char>(text.front()) < 0x80) {
            append_escaped(out, text.front());
            text.remove_prefix(1);
            continue;
        }
        const auto length = sequence_length(text);
        out.append(length == 0 ? kReplacement : text.substr(0, length));
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    out += '"';
}

std::string json_quoted(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 2);
    append_json_quoted(out, text);
    return out;
}

std::string minified(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    std::size_t i = 0;
    while (i < json.size()) {
        const auto next = std::min(json.find_first_of(" \t\r\n\"", i), json.size());
        out.append(json.substr(i, next - i));
        i = next;
        if (i < json.size() && json[i] == '"') {
            const auto end = end_of_string(json, i);
            out.append(json.substr(i, end - i));
            i = end;
        } else {
            ++i;
        }
    }
    return out;
}

} // namespace baton::wire
