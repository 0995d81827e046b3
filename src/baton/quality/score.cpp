#include "baton/quality/score.hpp"

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/item_score.hpp"
#include "baton/quality/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace baton::quality {

namespace {

int threshold_of(const Requirement& require, int total, Rounding rounding) {
    const int by_percent = require.percent ? least_points(*require.percent, total, rounding) : 0;
    return std::max(by_percent, require.points.value_or(0));
}

bool reaches(const CriteriaSet& set, const Level& level, const Reached& reached) {
    const auto& require = level.require;
    if (reached.points < threshold_of(require, reached.total, reached.rounding)) {
        return false;
    }
    return std::ranges::none_of(reached.open, [&](const std::string& id) {
        const auto* const item = set.find(id);
        return std::ranges::find(require.items, id) != require.items.end() ||
               (item != nullptr && require.all_priority == item->priority);
    });
}

/// Items that apply and are not whole, by what is proven or by what might be.
std::vector<std::string> open_items(const std::vector<ItemScore>& items, int ItemScore::* points) {
    std::vector<std::string> open;
    for (const auto& item : items) {
        if (item.state != State::exempt && item.*points < item.max) {
            open.push_back(item.id);
        }
    }
    return open;
}

ReadingScore read_score(const CriteriaSet& set, const Score& score, Reading reading) {
    ReadingScore out{
        .reading = reading, .total = std::max(0, set.total(base_of(reading)) - score.exempt)
    };
    Reached reached{
        .points = score.proven,
        .total = out.total,
        .rounding = rounding_of(reading),
        .open = open_items(score.items, &ItemScore::proven)
    };
    out.level = level_of(set, reached);
    reached.points = score.potential;
    reached.open = open_items(score.items, &ItemScore::potential);
    out.potential_level = level_of(set, reached);
    for (const auto& level : set.levels) {
        if (level.require.percent || level.require.points) {
            out.thresholds.push_back(
                {.rank = level.rank,
                 .points = threshold_of(level.require, out.total, reached.rounding)}
            );
        }
    }
    return out;
}

void add_up(const CriteriaSet& set, Score& score) {
    for (const auto& section : set.sections) {
        score.sections.push_back({.id = section.id, .title = section.title});
    }
    for (const auto& item : score.items) {
        score.proven += item.proven;
        score.potential += item.potential;
        score.max += item.max;
        score.exempt += item.exempt;
        const auto section = std::ranges::find(score.sections, item.section, &SectionScore::id);
        if (section != score.sections.end()) {
            section->proven += item.proven;
            section->potential += item.potential;
            section->max += item.max;
            section->exempt += item.exempt;
        }
        if (item.priority == Priority::p0) {
            ++score.p0.total;
            if (item.proven < item.max) {
                score.p0.open.push_back(item.id);
            } else {
                ++score.p0.met;
            }
        }
        const auto& warning = set.find(item.id)->while_open;
        if (!warning.empty() && item.proven < item.max) {
            score.warnings.push_back({.item = item.id, .text = warning});
        }
    }
}

} // namespace

std::string_view name_of(State state) {
    switch (state) {
    case State::met:
        return "met";
    case State::partial:
        return "partial";
    case State::unmet:
        return "unmet";
    case State::unknown:
        return "unknown";
    case State::exempt:
        return "exempt";
    case State::unproven:
        return "unproven";
    case State::insufficient:
        return "insufficient";
    }
    return "";
}

int level_of(const CriteriaSet& set, const Reached& reached) {
    for (const auto& level : set.levels) {
        if (reaches(set, level, reached)) {
            return level.rank;
        }
    }
    return 0;
}

Score score(const CriteriaSet& set, const Assessment& assessment, const ScoreOptions& options) {
    Score out;
    const ClaimRules rules{.exempt = options.exempt.value_or(set.exempt), .draft = options.draft};
    for (const auto& item : set.items) {
        out.items.push_back(score_item(item, assessment, rules));
    }
    add_up(set, out);
    out.reading = options.reading.value_or(assessment.reading.value_or(set.reading));
    for (const auto reading : kReadings) {
        out.readings.push_back(read_score(set, out, reading));
        const auto& read = out.readings.back();
        if (reading == out.reading) {
            out.level = read.level;
            out.potential_level = read.potential_level;
        }
        if (read.level != out.readings.front().level) {
            out.reading_sensitive = true;
        }
    }
    return out;
}

std::string percent_text(int points, int total) {
    if (total <= 0) {
        return fmt::format("{} of {}", points, total);
    }
    constexpr int kPerMille = 1000;
    constexpr int kTen = 10;
    const int tenths = points * kPerMille / total;
    return fmt::format("{}.{} % of {}", tenths / kTen, tenths % kTen, total);
}

} // namespace baton::quality
