#include "baton/wire/badge.hpp"

#include "baton/base/markup.hpp"
#include "baton/quality/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace baton::wire {

namespace {

constexpr std::size_t kLetter = 7; // pixels, about: the text is laid out to the width it is given
constexpr std::size_t kMargin = 12;

std::size_t width_of(std::string_view text) {
    const auto letters = std::ranges::count_if(text, [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    });
    return (static_cast<std::size_t>(letters) * kLetter) + kMargin;
}

std::string_view colour_of(const quality::BadgeWords& words) {
    if (words.stale) {
        return kBadgeGrey;
    }
    return words.best ? kBadgeGood : words.rank > 0 ? kBadgeFair : kBadgePlain;
}

} // namespace

std::string draw(const Badge& badge) {
    const auto wide_left = width_of(badge.left);
    const auto wide_right = width_of(badge.right);
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="20" role="img" aria-label="{1}: {2}">)"
        R"(<title>{1}: {2}</title>)"
        R"(<rect width="{3}" height="20" fill="#24292f"/><rect x="{3}" width="{4}" height="20" fill="{5}"/>)"
        R"(<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">)"
        R"(<text x="6" y="14" textLength="{6}">{1}</text><text x="{7}" y="14" textLength="{8}">{2}</text></g></svg>)",
        wide_left + wide_right,
        inert_markup(badge.left),
        inert_markup(badge.right),
        wide_left,
        wide_right,
        badge.colour,
        wide_left - kMargin,
        wide_left + 6,
        wide_right - kMargin
    );
}

std::string draw_platform(const quality::BadgeWords& words) {
    return draw({.left = words.left, .right = words.right, .colour = colour_of(words)});
}

} // namespace baton::wire
