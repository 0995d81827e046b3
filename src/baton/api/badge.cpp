#include "baton/api/badge.hpp"

#include "baton/domain/allowlist.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/wire/badge.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace baton::api {

namespace {

constexpr double kGood = 0.9;
constexpr double kPoor = 0.5;

std::string_view colour_of(const domain::Rate& rate) {
    if (!rate.value || rate.few()) {
        return wire::kBadgeGrey;
    }
    return *rate.value >= kGood   ? wire::kBadgeGood
           : *rate.value >= kPoor ? wire::kBadgeFair
                                  : wire::kBadgePoor;
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
    return wire::draw({.left = left, .right = words_of(rate), .colour = colour_of(rate)});
}

} // namespace baton::api
