// The chapters about how it was read, how to make it again, and what others did about it.

#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/report.hpp"
#include "baton/quality/report_chapters.hpp"
#include "baton/quality/score.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace baton::quality {

namespace {

/// Where an evidence is: the first of the places it names.
std::string place_of(const Evidence& evidence) {
    for (const auto* const place :
         {&evidence.file, &evidence.url, &evidence.run, &evidence.query}) {
        if (!place->empty()) {
            return *place;
        }
    }
    return evidence.window
               ? fmt::format("{}/{}", to_text(evidence.window->from), to_text(evidence.window->to))
               : "";
}

} // namespace

Chapter exemptions_chapter(const Report& report) {
    Grid grid{.head = {"item", "title", "points left out", "reason"}, .rows = {}};
    for (const auto& item : report.items) {
        if (item.score.state == State::exempt) {
            grid.rows.push_back(
                {item.item->id, item.item->title, item.score.exempt, item.score.note}
            );
        }
    }
    Chapter chapter{.title = "Exemptions", .blocks = {}};
    if (grid.rows.empty()) {
        chapter.blocks.emplace_back("None.");
    } else {
        chapter.blocks.emplace_back(std::move(grid));
    }
    return chapter;
}

Chapter interpretations_chapter(const Report& report) {
    Chapter chapter{.title = "How the criteria were read", .blocks = {}};
    chapter.blocks.emplace_back(fmt::format(
        "Thresholds by the reading {}. What the numbers mean: "
        "docs/reference/quality-interpretations.md.",
        name_of(report.score.reading)
    ));
    Grid grid{.head = {"interpretation", "items"}, .rows = {}};
    for (const auto& interpretation : report.interpretations) {
        grid.rows.push_back(
            {interpretation.number, fmt::format("{}", fmt::join(interpretation.items, ", "))}
        );
    }
    if (!grid.rows.empty()) {
        chapter.blocks.emplace_back(std::move(grid));
    }
    Grid faults{.head = {"code", "where the document contradicts itself"}, .rows = {}};
    for (const auto& finding : check(report.set)) {
        faults.rows.push_back({finding.code, finding.message});
    }
    if (!faults.rows.empty()) {
        chapter.blocks.emplace_back(std::move(faults));
    }
    return chapter;
}

Chapter reproduce_chapter(const Report& report) {
    const auto& assessment = report.assessment;
    Grid digests{.head = {"what", "where", "SHA-256"}, .rows = {}};
    digests.rows.push_back({"criteria", label_of(report.set), report.set.digest});
    digests.rows.push_back({"assessment", to_text(assessment.release), assessment.digest});
    if (assessment.previous) {
        digests.rows.push_back(
            {"assessment before", to_text(assessment.previous->release), assessment.previous->digest
            }
        );
    }
    for (const auto& evidence : assessment.evidence) {
        digests.rows.push_back(
            {evidence.id,
             Cell(place_of(evidence), evidence.url),
             evidence.sha256.empty() ? evidence.digest : evidence.sha256}
        );
    }
    return {
        .title = "Make it again",
        .blocks =
            {fmt::format(
                 "The same files give the same bytes: baton quality report FILE --as-of {} "
                 "--reading {}",
                 to_text(report.as_of),
                 name_of(report.score.reading)
             ),
             std::move(digests)}
    };
}

Chapter record_chapter(const Report& report) {
    const auto& assessment = report.assessment;
    Chapter chapter{.title = "Support and process", .blocks = {}};
    if (!assessment.support.empty()) {
        Grid support{.head = {"feature", "support", "note"}, .rows = {}};
        for (const auto& entry : assessment.support) {
            support.rows.push_back({entry.feature, std::string(name_of(entry.support)), entry.note}
            );
        }
        chapter.blocks.emplace_back(std::move(support));
    }
    if (!assessment.process.steps.empty()) {
        Grid steps{.head = {"step", "on", "outcome"}, .rows = {}};
        for (const auto& entry : assessment.process.steps) {
            steps.rows.push_back(
                {Cell(std::string(name_of(entry.step)), entry.link),
                 entry.on ? to_text(*entry.on) : "not yet",
                 entry.outcome}
            );
        }
        chapter.blocks.emplace_back(std::move(steps));
    }
    const auto& due = assessment.process.due;
    chapter.blocks.emplace_back(
        due ? fmt::format(
                  "The next assessment is {} {}.",
                  *due < report.as_of ? "overdue since" : "due on",
                  to_text(*due)
              )
            : "No day is named for the next assessment."
    );
    return chapter;
}

} // namespace baton::quality
