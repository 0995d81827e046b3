#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/outage.hpp"
#include "baton/domain/told_attempt.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/metric.hpp"

#include <optional>
#include <string>
#include <vector>

/// What the relay itself saw of a downstream's CI. Windows end at `as_of` 00:00 UTC.
namespace baton::quality {

/// What was sent to one downstream, and what came of it.
struct CiFacts {
    RepoName downstream;
    domain::LadderEvidence evidence;        // its events of kCycleDaysMax days, in any order
    std::vector<std::string> required_jobs; // empty: all count
    std::vector<domain::TimeSpan> cut;      // planned pauses, and when the relay itself was unwell
    /// Days on which a nightly was told by itself, without having been sent.
    std::vector<TimePoint> own_nightlies;
    Day as_of{};
    std::optional<Day> released; // the release's day; absent: not known
    int level{0};                // in the list
};

/// How long back one looks: a release cycle where it is known, 30 days at least, 90 at most.
Window cycle_of(const CiFacts& facts);

/// CI-5. Figures: outages, max_recovery_h (rounded up). num of den: minutes of outage of all.
/// Met: at most 3, each over within 72 hours, 5 % of the time together.
Metric outages(const CiFacts& facts);

/// CI-2: merged pull requests whose head had a verdict before, of those that were sent; 30 days.
/// Level 4 gates by itself.
Metric gate_coverage(const CiFacts& facts);

/// CI-3: days of the last 30 with a nightly that was built far enough to tell of tests. Met: 90 %
/// of them, and never more than 3 days in a row without.
Metric nightly_days(const CiFacts& facts);

/// A fact for lint (Q022), not an item: tests that failed where another attempt of the same job on
/// the same commit passed, of the tests of jobs that ran 5 times; 14 days.
Metric flaky_observed(std::vector<domain::ToldAttempt> attempts, Day as_of);

struct LinkAnswer {
    std::string url;
    bool open{false}; // it answered without a login
};

/// CI-1: links to results and artifacts that anybody can open; 14 days.
Metric public_links(std::vector<LinkAnswer> answers, Day as_of);

inline constexpr int kLinkDays = 14;
inline constexpr int kFlakeDays = 14;
inline constexpr int kCycleDaysMax = 90;

} // namespace baton::quality
