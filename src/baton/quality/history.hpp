#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/quality/criteria.hpp"

#include <optional>
#include <span>
#include <vector>

/// Which level is documented, release after release.
namespace baton::quality {

struct Grade {
    Release release;
    int rank{0};
};

struct HistoryPoint {
    Release release;
    std::optional<int> rank; // absent: nobody assessed that release
    int documented{0};       // after it
    bool stale{false};       // the newest releases have no assessment: nothing can be concluded
};

/// One point for each minor release from the first grade to the last (or to `latest`), oldest
/// first.
///
/// The documented level is kept within what the last `consecutive` releases were graded (A29): with
/// two, `documented = clamp(documented, min, max)`, beginning at rank 0. A release without a grade
/// breaks the row (A30). Grades in any order; of two for one release the later one counts. The
/// calendar says which release follows which; of those it does not list, X.0 is taken to follow the
/// last one before it that somebody assessed.
std::vector<HistoryPoint> history(
    const HistoryRule& rule,
    std::span<const Grade> grades,
    std::optional<Release> latest = {},
    const Calendar* calendar = nullptr
);

} // namespace baton::quality
