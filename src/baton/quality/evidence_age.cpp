#include "baton/quality/evidence_age.hpp"

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace baton::quality {

namespace {

constexpr std::array<std::pair<std::string_view, int>, 4> kDays{{
    {"ci-metric", 30},
    {"issue-query", 30},
    {"url", 180},
    {"statement", 365},
}};

} // namespace

std::optional<Day> day_of(const Evidence& evidence) {
    if (evidence.captured) {
        return evidence.captured;
    }
    return evidence.window ? std::optional(evidence.window->to) : std::nullopt;
}

int max_age_days(const Evidence& evidence, const Item& item) {
    if (item.evidence.max_age_days > 0) {
        return item.evidence.max_age_days;
    }
    const auto* const found =
        std::ranges::find(kDays, evidence.type, &std::pair<std::string_view, int>::first);
    return found == kDays.end() ? 0 : found->second;
}

} // namespace baton::quality
