#include "baton/api/badge.hpp"

#include "baton/domain/allowlist.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/wire/badge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace baton::api {

namespace {

std::string_view colour_of(const domain::Rate& rate) {
    if (!rate.value || rate.few()) {
        return wire::kBadgeGrey;
    }
    return *rate.value >= kRateGood   ? wire::kBadgeGood
           : *rate.value >= kRatePoor ? wire::kBadgeFair
                                      : wire::kBadgePoor;
}

/// 100 % only when nothing failed, 0 % only when nothing passed, as the pages write it.
std::string percent(double value) {
    const auto tenths = std::lround(value * 1000);
    const auto shown = value <= 0 ? 0 : value >= 1 ? 1000 : std::clamp(tenths, 1L, 999L);
    return shown == 1000 ? "100 %" : fmt::format("{}.{} %", shown / 10, shown % 10);
}

std::string words_of(const domain::Rate& rate) {
    if (!rate.value) {
        return "no results";
    }
    return fmt::format("{} of {}", percent(*rate.value), rate.n);
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
