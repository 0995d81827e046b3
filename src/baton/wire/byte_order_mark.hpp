#pragma once

#include <string_view>

namespace baton::wire {

/// What some editors put before a text: the mark, or nothing where there is none.
constexpr std::string_view byte_order_mark(std::string_view text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    return text.starts_with(kMark) ? kMark : std::string_view{};
}

} // namespace baton::wire
