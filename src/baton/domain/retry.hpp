#pragma once

#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

/// How one attempt to send a dispatch ended, in the words that decide what to do next.
enum class Outcome : std::uint8_t {
    accepted = 1,    // GitHub has it
    too_large,       // refused for its size: trim harder
    throttled,       // a rate limit; nothing was sent
    refused,         // a "no" that will stay a "no"
    unauthenticated, // our credentials did not work, even with a fresh token
    not_sent,        // we never got through: certainly no effect
    unknown,         // sent, and no answer or a 5xx: perhaps it arrived
    withheld,        // we chose not to send it: shadow mode
};

std::string_view name_of(Outcome outcome);
std::optional<Outcome> outcome_named(std::string_view name);

/// What GitHub (or its absence) said to one attempt.
struct Answer {
    Outcome outcome{Outcome::unknown};
    int status{0};                       // HTTP; 0 without an answer
    std::string detail;                  // for people
    std::optional<TimePoint> not_before; // throttled: when to come back

    friend bool operator==(const Answer&, const Answer&) = default;
};

/// Says how long to wait before the next attempt, or that there shall be none. Pure: the caller
/// brings the attempt number, the age and the draw.
class RetryPolicy {
public:
    struct Limits {
        Millis first{500};
        Millis longest{std::chrono::minutes{5}};
        Millis give_up_after{std::chrono::hours{72}
        }; // by age: an hour without GitHub must lose nothing
    };

    RetryPolicy() = default;

    explicit RetryPolicy(Limits limits)
        : limits_(limits) {}

    /// Delay after attempt `number` (from 1) failed; nullopt once the dispatch is older than the
    /// limit. Doubles from `first`, jittered to between one half and one and a half of it, never
    /// above `longest`.
    std::optional<Millis> delay_after(int number, Millis age, Draw draw) const;

    /// Too old to be worth a first attempt either: it waited for room all that time.
    bool is_spent(Millis age) const { return age >= limits_.give_up_after; }

private:
    Limits limits_;
};

/// What becomes of a dispatch after an attempt.
struct Verdict {
    DispatchState state{DispatchState::pending};
    TimePoint due_at{}; // meaningful while pending
    TrimStep trim{0};
    std::string reason;

    friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// The whole table of SPEC section 7 in one function. `dispatch.attempts` counts this attempt
/// already.
Verdict judge(
    const Dispatch& dispatch,
    const Answer& answer,
    TimePoint now,
    Draw draw,
    const RetryPolicy& policy
);

} // namespace baton::domain
