#include "baton/hud/quality.hpp"

#include "baton/base/ids.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/hud/shown.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/evidence_age.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/history.hpp"
#include "baton/wire/calendar.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

using Histories = std::map<std::string, std::vector<quality::HistoryPoint>>; // by set

std::optional<RepoName> backend_of(const ShelvedAssessment& one) {
    auto repo = RepoName::parse(one.assessment.platform.backend.repo);
    return repo ? std::optional(*std::move(repo)) : std::nullopt;
}

bool is_private(const ShelvedAssessment& one, const Shown& shown) {
    const auto repo = backend_of(one);
    return repo && shown.lists(*repo) && !shown.everywhere(*repo);
}

bool is_private(const ShelvedPlatform& platform, const Shown& shown) {
    return std::ranges::any_of(platform, [&shown](const auto& one) {
        return is_private(one.second, shown);
    });
}

std::size_t expired_items(const ShelvedAssessment& one, quality::Day today) {
    std::size_t count = 0;
    for (const auto& claim : one.assessment.claims) {
        const auto* item = one.set->find(claim.item);
        const auto has_expired = [&](const quality::Reference& reference) {
            const auto* evidence = one.assessment.find_evidence(reference.id);
            return evidence != nullptr && is_expired(*evidence, *item, today);
        };
        count += item != nullptr && std::ranges::any_of(claim.evidence, has_expired) ? 1U : 0U;
    }
    return count;
}

/// Criteria of one name document levels together, whatever their version.
Histories
histories_of(const ShelvedPlatform& platform, std::optional<quality::Release> newest_of_all) {
    std::map<std::string, std::vector<quality::Grade>> grades;
    std::map<std::string, quality::HistoryRule> rules;
    for (const auto& [release, one] : platform) {
        grades[one.set->set].push_back({.release = release, .rank = one.score.level});
        rules[one.set->set] = one.set->history; // of the newest
    }
    const auto& current = platform.rbegin()->second.set->set;
    Histories all;
    for (const auto& [set, of_set] : grades) {
        // What was left for other criteria waits for nothing more.
        const auto latest = set == current ? newest_of_all : std::nullopt;
        all[set] = quality::history(rules[set], of_set, latest, &wire::pytorch_calendar());
    }
    return all;
}

int documented_at(const std::vector<quality::HistoryPoint>& points, quality::Release release) {
    const auto point = std::ranges::find(points, release, &quality::HistoryPoint::release);
    return point == points.end() ? 0 : point->documented;
}

QualityCell cell_of(const ShelvedAssessment& one, const Histories& histories, quality::Day today) {
    QualityCell cell{.of = &one};
    cell.documented = documented_at(histories.at(one.set->set), one.assessment.release);
    cell.expired = expired_items(one, today);
    for (const auto& finding : one.findings) {
        ++(finding.severity == quality::Severity::error ? cell.errors : cell.warnings);
    }
    return cell;
}

std::optional<QualityTrend> trend_of(const ShelvedPlatform& platform) {
    const auto newest = std::prev(platform.end());
    for (auto before = newest; before != platform.begin();) {
        --before;
        if (before->second.set->set == newest->second.set->set) {
            return QualityTrend{
                .since = before->first,
                .ranks = newest->second.score.level - before->second.score.level,
                .proven = newest->second.score.proven - before->second.score.proven
            };
        }
    }
    return std::nullopt;
}

std::optional<quality::Release> newest_of(const QualityShelf& shelf) {
    std::optional<quality::Release> newest;
    for (const auto& [id, platform] : shelf.platforms) {
        newest = std::max(newest, std::optional(platform.rbegin()->first));
    }
    return newest;
}

struct Around {
    const Shown& shown;
    quality::Day today;
    std::optional<quality::Release> newest;
};

QualityLine line_of(const ShelvedPlatform& platform, const Around& around) {
    QualityLine line;
    auto histories = histories_of(platform, around.newest);
    for (const auto& [release, one] : platform | std::views::reverse) {
        line.releases.push_back(cell_of(one, histories, around.today));
    }
    const auto& newest = line.newest();
    line.history = std::move(histories.at(newest.set->set));
    line.documented = line.history.back().documented;
    line.stale = line.history.back().stale;
    line.trend = trend_of(platform);
    const auto due = newest.assessment.process.due;
    line.overdue = due && *due < around.today;
    if (auto repo = backend_of(newest); repo && around.shown.everywhere(*repo)) {
        line.downstream = std::move(repo);
    }
    return line;
}

std::vector<QualityReached> reached_by(const std::vector<QualityLine>& lines) {
    std::vector<QualityReached> all;
    for (const auto& line : lines) {
        const auto& newest = line.newest();
        auto known = std::ranges::find(all, newest.set, &QualityReached::set);
        if (known == all.end()) {
            all.push_back({.set = newest.set, .platforms = {}});
            known = std::prev(all.end());
            known->platforms.resize(newest.set->levels.size());
        }
        const auto level =
            std::ranges::find(newest.set->levels, newest.score.level, &quality::Level::rank);
        if (level != newest.set->levels.end()) {
            const auto place = std::distance(newest.set->levels.begin(), level);
            ++known->platforms[static_cast<std::size_t>(place)];
        }
    }
    std::ranges::sort(all, {}, [](const QualityReached& one) {
        return quality::label_of(*one.set);
    });
    return all;
}

} // namespace

QualityList quality_list_of(const QualityShelf& shelf, const Shown& shown, quality::Day today) {
    QualityList list;
    const Around around{.shown = shown, .today = today, .newest = newest_of(shelf)};
    std::set<quality::Release, std::greater<>> releases;
    for (const auto& [id, platform] : shelf.platforms) {
        if (is_private(platform, shown)) {
            continue;
        }
        list.lines.push_back(line_of(platform, around));
        for (const auto& [release, one] : platform) {
            releases.insert(release);
        }
    }
    std::ranges::sort(list.lines, {}, [](const QualityLine& line) {
        const auto& platform = line.newest().assessment.platform;
        return std::pair(platform.name, platform.id);
    });
    list.releases.assign(releases.begin(), releases.end());
    list.reached = reached_by(list.lines);
    return list;
}

std::optional<QualityLine> quality_line_of(
    const QualityShelf& shelf, std::string_view platform, const Shown& shown, quality::Day today
) {
    const auto found = shelf.platforms.find(platform);
    if (found == shelf.platforms.end() || is_private(found->second, shown)) {
        return std::nullopt;
    }
    return line_of(found->second, {.shown = shown, .today = today, .newest = newest_of(shelf)});
}

std::optional<int> age_days(const quality::Evidence& evidence, quality::Day today) {
    const auto day = quality::day_of(evidence);
    return day ? std::optional(static_cast<int>((today - *day).count())) : std::nullopt;
}

bool is_expired(const quality::Evidence& evidence, const quality::Item& item, quality::Day today) {
    const auto age = age_days(evidence, today);
    const auto most = quality::max_age_days(evidence, item);
    return age && most > 0 && *age > most;
}

std::array<quality::ProcessEntry, 5> process_of(const quality::Process& process) {
    using quality::ProcessStep;
    std::array<quality::ProcessEntry, 5> all;
    constexpr std::array kSteps{
        ProcessStep::proposal,
        ProcessStep::working_group_review,
        ProcessStep::council_review,
        ProcessStep::maintainers_decision,
        ProcessStep::documentation
    };
    for (std::size_t at = 0; at < kSteps.size(); ++at) {
        all[at].step = kSteps[at];
        // Of a step that was made twice the last one counts.
        for (const auto& entry : process.steps) {
            if (entry.step == kSteps[at]) {
                all[at] = entry;
            }
        }
    }
    return all;
}

std::vector<const ShelvedAssessment*>
platforms_of(const QualityShelf& shelf, const RepoName& downstream) {
    std::vector<const ShelvedAssessment*> all;
    for (const auto& [id, platform] : shelf.platforms) {
        const auto& newest = platform.rbegin()->second;
        if (backend_of(newest) == downstream) {
            all.push_back(&newest);
        }
    }
    return all;
}

std::vector<QualityInterpretation> interpretations_of(const quality::CriteriaSet& set) {
    std::vector<QualityInterpretation> all;
    for (const auto& item : set.items) {
        for (const auto& number : item.interpretations) {
            auto known = std::ranges::find(all, number, &QualityInterpretation::number);
            if (known == all.end()) {
                all.push_back({.number = number, .items = {}});
                known = std::prev(all.end());
            }
            known->items.push_back(item.id);
        }
    }
    // A2 before A13: the shorter text has the smaller number.
    std::ranges::sort(all, {}, [](const QualityInterpretation& one) {
        return std::pair(one.number.size(), one.number);
    });
    return all;
}

} // namespace baton::hud
