// Pages that show one side of a report: the card of a platform, its way up, two assessments
// compared.

#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/history.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"
#include "baton/quality/report_chapters.hpp"

#include <fmt/format.h>

#include <ranges>
#include <span>
#include <utility>

namespace baton::quality {

namespace {

Chapter history_chapter(const CriteriaSet& set, std::span<const HistoryPoint> history) {
    Grid grid{.head = {"release", "grade", "documented"}, .rows = {}};
    for (const auto& point : history | std::views::reverse) {
        grid.rows.push_back(
            {to_text(point.release),
             point.rank ? level_name(set, *point.rank) : "not assessed",
             fmt::format("{}{}", level_name(set, point.documented), point.stale ? ", stale" : "")}
        );
    }
    return {.title = "Grade and documented level", .blocks = {std::move(grid)}};
}

} // namespace

Page lay_out_card(const Report& report, std::span<const HistoryPoint> history) {
    return {
        .title = title_of(report.assessment),
        .summary = summary_of(report),
        .chapters =
            {verdict_chapter(report),
             p0_chapter(report),
             sections_chapter(report),
             history_chapter(report.set, history),
             record_chapter(report)},
    };
}

Page lay_out_ways(const Report& report, std::span<const Gap> gaps) {
    Page page{
        .title = fmt::format("{}: the way up", title_of(report.assessment)),
        .summary = summary_of(report),
        .chapters = {},
    };
    for (const auto& gap : gaps) {
        page.chapters.push_back(way_chapter(report.set, gap));
    }
    page.chapters.push_back(risk_chapter(report));
    return page;
}

Page lay_out(const Changes& changes, const Assessment& before, const Assessment& after) {
    Grid summary;
    summary.rows.push_back({"first", title_of(before)});
    summary.rows.push_back({"second", title_of(after)});
    return {
        .title = "Two assessments compared",
        .summary = std::move(summary),
        .chapters = {changes_chapter(changes, "first, then second")},
    };
}

} // namespace baton::quality
