#include "baton/domain/retry.hpp"

#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::domain {

namespace {

constexpr std::array kOutcomes{
    Outcome::accepted,
    Outcome::too_large,
    Outcome::throttled,
    Outcome::refused,
    Outcome::unauthenticated,
    Outcome::not_sent,
    Outcome::unknown,
    Outcome::withheld,
};

constexpr Millis kThrottleSpread{1000
}; // so that a released limit is not met by everybody in one instant
constexpr int kDoublingsMax = 30;

Verdict at_rest(const Dispatch& dispatch, DispatchState state, std::string reason) {
    return {
        .state = state,
        .due_at = dispatch.due_at,
        .trim = dispatch.trim,
        .reason = std::move(reason)
    };
}

Verdict later(
    const Dispatch& dispatch,
    const Answer& answer,
    TimePoint now,
    Draw draw,
    const RetryPolicy& policy
) {
    const auto age = now - dispatch.created_at;
    const auto delay = policy.delay_after(dispatch.attempts, age, draw);
    if (!delay) {
        return at_rest(
            dispatch,
            DispatchState::dead,
            fmt::format("given up after {}: {}", to_text(age), answer.detail)
        );
    }
    return {
        .state = DispatchState::pending,
        .due_at = now + *delay,
        .trim = dispatch.trim,
        .reason = answer.detail
    };
}

Verdict as_told(
    const Dispatch& dispatch,
    const Answer& answer,
    TimePoint now,
    Draw draw,
    const RetryPolicy& policy
) {
    auto verdict = later(dispatch, answer, now, draw, policy);
    if (verdict.state == DispatchState::pending && answer.not_before) {
        const Millis spread(static_cast<Millis::rep>(
            draw.below(static_cast<std::uint64_t>(kThrottleSpread.count()))
        ));
        verdict.due_at = std::max(*answer.not_before, now) + spread;
    }
    return verdict;
}

Verdict trimmed_harder(const Dispatch& dispatch, const Answer& answer, TimePoint now) {
    if (dispatch.trim >= kTrimStepMax) {
        return at_rest(
            dispatch,
            DispatchState::failed,
            fmt::format("too large even after trimming all that may be trimmed: {}", answer.detail)
        );
    }
    return {
        .state = DispatchState::pending,
        .due_at = now,
        .trim = dispatch.trim + 1,
        .reason = "too large; trimmed harder and sent again",
    };
}

} // namespace

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
    case Outcome::accepted:
        return "accepted";
    case Outcome::too_large:
        return "too_large";
    case Outcome::throttled:
        return "throttled";
    case Outcome::refused:
        return "refused";
    case Outcome::unauthenticated:
        return "unauthenticated";
    case Outcome::not_sent:
        return "not_sent";
    case Outcome::unknown:
        return "unknown";
    case Outcome::withheld:
        return "withheld";
    }
    return "unknown";
}

std::optional<Outcome> outcome_named(std::string_view name) {
    for (const auto outcome : kOutcomes) {
        if (name_of(outcome) == name) {
            return outcome;
        }
    }
    return std::nullopt;
}

std::optional<Millis> RetryPolicy::delay_after(int number, Millis age, Draw draw) const {
    if (age >= limits_.give_up_after) {
        return std::nullopt;
    }
    auto delay = limits_.first;
    const int doublings = std::clamp(number - 1, 0, kDoublingsMax);
    for (int i = 0; i < doublings && delay < limits_.longest; ++i) {
        delay *= 2;
    }
    const auto jittered =
        static_cast<double>(std::min(delay, limits_.longest).count()) * (0.5 + draw.unit());
    return std::min(Millis(static_cast<Millis::rep>(jittered)), limits_.longest);
}

Verdict judge(
    const Dispatch& dispatch,
    const Answer& answer,
    TimePoint now,
    Draw draw,
    const RetryPolicy& policy
) {
    switch (answer.outcome) {
    case Outcome::accepted:
        return at_rest(dispatch, DispatchState::sent, "");
    case Outcome::refused:
        return at_rest(dispatch, DispatchState::failed, answer.detail);
    case Outcome::withheld:
        return at_rest(dispatch, DispatchState::cancelled, answer.detail);
    case Outcome::too_large:
        return trimmed_harder(dispatch, answer, now);
    case Outcome::throttled:
        return as_told(dispatch, answer, now, draw, policy);
    case Outcome::unauthenticated:
    case Outcome::not_sent:
    case Outcome::unknown:
        return later(dispatch, answer, now, draw, policy);
    }
    return at_rest(dispatch, DispatchState::failed, "unreachable");
}

} // namespace baton::domain
