#include "baton/wire/cut_text.hpp"

#include "baton/base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace baton::wire {

namespace {

constexpr std::string_view kMark = " [cut]";
constexpr std::string_view kMiddleMark = "\n[cut]\n";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr unsigned kContinuationMask = 0xC0;
constexpr unsigned kContinuation = 0x80;

bool continues_character(char byte) {
    return (static_cast<unsigned char>(byte) & kContinuationMask) == kContinuation;
}

/// The text as UTF-8, each byte that is none of it replaced.
std::string mended(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (const auto broken = broken_utf8_at(text)) {
        out += text.substr(0, *broken);
        out += kReplacement;
        text.remove_prefix(*broken + 1);
    }
    out += text;
    return out;
}

std::string_view last_bytes(std::string_view text, std::size_t bytes_max) {
    auto begin = text.size() - std::min(bytes_max, text.size());
    while (begin < text.size() && continues_character(text[begin])) {
        ++begin;
    }
    return text.substr(begin);
}

} // namespace

std::string cut_end(std::string_view text, std::size_t bytes_max) {
    // A byte more than fits tells that something is cut; the rest need not be looked at.
    const auto whole = mended(text.substr(0, bytes_max + 1));
    if (whole.size() <= bytes_max) {
        return whole;
    }
    const auto mark = kMark.substr(0, bytes_max);
    return std::string(cut_to(whole, bytes_max - mark.size())) + std::string(mark);
}

std::string cut_middle(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) {
        if (auto whole = mended(text); whole.size() <= bytes_max) {
            return whole;
        }
    }
    if (bytes_max <= kMiddleMark.size()) {
        return cut_end(text, bytes_max);
    }
    const auto room = bytes_max - kMiddleMark.size();
    const auto head = mended(text.substr(0, room));
    const auto tail = mended(text.substr(text.size() - std::min(room, text.size())));
    std::string out(cut_to(head, room / 2));
    out += kMiddleMark;
    out += last_bytes(tail, room - room / 2);
    return out;
}

} // namespace baton::wire
