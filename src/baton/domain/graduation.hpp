#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outage.hpp"
#include "baton/domain/outcome.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Whether a tester may become a publisher, told from its nightlies: docs/design/ladder.md,
/// "Roles". A report for people; nothing changes by it.
namespace baton::domain {

struct GraduationFacts {
    TimePoint from{};
    TimePoint as_of{};                      // nightlies from `from` until before it
    std::vector<LadderEvent> events;        // of one downstream, in any order and of any kind
    std::vector<std::string> required_jobs; // empty: all jobs count
    std::vector<TimeSpan> planned;          // pauses
    std::vector<std::string> images;        // digests that were told, one for each telling
    std::size_t images_asked{0};            // jobs that might have told one
};

struct GraduationWeek {
    TimePoint from{};
    BoundedShare passed;

    friend bool operator==(const GraduationWeek&, const GraduationWeek&) = default;
};

/// One thing that a publisher has to show. The targets are Baton's own.
struct GraduationCriterion {
    std::string id;
    std::string text; // "at least 90.0 % of its nightlies pass, whatever the cause"
    std::string measured;
    std::optional<bool> met; // none: too few nightlies to tell
};

struct Graduation {
    std::size_t nightlies{0};  // expected: sent, not in a pause, and not open any more
    BoundedShare passed;       // of those: all causes
    BoundedShare passed_tests; // of those where the machines held
    BoundedShare machines;     // failures of machines, of all
    std::size_t missed{0};     // nobody started them
    BoundedShare flaky;        // flakes of the jobs that pass
    std::vector<Millis> queue; // sorted; first attempts
    std::vector<Millis> ran;   // sorted; the last attempt of each job
    std::vector<Outage> outages;
    std::vector<GraduationWeek> weeks; // oldest first, from `from` on; the last may be short
    std::vector<std::string> images;   // each once, sorted
    BoundedShare images_told;
    std::vector<GraduationCriterion> criteria;
    std::optional<bool> ready; // every criterion is met; none: too few nightlies to tell
};

inline constexpr std::size_t kGraduationNightlies = 20;
inline constexpr double kGraduationPassed = 0.90;
inline constexpr double kGraduationAnswered = 0.90;

Graduation graduation_of(const GraduationFacts& facts);

/// `sha256:` and 64 hex digits, wherever they stand in what a report told of its surroundings; each
/// once, in order.
std::vector<std::string> image_digests_in(std::string_view environment);

} // namespace baton::domain
