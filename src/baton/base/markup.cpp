#include "baton/base/markup.hpp"

#include "baton/base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace baton {

std::string inert_whole(std::string_view text) {
    constexpr std::size_t kPiece = 160; // bytes; `inert` takes that much without cutting
    std::string out;
    while (!text.empty()) {
        const auto piece = std::max<std::size_t>(1, cut_to(text, kPiece).size());
        out += inert(text.substr(0, piece));
        text.remove_prefix(piece);
    }
    return out;
}

std::string inert_markup(std::string_view text) {
    std::string out;
    for (const char c : inert_whole(text)) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

} // namespace baton
