#include "baton/hud/trends.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/figures.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/views.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

const ports::DaysView*
days_of(const std::vector<ports::DaysView>& all, const DownstreamLine& line) {
    const auto found = std::ranges::find_if(all, [&line](const ports::DaysView& days) {
        return days.upstream == line.upstream && days.downstream == line.listed.repo;
    });
    return found == all.end() ? nullptr : &*found;
}

std::optional<double> change_of(const domain::Rate& now, const domain::Rate& before) {
    if (now.few() || before.few() || !now.value || !before.value) {
        return std::nullopt;
    }
    return *now.value - *before.value;
}

/// Adds to `by_day` what ended in the window.
TrendLine line_of(
    const DownstreamLine& line,
    const ports::DaysView& days,
    const Window& window,
    std::map<TimePoint, TrendDay>& by_day
) {
    TrendLine trend{
        .upstream = line.upstream,
        .repo = line.listed.repo,
        .level = domain::listed_level(line.listed)
    };
    domain::Ended before;
    for (const auto& day : days.days) {
        if (day.day < window.days.from) {
            before = before + day.ended;
            continue;
        }
        trend.ended = trend.ended + day.ended;
        trend.silent += day.silent;
        auto& sum = by_day[day.day];
        sum.day = day.day;
        sum.ended = sum.ended + day.ended;
        sum.silent += day.silent;
    }
    trend.before = domain::rates_of(before).final_attempt;
    trend.change = change_of(domain::rates_of(trend.ended).final_attempt, trend.before);
    return trend;
}

} // namespace

ports::ViewWindow with_as_many_before(const Window& window) {
    const auto& days = window.days;
    return {.from = days.from - (days.until - days.from), .until = days.until};
}

Trends trends_of(TrendFacts facts) {
    Trends trends;
    std::map<TimePoint, TrendDay> by_day;
    for (const auto& line : facts.lines) {
        if (const auto* days = days_of(facts.days, line)) {
            trends.lines.push_back(line_of(line, *days, facts.window, by_day));
        }
    }
    for (auto& [day, times] : facts.times) {
        if (const auto found = by_day.find(day); found != by_day.end()) {
            found->second.queue = domain::spread_of(std::move(times.queue));
            found->second.run = domain::spread_of(std::move(times.run));
        }
    }
    for (auto& [day, sum] : by_day) {
        trends.days.push_back(std::move(sum));
    }
    std::ranges::sort(trends.lines, {}, [](const TrendLine& line) {
        return std::tuple(line.change.value_or(0.0), line.upstream, line.repo);
    });
    trends.window = std::move(facts.window);
    return trends;
}

} // namespace baton::hud
