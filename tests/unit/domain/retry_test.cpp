#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace baton::domain {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
constexpr Draw kMiddle{.bits = 1ULL << 63U};

Dispatch dispatch_of_age(Millis age, int attempts = 1, TrimStep trim = 0) {
    Dispatch dispatch;
    dispatch.created_at = kNow - age;
    dispatch.attempts = attempts;
    dispatch.trim = trim;
    return dispatch;
}

struct Case {
    std::string name;
    Outcome outcome;
    Millis age;
    TrimStep trim;
    DispatchState expected;
};

const Case kCases[] = {
    {"what GitHub has is sent", Outcome::accepted, 1s, 0, DispatchState::sent},
    {"a no that stays a no fails at once", Outcome::refused, 1s, 0, DispatchState::failed},
    {"too large is trimmed harder and sent again", Outcome::too_large, 1s, 0, DispatchState::pending
    },
    {"too large after the last trimming fails",
     Outcome::too_large,
     1s,
     kTrimStepMax,
     DispatchState::failed},
    {"a limit is waited for", Outcome::throttled, 1s, 0, DispatchState::pending},
    {"bad credentials may be mended by the operator",
     Outcome::unauthenticated,
     1h,
     0,
     DispatchState::pending},
    {"no connection is tried again", Outcome::not_sent, 71h, 0, DispatchState::pending},
    {"an unknown outcome is tried again", Outcome::unknown, 71h, 0, DispatchState::pending},
    {"72 hours without success are enough", Outcome::not_sent, 72h, 0, DispatchState::dead},
    {"72 hours of unknown outcomes are enough", Outcome::unknown, 73h, 0, DispatchState::dead},
    {"72 hours of limits are enough", Outcome::throttled, 72h, 0, DispatchState::dead},
    {"an old dispatch that gets through is sent", Outcome::accepted, 100h, 0, DispatchState::sent},
};

TEST(Judge, FollowsTheTableOfOutcomes) {
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.name);
        const auto verdict = judge(
            dispatch_of_age(c.age, 3, c.trim),
            {.outcome = c.outcome, .status = 0, .detail = "why", .not_before = {}},
            kNow,
            kMiddle,
            RetryPolicy{}
        );
        EXPECT_EQ(verdict.state, c.expected);
        if (verdict.state == DispatchState::pending) {
            EXPECT_GE(verdict.due_at, kNow);
        }
    }
}

TEST(Judge, WaitsAsToldWhenGithubNamesATime) {
    const auto told = kNow + 40min;
    const auto verdict = judge(
        dispatch_of_age(1s),
        {.outcome = Outcome::throttled, .status = 429, .detail = "", .not_before = told},
        kNow,
        kMiddle,
        {}
    );
    EXPECT_GE(verdict.due_at, told);
    EXPECT_LE(verdict.due_at, told + 1s);
}

TEST(Judge, DoesNotGoBackInTimeWhenTheNamedTimeHasPassed) {
    const Answer late{
        .outcome = Outcome::throttled, .status = 403, .detail = "", .not_before = kNow - 1h
    };
    EXPECT_GE(judge(dispatch_of_age(1s), late, kNow, kMiddle, {}).due_at, kNow);
}

TEST(Judge, RaisesTheTrimStepByOneAndSendsAtOnce) {
    const Answer too_large{
        .outcome = Outcome::too_large, .status = 422, .detail = "", .not_before = {}
    };
    const auto verdict = judge(dispatch_of_age(1s, 1, 0), too_large, kNow, kMiddle, {});
    EXPECT_EQ(verdict.trim, 1);
    EXPECT_EQ(verdict.due_at, kNow);
}

TEST(RetryPolicy, TriesAgainWithinASecond) {
    for (const std::uint64_t bits : {0ULL, 1ULL << 63U, ~0ULL}) {
        EXPECT_LE(RetryPolicy{}.delay_after(1, 0s, Draw{bits}), Millis(1000));
    }
}

TEST(RetryPolicy, DoublesUntilFiveMinutes) {
    EXPECT_EQ(RetryPolicy{}.delay_after(1, 0s, kMiddle), Millis(500));
    EXPECT_EQ(RetryPolicy{}.delay_after(2, 0s, kMiddle), Millis(1000));
    EXPECT_EQ(RetryPolicy{}.delay_after(5, 0s, kMiddle), Millis(8000));
    EXPECT_EQ(RetryPolicy{}.delay_after(1000, 0s, kMiddle), Millis(5min));
}

RC_GTEST_PROP(
    RetryPolicy,
    StaysWithinItsBoundsForEveryNumberAgeAndDraw,
    (int number, std::uint32_t age_s, std::uint64_t bits)
) {
    const Millis age = std::chrono::seconds(age_s);
    const auto delay = RetryPolicy{}.delay_after(number, age, Draw{bits});
    RC_ASSERT(delay.has_value() == (age < Millis(72h)));
    if (delay) {
        RC_ASSERT(*delay >= Millis(250));
        RC_ASSERT(*delay <= Millis(5min));
    }
}

TEST(Outcome, NamesGoThereAndBack) {
    for (const auto outcome :
         {Outcome::accepted,
          Outcome::too_large,
          Outcome::throttled,
          Outcome::refused,
          Outcome::unauthenticated,
          Outcome::not_sent,
          Outcome::unknown}) {
        EXPECT_EQ(outcome_named(name_of(outcome)), outcome);
    }
    EXPECT_EQ(outcome_named("perhaps"), std::nullopt);
}

} // namespace
} // namespace baton::domain
