#include "baton/sim/api_limits.hpp"

#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::sim {

namespace {

constexpr std::chrono::minutes kMinute{1};
constexpr std::chrono::hours kHour{1};
/// What was on its way when somebody was told to wait is not held against them.
constexpr std::chrono::seconds kOnItsWay{1};

std::int64_t points_of(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS" ? 1 : 5;
}

} // namespace

LimitRules LimitRules::published() {
    return {
        .concurrent = 100,
        .points_per_minute = 900,
        .content_per_minute = 80,
        .content_per_hour = 500,
        .content_routes = {"create_comment", "create_pull"},
    };
}

std::string_view name_of(LimitKind kind) {
    switch (kind) {
    case LimitKind::primary:
        return "primary";
    case LimitKind::concurrent:
        return "concurrent";
    case LimitKind::points:
        return "points";
    case LimitKind::content:
        return "content";
    case LimitKind::fault:
        return "fault";
    }
    return "";
}

std::optional<ApiLimits::Refusal> ApiLimits::enter(const LimitedAsk& ask) {
    auto& party = parties_[ask.who];
    count_if_warned(party, ask.now);
    const auto& notice = party.notice;
    if (notice && notice->enforced && ask.now < notice->told.until) {
        ++counts_.answers[notice->told.kind];
        return notice->told;
    }
    if (const auto refusal = over_limit(party, ask)) {
        remember(party, {.told = *refusal, .at = ask.now, .enforced = true});
        return refusal;
    }
    ++party.under_way;
    counts_.concurrent_peak = std::max(counts_.concurrent_peak, party.under_way);
    return std::nullopt;
}

void ApiLimits::leave(InstallationId who) {
    --parties_[who].under_way;
}

void ApiLimits::note(InstallationId who, Refusal told, TimePoint now) {
    auto& party = parties_[who];
    count_if_warned(party, now);
    remember(party, {.told = told, .at = now, .enforced = false});
}

void ApiLimits::reset() {
    rules_ = {};
    counts_ = {};
    for (auto& [who, party] : parties_) {
        const auto under_way = party.under_way;
        party = {};
        party.under_way = under_way;
    }
}

/// Spends from every window, or from none when one of them is empty.
std::optional<ApiLimits::Refusal> ApiLimits::over_limit(Party& party, const LimitedAsk& ask) const {
    const auto is_over = [&](Window& window, std::int64_t cost, std::int64_t most, auto length) {
        if (window.ends <= ask.now) {
            window = {.ends = ask.now + length};
        }
        return window.used + cost > most;
    };
    if (rules_.concurrent && party.under_way >= *rules_.concurrent) {
        return Refusal{.kind = LimitKind::concurrent, .until = ask.now + kMinute};
    }
    const auto cost = points_of(ask.method);
    auto& points = party.points[std::string(ask.route)];
    if (rules_.points_per_minute && is_over(points, cost, *rules_.points_per_minute, kMinute)) {
        return Refusal{.kind = LimitKind::points, .until = points.ends};
    }
    const std::int64_t pieces = rules_.content_routes.contains(ask.route) ? 1 : 0;
    auto& minute = party.content_minute;
    if (rules_.content_per_minute && is_over(minute, pieces, *rules_.content_per_minute, kMinute)) {
        return Refusal{.kind = LimitKind::content, .until = minute.ends};
    }
    auto& hour = party.content_hour;
    if (rules_.content_per_hour && is_over(hour, pieces, *rules_.content_per_hour, kHour)) {
        return Refusal{.kind = LimitKind::content, .until = hour.ends};
    }
    points.used += cost;
    minute.used += pieces;
    hour.used += pieces;
    return std::nullopt;
}

void ApiLimits::remember(Party& party, Notice notice) {
    ++counts_.answers[notice.told.kind];
    const bool told_before = party.notice && notice.at < party.notice->told.until;
    if (told_before) {
        notice.at = party.notice->at; // repeating a notice gives nobody more time to notice
    }
    party.notice = notice;
}

void ApiLimits::count_if_warned(const Party& party, TimePoint now) {
    const auto& notice = party.notice;
    if (notice && now > notice->at + kOnItsWay && now < notice->told.until) {
        ++counts_.while_limited;
    }
}

} // namespace baton::sim
