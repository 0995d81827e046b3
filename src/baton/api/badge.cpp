#include "baton/api/badge.hpp"

#include "baton/domain/allowlist.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/downstream_line.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace baton::api {

namespace {

constexpr double kGood = 0.9;
constexpr double kPoor = 0.5;
constexpr std::size_t kLetter = 7; // pixels, about: the text is laid out to the width it is given
constexpr std::size_t kMargin = 12;

/// Dark enough for white letters.
std::string_view colour_of(const domain::Rate& rate) {
    if (!rate.value || rate.few()) {
        return "#57606a";
    }
    return *rate.value >= kGood ? "#116329" : *rate.value >= kPoor ? "#7d4e00" : "#b3261e";
}

std::string words_of(const domain::Rate& rate) {
    if (!rate.value) {
        return "no results";
    }
    return fmt::format("{:.1f} % of {}", *rate.value * 100, rate.n);
}

} // namespace

std::string badge_of(const hud::DownstreamLine& line) {
    const auto rate = domain::rates_of(line.ended).final_attempt;
    const auto lowered =
        line.listed.lowered_from ? fmt::format(", now {}", domain::name_of(line.listed.level)) : "";
    const auto left =
        fmt::format("baton {}{}", domain::name_of(domain::listed_level(line.listed)), lowered);
    const auto right = words_of(rate);
    const auto wide_left = (left.size() * kLetter) + kMargin;
    const auto wide_right = (right.size() * kLetter) + kMargin;
    const auto wide = wide_left + wide_right;
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="20" role="img" aria-label="{1}: {2}">)"
        R"(<title>{1}: {2}</title>)"
        R"(<rect width="{3}" height="20" fill="#24292f"/><rect x="{3}" width="{4}" height="20" fill="{5}"/>)"
        R"(<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">)"
        R"(<text x="6" y="14" textLength="{6}">{1}</text><text x="{7}" y="14" textLength="{8}">{2}</text></g></svg>)",
        wide,
        left,
        right,
        wide_left,
        wide_right,
        colour_of(rate),
        wide_left - kMargin,
        wide_left + 6,
        wide_right - kMargin
    );
}

} // namespace baton::api
