#include "baton/hud/quality_pages.hpp"

#include "baton/hud/quality.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"
#include "baton/wire/calendar.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

using quality::Cell;
using quality::Chapter;
using quality::Grid;
using quality::Row;

constexpr std::size_t kReleasesMost = 6; // columns that still fit side by side, as on the page

std::string points_text(const quality::Score& score) {
    return fmt::format(
        "{} of {} proven, {} unknown, P0 {} of {}",
        score.proven,
        score.max,
        score.potential - score.proven,
        score.p0.met,
        score.p0.total
    );
}

std::string trend_text(const std::optional<QualityTrend>& trend) {
    if (!trend) {
        return "first one";
    }
    const std::string_view way = trend->ranks == 0  ? "same level"
                                 : trend->ranks > 0 ? "higher"
                                                    : "lower";
    return fmt::format(
        "{}, {:+} points since {}", way, trend->proven, quality::to_text(trend->since)
    );
}

std::string documented_text(const QualityLine& line) {
    auto text = quality::level_name(*line.newest().set, line.documented);
    text += line.stale ? ", stale" : "";
    text += line.overdue ? ", overdue" : "";
    if (const auto& decision = line.newest().assessment.decision) {
        text += fmt::format(", decided: {}", decision->level);
    }
    return text;
}

std::string cell_text(const QualityLine& line, quality::Release release) {
    const auto cell = std::ranges::find_if(line.releases, [release](const QualityCell& one) {
        return one.of->assessment.release == release;
    });
    if (cell == line.releases.end()) {
        return "not assessed";
    }
    const auto& one = *cell->of;
    return fmt::format(
        "{}: {}", quality::level_name(*one.set, one.score.level), points_text(one.score)
    );
}

Chapter platforms_chapter(const QualityList& list, std::string_view url) {
    Chapter chapter{.title = "Platforms by releases", .blocks = {}};
    if (list.lines.empty()) {
        chapter.blocks.emplace_back("Nothing has been assessed yet.");
        return chapter;
    }
    const auto shown =
        std::span(list.releases).first(std::min(list.releases.size(), kReleasesMost));
    Grid grid{.head = {"platform", "vendor", "criteria", "documented", "trend"}, .rows = {}};
    for (const auto release : shown) {
        grid.head.emplace_back(quality::to_text(release));
    }
    for (const auto& line : list.lines) {
        const auto& newest = line.newest();
        const auto& platform = newest.assessment.platform;
        Row row{
            Cell(platform.name, fmt::format("{}/quality/{}", url, platform.id)),
            platform.vendor,
            quality::label_of(*newest.set),
            documented_text(line),
            trend_text(line.trend)
        };
        for (const auto release : shown) {
            row.emplace_back(cell_text(line, release));
        }
        grid.rows.push_back(std::move(row));
    }
    chapter.blocks.emplace_back(std::move(grid));
    if (shown.size() < list.releases.size()) {
        chapter.blocks.emplace_back(fmt::format(
            "The newest {} releases of {}; {}/quality.json has all.",
            shown.size(),
            list.releases.size(),
            url
        ));
    }
    return chapter;
}

Chapter faulty_chapter(const std::vector<FaultyFile>& files) {
    Grid grid{.head = {"file", "line", "code", "what is wrong", "what to do"}, .rows = {}};
    for (const auto& file : files) {
        for (const auto& finding : file.findings) {
            grid.rows.push_back(
                {file.path.empty() ? "the folder" : file.path,
                 finding.at.line,
                 finding.code,
                 finding.message,
                 finding.hint}
            );
        }
    }
    Chapter chapter{.title = "Files that cannot be used", .blocks = {}};
    if (grid.rows.empty()) {
        chapter.blocks.emplace_back("None.");
    } else {
        chapter.blocks.emplace_back(std::move(grid));
    }
    return chapter;
}

} // namespace

quality::Report report_of(
    const QualityShelf& shelf,
    const QualityLine& line,
    const ShelvedAssessment& one,
    quality::Day today
) {
    quality::ReportInput input{
        .set = *one.set,
        .assessment = one.assessment,
        .as_of = today,
        .before = {},
        .reading = {},
        .calendar = &wire::pytorch_calendar(),
    };
    for (const auto& [release, other] : shelf.platforms.at(one.assessment.platform.id)) {
        if (release < one.assessment.release && other.set->set == one.set->set) {
            input.before.push_back({.set = other.set, .assessment = &other.assessment});
        }
    }
    if (&line.newest() == &one) { // only the newest can be behind what others have assessed
        input.latest = line.history.back().release;
    }
    return quality::make_report(input);
}

quality::Page
matrix_page(const QualityShelf& shelf, const QualityList& list, std::string_view url) {
    quality::Page page{.title = "Platform quality", .summary = {}, .chapters = {}};
    page.summary.rows.push_back({"platforms", list.lines.size()});
    for (const auto& reached : list.reached) {
        std::vector<std::string> counts;
        for (std::size_t at = 0; at < reached.platforms.size(); ++at) {
            counts.push_back(
                fmt::format("{} {}", reached.platforms[at], reached.set->levels[at].name)
            );
        }
        page.summary.rows.push_back(
            {quality::label_of(*reached.set), fmt::format("{}", fmt::join(counts, ", "))}
        );
    }
    page.chapters.push_back(platforms_chapter(list, url));
    page.chapters.push_back(faulty_chapter(shelf.faulty_assessments));
    return page;
}

quality::Page criteria_page(const QualityShelf& shelf, std::string_view url) {
    Grid grid{.head = {"criteria", "title", "items", "points", "printed", "levels"}, .rows = {}};
    for (const auto& [key, one] : shelf.criteria) {
        const auto& set = one.set;
        std::vector<std::string> levels;
        for (const auto& level : set.levels) {
            levels.push_back(level.name);
        }
        grid.rows.push_back(
            {Cell(
                 quality::label_of(set),
                 fmt::format("{}/quality/criteria/{}/{}", url, set.set, set.version)
             ),
             set.title,
             set.items.size(),
             set.rows_total(),
             set.printed_total ? fmt::format("{}", *set.printed_total) : "",
             fmt::format("{}", fmt::join(levels, ", "))}
        );
    }
    quality::Page page{.title = "Criteria of platform quality", .summary = {}, .chapters = {}};
    page.summary.rows.push_back({"sets", shelf.criteria.size()});
    page.chapters.push_back({.title = "Criteria", .blocks = {std::move(grid)}});
    page.chapters.push_back(faulty_chapter(shelf.faulty_criteria));
    return page;
}

} // namespace baton::hud
