#include "baton/quality/report.hpp"

#include "baton/base/text.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/profile.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/evidence_age.hpp"
#include "baton/quality/history.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

constexpr int kPermille = 1000;

EvidenceUse use_of(const Item& item, const Evidence& evidence, Day as_of) {
    EvidenceUse use{.evidence = &evidence};
    const auto day = day_of(evidence);
    if (!day) {
        return use;
    }
    use.age_days = static_cast<int>((as_of - *day).count());
    if (const int most = max_age_days(evidence, item); most > 0) {
        use.expires = *day + std::chrono::days(most);
        use.expired = as_of > *use.expires;
    }
    return use;
}

ReportItem item_of(const ReportInput& input, const ItemScore& score) {
    ReportItem out{
        .item = input.set.find(score.id),
        .claim = input.assessment.claim(score.id),
        .score = score,
    };
    if (out.claim == nullptr) {
        return out;
    }
    for (const auto& reference : out.claim->evidence) {
        if (const auto* const evidence = input.assessment.find_evidence(reference.id)) {
            out.evidence.push_back(use_of(*out.item, *evidence, input.as_of));
        }
    }
    return out;
}

/// All evidence that can expire has: the same rule as that of `Gap::expiring`.
bool rests_on_expired(const ReportItem& item) {
    const auto counts = [](const EvidenceUse& use) { return use.expires && !use.expired; };
    return item.score.proven > 0 && std::ranges::any_of(item.evidence, &EvidenceUse::expired) &&
           std::ranges::none_of(item.evidence, counts);
}

/// With the ranks of the releases before it.
Documented documented_of(const ReportInput& input, const CriteriaSet& set, Grade last) {
    std::vector<Grade> grades;
    for (const auto& earlier : input.before) {
        if (earlier.assessment->release < last.release) {
            grades.push_back(
                {.release = earlier.assessment->release,
                 .rank = score(*earlier.set, *earlier.assessment).level}
            );
        }
    }
    grades.push_back(last);
    // Only what is reported can be behind the newest release.
    const auto latest =
        last.release == input.assessment.release ? input.latest : std::optional<Release>();
    const auto points = history(set.history, grades, latest, input.calendar);
    Documented out{.needed = set.history.consecutive};
    for (const auto& point : points | std::views::reverse) {
        if (point.release > last.release) {
            continue;
        }
        if (!point.rank || *point.rank < last.rank) {
            break;
        }
        ++out.in_a_row;
    }
    out.rank = points.back().documented;
    out.stale = points.back().stale;
    return out;
}

/// The one that the assessment names, else the last before it.
const Earlier* previous_of(const ReportInput& input) {
    const Earlier* last = nullptr;
    for (const auto& earlier : input.before) {
        const auto release = earlier.assessment->release;
        if (input.assessment.previous && input.assessment.previous->release == release) {
            return &earlier;
        }
        if (release < input.assessment.release &&
            (last == nullptr || last->assessment->release < release)) {
            last = &earlier;
        }
    }
    return last;
}

std::string asked_of(const Item& item) {
    std::string out;
    for (const auto& step : item.steps) {
        out += fmt::format("{}{}", out.empty() ? "" : ", ", step.percent);
    }
    if (!out.empty()) {
        return out + " %";
    }
    for (const auto& limit : item.automatic ? item.automatic->limits : std::vector<Limit>{}) {
        out += fmt::format(
            "{}{} {} {}",
            out.empty() ? "" : ", ",
            limit.figure,
            name_of(limit.comparison),
            to_text(limit.bound)
        );
    }
    return out;
}

std::optional<MeasuredItem> metric_of(const ReportItem& item) {
    if (item.claim == nullptr || !item.claim->value) {
        return std::nullopt;
    }
    const auto& value = *item.claim->value;
    MeasuredItem out{
        .item = item.item->id,
        .name = item.item->automatic ? item.item->automatic->metric : "",
        .value = to_text(value),
        .asked = asked_of(*item.item),
        .state = item.score.state,
    };
    if (value.num && value.den && *value.num >= 0 && *value.num <= *value.den) {
        out.n = *value.den;
        const auto rate = domain::rate_of(
            static_cast<std::size_t>(*value.num), static_cast<std::size_t>(*value.den)
        );
        if (rate.value) {
            out.permille = static_cast<int>(*value.num * kPermille / *value.den);
            out.low_permille = static_cast<int>(*rate.low * kPermille);
            out.high_permille = static_cast<int>(*rate.high * kPermille);
        }
    }
    return out;
}

std::vector<Interpretation> interpretations_of(const CriteriaSet& set) {
    const auto number = [](const std::string& text) {
        return whole_number(std::string_view(text).substr(1)).value_or(0);
    };
    std::map<std::pair<std::int64_t, std::string>, std::vector<std::string>> sorted;
    for (const auto& item : set.items) {
        for (const auto& name : item.interpretations) {
            if (!name.empty()) {
                sorted[{number(name), name}].push_back(item.id);
            }
        }
    }
    std::vector<Interpretation> out;
    for (auto& [key, items] : sorted) {
        out.push_back({.number = key.second, .items = std::move(items)});
    }
    return out;
}

/// The way to the level above; nothing at the best one.
std::optional<Gap> next_gap(const ReportInput& input, const Score& score) {
    if (input.set.level(score.level + 1) == nullptr) {
        return std::nullopt;
    }
    auto way = gap(input.set, input.assessment, score, score.level + 1);
    return way ? std::optional(*std::move(way)) : std::nullopt;
}

} // namespace

Report make_report(const ReportInput& input) {
    Report report{
        .set = input.set,
        .assessment = input.assessment,
        .as_of = input.as_of,
        .score = score(
            input.set,
            input.assessment,
            {.reading = input.reading, .exempt = std::nullopt, .draft = false}
        ),
    };
    report.documented = documented_of(
        input, input.set, {.release = input.assessment.release, .rank = report.score.level}
    );
    for (const auto& item : report.score.items) {
        report.items.push_back(item_of(input, item));
        if (auto metric = metric_of(report.items.back())) {
            report.metrics.push_back(*std::move(metric));
        }
    }
    report.expired = std::ranges::any_of(report.items, rests_on_expired);
    report.gap = next_gap(input, report.score);
    if (report.gap && input.calendar != nullptr) {
        report.documented.earliest = documented_with(
            *input.calendar, input.assessment.release, input.set.history.consecutive
        );
    }
    if (const auto* const previous = previous_of(input)) {
        const auto scored = score(*previous->set, *previous->assessment);
        const Grade last{.release = previous->assessment->release, .rank = scored.level};
        report.changes = changes(
            {.set = *previous->set,
             .assessment = *previous->assessment,
             .score = scored,
             .documented = documented_of(input, *previous->set, last).rank},
            {.set = input.set,
             .assessment = input.assessment,
             .score = report.score,
             .documented = report.documented.rank}
        );
    }
    report.interpretations = interpretations_of(input.set);
    return report;
}

Scored scored(const Report& report) {
    return {
        .set = report.set,
        .assessment = report.assessment,
        .score = report.score,
        .documented = report.documented.rank,
    };
}

std::optional<int> points_for(const Score& score, Reading reading, int rank) {
    for (const auto& read : score.readings) {
        for (const auto& threshold : read.thresholds) {
            if (read.reading == reading && threshold.rank == rank) {
                return threshold.points;
            }
        }
    }
    return std::nullopt;
}

std::string asked_for(const Level& level, std::optional<int> points) {
    std::vector<std::string> all;
    if (points) {
        all.push_back(fmt::format("{} points", *points));
    }
    if (level.require.all_priority) {
        all.push_back(fmt::format("every {}", name_of(*level.require.all_priority)));
    }
    for (const auto& item : level.require.items) {
        all.push_back(item);
    }
    return all.empty() ? "nothing" : fmt::format("{}", fmt::join(all, " and "));
}

std::optional<BadgeKind> badge_kind_named(std::string_view name) {
    return name == "grade"        ? std::optional(BadgeKind::grade)
           : name == "documented" ? std::optional(BadgeKind::documented)
           : name == "score"      ? std::optional(BadgeKind::score)
                                  : std::nullopt;
}

BadgeWords badge_words(const Report& report, BadgeKind kind) {
    const auto& score = report.score;
    BadgeWords words{.left = "PyTorch platform", .rank = score.level, .stale = report.expired};
    const auto points = fmt::format("{}/{}", score.proven, score.max);
    switch (kind) {
    case BadgeKind::grade:
        words.right = fmt::format(
            "{} {}, P0 {}/{}",
            level_name(report.set, score.level),
            points,
            score.p0.met,
            score.p0.total
        );
        break;
    case BadgeKind::documented:
        words.left = "documented";
        words.rank = report.documented.rank;
        words.stale = report.expired || report.documented.stale;
        words.right = level_name(report.set, words.rank);
        break;
    case BadgeKind::score:
        words.left = "quality points";
        words.right = points;
        break;
    }
    words.best = report.set.level(words.rank + 1) == nullptr;
    const auto* const sign = words.best ? "●" : words.rank > 0 ? "◐" : "○";
    words.right = words.stale ? fmt::format("✕ stale: {}", words.right)
                              : fmt::format("{} {}", sign, words.right);
    return words;
}

} // namespace baton::quality
