#include "baton/quality/assessment.hpp"

#include "baton/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::quality {

std::string to_text(Day day) {
    const std::chrono::year_month_day date(day);
    return fmt::format(
        "{:04}-{:02}-{:02}",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day())
    );
}

std::optional<Day> parse_day(std::string_view text) {
    constexpr std::size_t kBytes = 10;
    constexpr std::size_t kMonthAt = 5;
    constexpr std::size_t kDayAt = 8;
    if (text.size() != kBytes || text[kMonthAt - 1] != '-' || text[kDayAt - 1] != '-') {
        return std::nullopt;
    }
    const auto year = whole_number(text.substr(0, kMonthAt - 1));
    const auto month = whole_number(text.substr(kMonthAt, 2));
    const auto day = whole_number(text.substr(kDayAt, 2));
    if (!year || !month || !day) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date(
        std::chrono::year(static_cast<int>(*year)),
        std::chrono::month(static_cast<unsigned>(*month)),
        std::chrono::day(static_cast<unsigned>(*day))
    );
    return date.ok() ? std::optional(Day(date)) : std::nullopt;
}

std::string to_text(Release release) {
    return fmt::format("{}.{}", release.major, release.minor);
}

std::optional<Release> parse_release(std::string_view text) {
    constexpr std::int64_t kMost = 999;
    const auto dot = text.find('.');
    if (dot == std::string_view::npos) {
        return std::nullopt;
    }
    const auto major = whole_number(text.substr(0, dot));
    const auto minor = whole_number(text.substr(dot + 1));
    if (!major || !minor || *major > kMost || *minor > kMost) {
        return std::nullopt;
    }
    return Release{.major = static_cast<int>(*major), .minor = static_cast<int>(*minor)};
}

std::string_view name_of(ClaimKind kind) {
    switch (kind) {
    case ClaimKind::met:
        return "met";
    case ClaimKind::unmet:
        return "unmet";
    case ClaimKind::partial:
        return "partial";
    case ClaimKind::measured:
        return "measured";
    case ClaimKind::unknown:
        return "unknown";
    case ClaimKind::exempt:
        return "exempt";
    }
    return "";
}

std::string_view name_of(ProcessStep step) {
    switch (step) {
    case ProcessStep::proposal:
        return "proposal";
    case ProcessStep::working_group_review:
        return "working-group-review";
    case ProcessStep::council_review:
        return "council-review";
    case ProcessStep::maintainers_decision:
        return "maintainers-decision";
    case ProcessStep::documentation:
        return "documentation";
    }
    return "";
}

std::string_view name_of(Support support) {
    switch (support) {
    case Support::none:
        return "none";
    case Support::partial:
        return "partial";
    case Support::full:
        return "full";
    }
    return "";
}

const Claim* Assessment::claim(std::string_view item) const {
    const auto found = std::ranges::find(claims, item, &Claim::item);
    return found == claims.end() ? nullptr : &*found;
}

const Evidence* Assessment::find_evidence(std::string_view id) const {
    const auto found = std::ranges::find(evidence, id, &Evidence::id);
    return found == evidence.end() ? nullptr : &*found;
}

} // namespace baton::quality
