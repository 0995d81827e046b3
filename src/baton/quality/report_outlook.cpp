// The chapters about what may come, what came before, and what was measured.

#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/gap_options.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"
#include "baton/quality/report_chapters.hpp"
#include "baton/quality/score.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

constexpr std::chrono::days kSoon{30}; // without a day on which the next assessment is due
constexpr int kNear = 10;              // a tenth of what was measured

/// "all of it"; "at 80 %"; "with float64"
std::string what_of(const Move& move, const CriteriaSet& set) {
    if (move.adds.empty()) {
        return "all of it";
    }
    const auto* const item = set.find(move.item);
    return item != nullptr && item->kind == Kind::step
               ? fmt::format("at {} %", move.adds.front())
               : fmt::format("with {}", fmt::join(move.adds, ", "));
}

Grid moves_of(const Way& way, const CriteriaSet& set) {
    Grid grid{.head = {"item", "what", "gain", "effort", "why", "missing"}, .rows = {}};
    for (const auto& move : way.moves) {
        grid.rows.push_back(
            {move.item,
             what_of(move, set),
             fmt::format("+{}", move.gain),
             move.effort,
             move.forced ? "the level asks for it" : "cheapest",
             move.missing > 0 ? fmt::format("{} more", move.missing) : ""}
        );
    }
    grid.rows.push_back(
        {"together",
         fmt::format("{} points, {} are asked for", way.points, way.target),
         "",
         way.effort,
         "",
         ""}
    );
    return grid;
}

bool is_near(const Report& report, const FallRisk& risk) {
    const auto* const claim = report.assessment.claim(risk.item);
    if (claim == nullptr || !claim->value || !claim->value->num) {
        return false;
    }
    return risk.slack <= *claim->value->num / kNear;
}

Grid risks_of(const Report& report) {
    Grid grid{.head = {"item", "points", "may be lost", "missing for more"}, .rows = {}};
    for (const auto& risk : fall_risks(report.set, report.assessment)) {
        grid.rows.push_back(
            {risk.item,
             risk.points,
             risk.points > 0
                 ? fmt::format("{}{}", risk.slack, is_near(report, risk) ? " (near)" : "")
                 : "",
             risk.next_needs > 0 ? fmt::format("{}", risk.next_needs) : ""}
        );
    }
    return grid;
}

/// Evidence that points rest on and that ends before the next assessment, the first to end first.
Grid expiring(const Report& report, Day until) {
    std::map<std::tuple<Day, std::string>, std::vector<std::string>> sorted;
    for (const auto& item : report.items) {
        for (const auto& use : item.evidence) {
            if (item.score.proven > 0 && use.expires && *use.expires < until) {
                sorted[{*use.expires, use.evidence->id}].push_back(item.item->id);
            }
        }
    }
    Grid grid{.head = {"evidence", "counts until", "items"}, .rows = {}};
    for (const auto& [key, items] : sorted) {
        const auto& [day, id] = key;
        grid.rows.push_back(
            {id,
             fmt::format("{}{}", to_text(day), day < report.as_of ? " (expired)" : ""),
             fmt::format("{}", fmt::join(items, ", "))}
        );
    }
    return grid;
}

std::string difference(int before, int after) {
    return fmt::format("{} -> {} ({:+})", before, after, after - before);
}

std::string moved(const LevelChange& change) {
    return change.before == change.after ? fmt::format("still {}", change.after)
                                         : fmt::format("{} -> {}", change.before, change.after);
}

std::string percent_of(std::optional<int> permille) {
    return permille ? fmt::format("{}.{} %", *permille / 10, *permille % 10) : "";
}

} // namespace

std::string to_text(const Move& move, const CriteriaSet& set) {
    return move.adds.empty() ? move.item : fmt::format("{} {}", move.item, what_of(move, set));
}

Chapter gap_chapter(const Report& report) {
    if (!report.gap) {
        return {
            .title = "The way to the next level",
            .blocks = {"None: this is the best level, or its ways cannot be compared."}
        };
    }
    auto chapter = way_chapter(report.set, *report.gap);
    chapter.title = "The way to the next level";
    if (report.documented.earliest) {
        chapter.blocks.emplace_back(fmt::format(
            "If {} becomes the first of {} releases in a row, {} is documented with {} at the "
            "earliest.",
            to_text(report.assessment.release),
            report.documented.needed,
            level_name(report.set, report.gap->rank),
            to_text(*report.documented.earliest)
        ));
    }
    return chapter;
}

Chapter way_chapter(const CriteriaSet& set, const Gap& gap) {
    const auto name = level_name(set, gap.rank);
    Chapter chapter{.title = fmt::format("The way to {}", name), .blocks = {}};
    if (gap.reached) {
        chapter.blocks.emplace_back(fmt::format("{} is reached already.", name));
    }
    if (!gap.way) {
        chapter.blocks.emplace_back(fmt::format("Nothing that is not blocked reaches {}.", name));
        return chapter;
    }
    if (!gap.reached) {
        chapter.blocks.emplace_back(
            fmt::format("The cheapest way to {}; no cheaper one exists.", name)
        );
        chapter.blocks.emplace_back(moves_of(*gap.way, set));
    }
    if (gap.robust && !gap.robust->moves.empty()) {
        chapter.blocks.emplace_back("The cheapest way that no reading can overturn.");
        chapter.blocks.emplace_back(moves_of(*gap.robust, set));
    }
    return chapter;
}

Chapter risk_chapter(const Report& report) {
    Chapter chapter{.title = "What may fall", .blocks = {}};
    if (auto risks = risks_of(report); !risks.rows.empty()) {
        chapter.blocks.emplace_back(std::move(risks));
    }
    const auto& due = report.assessment.process.due;
    const auto until = due.value_or(report.as_of + kSoon);
    auto grid = expiring(report, until);
    chapter.blocks.emplace_back(fmt::format(
        "{} before {}{}.",
        grid.rows.empty() ? "No evidence ends" : "This evidence ends",
        due ? "the next assessment is due, " : "",
        to_text(until)
    ));
    if (!grid.rows.empty()) {
        chapter.blocks.emplace_back(std::move(grid));
    }
    return chapter;
}

Chapter changes_chapter(const Report& report) {
    if (!report.changes) {
        return {.title = "Changes", .blocks = {"The assessment before is not at hand."}};
    }
    return changes_chapter(*report.changes, fmt::format("since {}", to_text(report.changes->from)));
}

Chapter changes_chapter(const Changes& changes, std::string against) {
    Chapter chapter{.title = "Changes", .blocks = {}};
    Grid levels{.head = {"what", std::move(against)}, .rows = {}};
    levels.rows.push_back({"grade", moved(changes.level)});
    if (changes.documented) {
        levels.rows.push_back({"documented", moved(*changes.documented)});
    }
    levels.rows.push_back({"proven", difference(changes.before.proven, changes.after.proven)});
    levels.rows.push_back({"criteria", moved(changes.criteria)});
    chapter.blocks.emplace_back(std::move(levels));
    if (changes.items.empty()) {
        chapter.blocks.emplace_back("No item has other points.");
        return chapter;
    }
    Grid items{.head = {"item", "title", "points", "cause", "detail"}, .rows = {}};
    for (const auto& item : changes.items) {
        items.rows.push_back(
            {item.item,
             item.title,
             difference(item.before.proven, item.after.proven),
             std::string(name_of(item.cause)),
             item.detail}
        );
    }
    chapter.blocks.emplace_back(std::move(items));
    return chapter;
}

Chapter metrics_chapter(const Report& report) {
    Chapter chapter{.title = "Measured values", .blocks = {}};
    if (report.metrics.empty()) {
        chapter.blocks.emplace_back("Nothing was measured.");
        return chapter;
    }
    Grid grid{
        .head = {"item", "metric", "value", "percent", "95 % bounds", "asked for", "state"},
        .rows = {}
    };
    for (const auto& metric : report.metrics) {
        grid.rows.push_back(
            {metric.item,
             metric.name,
             metric.value,
             percent_of(metric.permille),
             metric.low_permille
                 ? fmt::format(
                       "{} to {}", percent_of(metric.low_permille), percent_of(metric.high_permille)
                   )
                 : "",
             metric.asked,
             std::string(name_of(metric.state))}
        );
    }
    chapter.blocks.emplace_back(std::move(grid));
    return chapter;
}

} // namespace baton::quality
