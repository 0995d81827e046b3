#include "baton/hud/quality_shelf.hpp"

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/lint.hpp"
#include "baton/quality/score.hpp"
#include "baton/wire/assessment.hpp"
#include "baton/wire/calendar.hpp"
#include "baton/wire/criteria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

/// Pages and questions that stand where a platform's would.
constexpr std::array<std::string_view, 2> kTakenIds{"criteria", "compare"};
/// Of the twins of pages: /quality/PLATFORM.json.
constexpr std::array<std::string_view, 3> kTakenEndings{".json", ".md", ".svg"};

bool is_taken(std::string_view id) {
    return std::ranges::find(kTakenIds, id) != kTakenIds.end() ||
           std::ranges::any_of(kTakenEndings, [id](std::string_view ending) {
               return id.ends_with(ending);
           });
}

FaultyFile refused(std::string path, quality::Position at, std::string message, std::string hint) {
    FaultyFile faulty{.path = std::move(path), .findings = {}};
    faulty.findings.push_back(
        {.code = "Q040", .at = at, .message = std::move(message), .hint = std::move(hint)}
    );
    return faulty;
}

void shelve_criteria(QualityShelf& shelf, std::vector<QualityText> texts) {
    for (const auto& set : wire::builtin_criteria()) {
        shelf.criteria.emplace(
            std::pair(set.set, set.version),
            ShelvedCriteria{.set = set, .builtin = true, .findings = quality::check(set)}
        );
    }
    for (auto& file : texts) {
        auto reading = wire::read_criteria(file.text);
        if (!reading.set) {
            shelf.faulty_criteria.push_back(
                {.path = std::move(file.path), .findings = std::move(reading.findings)}
            );
            continue;
        }
        const auto label = quality::label_of(*reading.set);
        std::pair key(reading.set->set, reading.set->version);
        const bool is_new = shelf.criteria
                                .emplace(
                                    std::move(key),
                                    ShelvedCriteria{
                                        .set = *std::move(reading.set),
                                        .builtin = false,
                                        .findings = std::move(reading.findings)
                                    }
                                )
                                .second;
        if (!is_new) {
            auto faulty = refused(
                std::move(file.path),
                {},
                fmt::format("{} is there already", inert(label)),
                "give it another version"
            );
            faulty.findings.front().code = "C040";
            shelf.faulty_criteria.push_back(std::move(faulty));
        }
    }
}

std::string labels_of(const QualityShelf& shelf) {
    std::vector<std::string> all;
    for (const auto& [key, one] : shelf.criteria) {
        all.push_back(quality::label_of(one.set));
    }
    return fmt::format("{}", fmt::join(all, ", "));
}

/// None when nobody can look for them: too many items wait for others.
std::vector<quality::Gap> gaps_of(
    const quality::CriteriaSet& set,
    const quality::Assessment& assessment,
    const quality::Score& score
) {
    std::vector<quality::Gap> gaps;
    for (const auto& level : set.levels | std::views::reverse) {
        if (level.rank == 0) {
            continue;
        }
        if (auto gap = quality::gap(set, assessment, score, level.rank)) {
            gaps.push_back(*std::move(gap));
        }
    }
    return gaps;
}

void shelve_assessment(QualityShelf& shelf, QualityText file) {
    auto reading = wire::read_assessment(file.text);
    auto& faulty = shelf.faulty_assessments;
    if (!reading.assessment) {
        faulty.push_back({.path = std::move(file.path), .findings = std::move(reading.findings)});
        return;
    }
    auto& assessment = *reading.assessment;
    const auto& platform = assessment.platform;
    const auto criteria = shelf.criteria.find(std::pair(assessment.set, assessment.version));
    if (criteria == shelf.criteria.end()) {
        faulty.push_back(refused(
            std::move(file.path),
            assessment.criteria_at,
            fmt::format(
                "there are no criteria {}/{}", inert(assessment.set), inert(assessment.version)
            ),
            fmt::format("there are {}", inert(labels_of(shelf)))
        ));
        return;
    }
    if (is_taken(platform.id)) {
        faulty.push_back(refused(
            std::move(file.path),
            platform.at,
            fmt::format("no platform can be called {}", inert(platform.id)),
            "a page of that name is there already"
        ));
        return;
    }
    auto& releases = shelf.platforms[platform.id];
    const auto release = assessment.release;
    if (const auto other = releases.find(release); other != releases.end()) {
        faulty.push_back(refused(
            std::move(file.path),
            assessment.release_at,
            fmt::format(
                "{} has an assessment of {} already, in {}",
                inert(platform.id),
                quality::to_text(release),
                inert(other->second.path)
            ),
            "leave one of them out"
        ));
        return;
    }
    const auto& set = criteria->second.set;
    auto score = quality::score(set, assessment);
    auto gaps = gaps_of(set, assessment, score);
    releases.emplace(
        release,
        ShelvedAssessment{
            .path = std::move(file.path),
            .set = &set,
            .assessment = std::move(assessment),
            .score = std::move(score),
            .gaps = std::move(gaps),
            .findings = std::move(reading.findings)
        }
    );
}

/// After all are there: an assessment is held against the one before it.
void lint_all(QualityShelf& shelf) {
    for (auto& [id, releases] : shelf.platforms) {
        for (auto& [release, one] : releases) {
            quality::LintInput input{.calendar = &wire::pytorch_calendar()};
            if (one.assessment.previous) {
                const auto before = releases.find(one.assessment.previous->release);
                input.previous = before == releases.end() ? nullptr : &before->second.assessment;
            }
            for (auto& finding : quality::lint(*one.set, one.assessment, input)) {
                one.findings.push_back(std::move(finding));
            }
        }
    }
}

} // namespace

const ShelvedAssessment*
QualityShelf::find(std::string_view platform, quality::Release release) const {
    const auto releases = platforms.find(platform);
    if (releases == platforms.end()) {
        return nullptr;
    }
    const auto found = releases->second.find(release);
    return found == releases->second.end() ? nullptr : &found->second;
}

QualityShelf shelf_of(QualityTexts texts) {
    QualityShelf shelf;
    shelf.configured = texts.configured;
    shelf.faulty_criteria = std::move(texts.faulty_criteria);
    shelf.faulty_assessments = std::move(texts.faulty_assessments);
    shelve_criteria(shelf, std::move(texts.criteria));
    for (auto& file : texts.assessments) {
        shelve_assessment(shelf, std::move(file));
    }
    lint_all(shelf);
    return shelf;
}

} // namespace baton::hud
