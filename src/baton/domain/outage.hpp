#pragma once

#include "baton/base/time.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

/// How long a downstream was out of order, and how much of it is known to be flaky: what a
/// graduation looks at.
namespace baton::domain {

/// A nightly or a dispatch that should have been answered. What is still open is none.
struct ExpectedRun {
    TimePoint due{};
    bool good{false}; // a test verdict came back, red or green
    std::optional<TimePoint> completed_at;

    friend bool operator==(const ExpectedRun&, const ExpectedRun&) = default;
};

struct TimeSpan {
    TimePoint from{};
    TimePoint until{};

    friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

struct Outage {
    TimePoint start{};            // when the first bad run was due
    std::optional<TimePoint> end; // when the next good one was complete; none: it lasts
    std::size_t bad{0};
    Millis length{}; // until the end or `as_of`, without what was planned

    friend bool operator==(const Outage&, const Outage&) = default;
};

inline constexpr std::size_t kOutageRuns = 3;
inline constexpr Millis kOutageLength{std::chrono::hours{24}};
inline constexpr Millis kOutageMax{std::chrono::hours{72}};

/// Every series of bad runs that has `kOutageRuns` of them or lasts `kOutageLength`; oldest first.
/// The order of the runs does not matter. Runs that were due in a planned pause, or when the relay
/// itself was down, are none, and such time is in no length.
std::vector<Outage>
outages_of(std::vector<ExpectedRun> runs, const std::vector<TimeSpan>& planned, TimePoint as_of);

Millis longest_of(const std::vector<Outage>& outages); // nothing without any

/// Fewer than one of twenty: 20 times those that are flaky is less than all that are known.
bool is_flaky_share_low(std::size_t flaky, std::size_t known);

} // namespace baton::domain
