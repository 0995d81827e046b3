#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What is kept of one downstream and day, and the figures of a window of them.
namespace baton::domain {

struct LadderDay {
    TimePoint day{};
    Level level{Level::l1}; // the highest, effective, of its events
    bool paused{false};     // planned maintenance covered all of it

    std::size_t events{0};   // expected
    std::size_t answered{0}; // with a final verdict
    std::size_t decided{0};  // after exclusions
    std::size_t passed{0};   // of those: every required job is green
    std::array<std::size_t, kOutcomeClasses.size()> outcomes{
    }; // by class, in the order of kOutcomeClasses
    std::array<std::size_t, kOutcomeClasses.size()> excluded{}; // of those, excluded or repeated
    std::size_t repeated{0}; // of the excluded: standing breakage that counted already
    std::size_t alone{0};    // of the excluded: `alone`; no more than one of twenty is set aside
    std::size_t alone_events{0};   // that would be decided but for those
    std::size_t true_positives{0}; // `alone` that was proven, and `pull_request`
    std::size_t false_alarms{0};

    // as PyTorch counts: latest attempts that completed
    std::size_t completed{0};
    std::size_t completed_passed{0};
    std::size_t timed_out{0}; // of those: time-outs and zombies
    std::size_t ran{0};       // of those with a start and an end, time-outs aside
    std::size_t overran{0};   // longer than kOverrun

    std::size_t runs{0};           // attempts heard of
    std::size_t device_named{0};   // of those
    std::size_t reports{0};        // callbacks, refused ones too
    std::size_t invalid{0};        // refused: what they said was wrong
    std::size_t limited{0};        // refused: too many
    std::size_t merged{0};         // pull requests merged that day
    std::size_t merged_covered{0}; // with a final verdict for their head before

    std::optional<TimePoint> last_answer_at;
    std::optional<TimePoint>
        first_unanswered_at; // sent, decided to be silent, after the last answer

    std::vector<Millis> queue;      // sorted; first attempts
    std::vector<Millis> e2e;        // sorted; dispatch to the last required completion
    std::vector<Millis> e2e_compat; // sorted; largest queue and span
    std::vector<Millis> oncall;     // sorted; working time to the first answer of those on call
    std::string digest;             // SHA-256 of the rows, hex; the caller's

    friend bool operator==(const LadderDay&, const LadderDay&) = default;
};

inline constexpr Millis kOverrun{std::chrono::hours{3}};

/// The midnight at or before `when`.
TimePoint day_of(TimePoint when, Millis day_length);

/// The days of one downstream, oldest first; `day_length` cuts time into days from the epoch on.
/// Open outcomes are in no count but their own.
std::vector<LadderDay> days_of(
    const LadderEvidence& evidence,
    const std::vector<JudgedOutcome>& outcomes,
    const RepoName& downstream,
    const std::vector<std::string>& required_jobs,
    Millis day_length
);

/// A share with its one-sided 95 % bounds (Wilson, z = 1.645).
struct BoundedShare {
    std::size_t k{0};
    std::size_t n{0};

    std::optional<double> value() const; // none without a sample, as the next two
    std::optional<double> lower() const;
    std::optional<double> upper() const;

    friend bool operator==(const BoundedShare&, const BoundedShare&) = default;
};

/// Quantiles by nearest rank, or as ClickHouse's quantileExact counts.
enum class Quantiles : std::uint8_t { nearest_rank = 1, compat };

/// `sorted` must be sorted; none without a sample.
std::optional<Millis> quantile(const std::vector<Millis>& sorted, double p, Quantiles how);

/// Everything a criterion may be about.
enum class Figure : std::uint8_t {
    tenure_l2 = 1, // days listed at level 2 or above
    tenure_l3,
    events,
    days_with_data,
    pass_raw,
    pass_adj,
    pass_run,
    answered,
    infra_fail,
    flake_rate,
    false_alarm,
    timeout_rate,
    overrun_rate,
    excluded_share,
    device_named,
    invalid_rate,
    limited,
    gate_coverage,
    queue_mean,
    queue_p50,
    queue_p95,
    e2e_p50,
    e2e_p95,
    silence,    // hours (of days of 24) on which something was sent, without an answer to anything
    oncall_p50, // working time from a red check to the first answer of somebody on call
};

std::string_view name_of(Figure figure); // "pass_adj"
std::optional<Figure> figure_named(std::string_view name);

/// What one figure is in one window. Shares have k and n; times and counts have n.
struct Measured {
    std::optional<double> value; // a share 0 to 1, milliseconds, or a count
    std::size_t n{0};
    std::optional<double> lower; // of shares
    std::optional<double> upper;

    friend bool operator==(const Measured&, const Measured&) = default;
};

struct LadderWindow {
    TimePoint from{};
    TimePoint until{};
};

struct LadderHistory {
    std::vector<LadderDay> days;              // oldest first; a day without anything may be missing
    std::optional<TimePoint> first_at_level2; // since when it is listed so high, or higher
    std::optional<TimePoint> first_at_level3;
    Millis day_length{std::chrono::hours{24}};
};

Measured measure(Figure figure, const LadderHistory& history, LadderWindow window, Quantiles how);

} // namespace baton::domain
