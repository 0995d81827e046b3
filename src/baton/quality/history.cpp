#include "baton/quality/history.hpp"

#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/quality/criteria.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace baton::quality {

namespace {

using Grades = std::map<Release, int>;

/// The release behind `current`, on the way to `known`, which is a later one.
Release next_of(Release current, Release known, const Calendar* calendar) {
    const auto listed = calendar == nullptr ? std::nullopt : calendar->after(current);
    if (listed && *listed <= known) {
        return *listed;
    }
    // How many minors a major had is not known: after its last known one comes X.0.
    return known.major > current.major
               ? Release{.major = known.major, .minor = 0}
               : Release{.major = current.major, .minor = current.minor + 1};
}

/// Every minor release from the first grade to `last`.
std::vector<Release> releases_of(const Grades& grades, Release last, const Calendar* calendar) {
    std::vector<Release> all;
    auto current = grades.begin()->first;
    while (current <= last) {
        all.push_back(current);
        const auto next = grades.upper_bound(current);
        current = next_of(current, next == grades.end() ? last : next->first, calendar);
    }
    return all;
}

std::optional<int>
rank_of(const Grades& grades, Release release, Missing missing, std::optional<int> before) {
    if (const auto found = grades.find(release); found != grades.end()) {
        return found->second;
    }
    switch (missing) {
    case Missing::break_pair:
        return std::nullopt;
    case Missing::carry:
        return before;
    case Missing::fail:
        return 0;
    }
    return std::nullopt;
}

} // namespace

std::vector<HistoryPoint> history(
    const HistoryRule& rule,
    std::span<const Grade> grades,
    std::optional<Release> latest,
    const Calendar* calendar
) {
    Grades known;
    for (const auto& grade : grades) {
        known[grade.release] = grade.rank;
    }
    if (known.empty()) {
        return {};
    }
    const auto last = std::max(known.rbegin()->first, latest.value_or(Release{}));
    std::vector<HistoryPoint> points;
    std::vector<int> row; // grades since the last release without one
    int documented = 0;
    std::optional<int> before;
    for (const auto release : releases_of(known, last, calendar)) {
        const auto rank = rank_of(known, release, rule.missing, before);
        before = rank;
        if (!rank) {
            row.clear();
        } else {
            row.push_back(*rank);
        }
        const auto needed = static_cast<std::size_t>(std::max(rule.consecutive, 1));
        if (row.size() >= needed) {
            const auto [low, high] = std::ranges::minmax(std::span(row).last(needed));
            documented = std::clamp(documented, low, high);
        }
        const auto graded = known.find(release);
        points.push_back(
            {.release = release,
             .rank = graded == known.end() ? std::nullopt : std::optional(graded->second),
             .documented = documented,
             .stale = !rank.has_value()}
        );
    }
    return points;
}

} // namespace baton::quality
