#pragma once

#include "baton/base/ids.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/hud/shown.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/history.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Platforms as people see them: pages put together from a shelf. They point into it.
namespace baton::hud {

struct QualityCell {
    const ShelvedAssessment* of{nullptr};
    int documented{0};       // rank, by the criteria of this assessment
    std::size_t expired{0};  // items whose evidence is older than it may be
    std::size_t errors{0};   // findings
    std::size_t warnings{0}; // the others
};

/// The newest assessment against the one before it, by the same criteria.
struct QualityTrend {
    quality::Release since;
    int ranks{0};
    int proven{0};
};

struct QualityLine {
    std::vector<QualityCell> releases;          // newest first
    std::vector<quality::HistoryPoint> history; // oldest first, of the newest one's criteria
    int documented{0};
    bool stale{false};
    std::optional<QualityTrend> trend;
    bool overdue{false};
    std::optional<RepoName> downstream; // of this relay, and shown

    const ShelvedAssessment& newest() const { return *releases.front().of; }
};

/// How many platforms' newest assessments have each grade of one set; ranks as in `levels`.
struct QualityReached {
    const quality::CriteriaSet* set{nullptr};
    std::vector<std::size_t> platforms; // in the order of the set's levels
};

struct QualityList {
    std::vector<quality::Release> releases; // newest first
    std::vector<QualityLine> lines;         // by name
    std::vector<QualityReached> reached;
};

/// Platforms whose backend is a private downstream are left out, here and below.
QualityList quality_list_of(const QualityShelf& shelf, const Shown& shown, quality::Day today);

/// nullopt when there is no such platform to be seen.
std::optional<QualityLine> quality_line_of(
    const QualityShelf& shelf, std::string_view platform, const Shown& shown, quality::Day today
);

/// How old evidence is today; nullopt when nobody says when it was captured.
std::optional<int> age_days(const quality::Evidence& evidence, quality::Day today);
bool is_expired(const quality::Evidence& evidence, const quality::Item& item, quality::Day today);

/// The five steps in their order; those that were not made yet have no day.
std::array<quality::ProcessEntry, 5> process_of(const quality::Process& process);

/// The platforms whose backend this downstream is, by id.
std::vector<const ShelvedAssessment*>
platforms_of(const QualityShelf& shelf, const RepoName& downstream);

/// An interpretation of the document, and the items that rest on it.
struct QualityInterpretation {
    std::string number; // "A13"
    std::vector<std::string> items;
};

/// By number.
std::vector<QualityInterpretation> interpretations_of(const quality::CriteriaSet& set);

} // namespace baton::hud
