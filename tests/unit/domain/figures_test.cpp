#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

using namespace std::chrono_literals;

constexpr auto kRuns = std::optional<Conclusion>{};

/// Attempts 1, 2, ... as they ended.
std::vector<AttemptEnd> attempts(const std::vector<std::optional<Conclusion>>& ends) {
    std::vector<AttemptEnd> all;
    for (const auto& end : ends) {
        all.push_back({.attempt = static_cast<int>(all.size()) + 1, .conclusion = end});
    }
    return all;
}

std::vector<AttemptEnd> any_attempts() {
    const auto end = rc::gen::exec([] {
        const auto drawn = *rc::gen::inRange<std::size_t>(0, kConclusions.size() + 1);
        return drawn == kConclusions.size() ? kRuns : std::optional(kConclusions.at(drawn));
    });
    return attempts(
        *rc::gen::nonEmpty(rc::gen::container<std::vector<std::optional<Conclusion>>>(end))
    );
}

/// What cells that stand so add to a window.
Ended cells_of(const std::vector<std::vector<AttemptEnd>>& all) {
    Ended ended;
    for (const auto& one : all) {
        const auto outcome = merge(one);
        ended.cells.success += outcome == CellOutcome::success ? 1U : 0U;
        ended.cells.flaky += outcome == CellOutcome::flaky ? 1U : 0U;
        ended.cells.failure += outcome == CellOutcome::failure ? 1U : 0U;
        ended.cells.timed_out += outcome == CellOutcome::timed_out ? 1U : 0U;
        ended.cells.no_signal +=
            !is_conclusive(outcome) && outcome != CellOutcome::running ? 1U : 0U;
    }
    return ended;
}

TEST(Cell, StandsAsItsAttemptsSayTogether) {
    using enum Conclusion;
    using Out = CellOutcome;
    const std::vector<std::pair<std::vector<std::optional<Conclusion>>, CellOutcome>> table{
        {{success}, Out::success},
        {{failure}, Out::failure},
        {{neutral}, Out::neutral},
        {{cancelled}, Out::cancelled},
        {{skipped}, Out::skipped},
        {{timed_out}, Out::timed_out},
        {{action_required}, Out::action_required},
        {{kRuns}, Out::running},
        {{kRuns, kRuns}, Out::running},
        // passed and failed on the same commit, in either order
        {{failure, success}, Out::flaky},
        {{success, failure}, Out::flaky},
        {{timed_out, success}, Out::flaky},
        {{failure, cancelled, success, skipped}, Out::flaky},
        // what tells something beats what does not
        {{success, cancelled}, Out::success},
        {{failure, skipped}, Out::failure},
        {{neutral, timed_out, action_required}, Out::timed_out},
        // of equals the newest counts
        {{failure, timed_out}, Out::timed_out},
        {{timed_out, failure, cancelled}, Out::failure},
        {{cancelled, skipped}, Out::skipped},
        {{skipped, action_required, neutral}, Out::neutral},
        // running stands after the newest end, not before it
        {{failure, kRuns}, Out::running},
        {{success, kRuns}, Out::running},
        {{kRuns, failure}, Out::failure},
        {{kRuns, cancelled}, Out::cancelled},
    };
    for (const auto& [ends, expected] : table) {
        std::string story;
        for (const auto& end : ends) {
            story += std::string(end ? name_of(*end) : "runs") + " ";
        }
        EXPECT_EQ(name_of(merge(attempts(ends))), name_of(expected)) << story;
    }
}

RC_GTEST_PROP(Cell, StandsTheSameInWhateverOrderItsAttemptsAreTold, ()) {
    auto all = any_attempts();
    const auto expected = merge(all);
    std::ranges::sort(all, {}, [](const AttemptEnd& one) {
        return (one.attempt * 7919) % 101; // another order, the same each time
    });
    RC_ASSERT(merge(all) == expected);
    std::ranges::reverse(all);
    RC_ASSERT(merge(all) == expected);
}

RC_GTEST_PROP(Cell, StandsTheSameInWhateverOrderTwoOfOneNumberAreTold, ()) {
    auto all = any_attempts();
    for (auto& one : all) {
        one.attempt = *rc::gen::inRange(1, 3);
    }
    const auto expected = merge(all);
    std::ranges::reverse(all);
    RC_ASSERT(merge(all) == expected);
}

RC_GTEST_PROP(Cell, IsNoBetterNorWorseForAnotherAttemptThatTellsNothing, ()) {
    auto all = any_attempts();
    const auto before = merge(all);
    RC_PRE(is_conclusive(before));
    const auto end =
        *rc::gen::element(Conclusion::neutral, Conclusion::cancelled, Conclusion::skipped);
    all.push_back({.attempt = static_cast<int>(all.size()) + 1, .conclusion = end});
    RC_ASSERT(merge(all) == before);
}

TEST(Cell, TakesItsAttemptsInTheOrderOfDispatchesThenOfAttempts) {
    const auto job = [](std::int64_t id, std::int64_t dispatch, int attempt, Conclusion end) {
        Job one;
        one.id = JobId{id};
        one.subject.dispatch = DispatchId{dispatch};
        one.key.attempt = attempt;
        one.conclusion = end;
        return one;
    };
    using enum Conclusion;
    const auto found = attempts_of(
        {job(4, 12, 1, skipped),
         job(3, 11, 1, neutral),
         job(2, 11, 2, failure),
         job(5, 12, 1, success)}
    );
    std::vector<std::pair<int, Conclusion>> told;
    for (const auto& one : found) {
        told.emplace_back(one.attempt, *one.conclusion);
    }
    const std::vector<std::pair<int, Conclusion>> expected{
        {1, neutral}, {2, failure}, {3, skipped}, {4, success}
    };
    EXPECT_EQ(told, expected);
}

TEST(Cell, OutcomesHaveNamesThatAreFoundAgain) {
    for (const auto outcome : kCellOutcomes) {
        EXPECT_EQ(cell_outcome_named(name_of(outcome)), outcome);
    }
    EXPECT_EQ(cell_outcome_named("silent"), std::nullopt);
    EXPECT_EQ(cell_outcome_named(""), std::nullopt);
}

TEST(Rate, HasTheIntervalThatIsPublishedForIt) {
    struct Row {
        std::size_t passed;
        std::size_t n;
        double low;
        double high;
    };

    // The last four: R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
    for (const auto& row : std::vector<Row>{
             {0, 10, 0, 0.2775},
             {10, 10, 0.7225, 1},
             {8, 10, 0.4902, 0.9433},
             {190, 200, 0.9104, 0.9726},
             {81, 263, 0.2553, 0.3662},
             {15, 148, 0.0624, 0.1605},
             {0, 20, 0, 0.1611},
             {1, 29, 0.0061, 0.1718},
         }) {
        SCOPED_TRACE(std::to_string(row.passed) + " of " + std::to_string(row.n));
        const auto rate = rate_of(row.passed, row.n);
        EXPECT_EQ(rate.n, row.n);
        EXPECT_DOUBLE_EQ(*rate.value, static_cast<double>(row.passed) / static_cast<double>(row.n));
        EXPECT_NEAR(*rate.low, row.low, 0.00005);
        EXPECT_NEAR(*rate.high, row.high, 0.00005);
    }
}

RC_GTEST_PROP(Rate, LiesInsideItsIntervalAndTheIntervalInsideZeroAndOne, ()) {
    const auto n = *rc::gen::inRange<std::size_t>(1, 1'000'000);
    const auto passed = *rc::gen::inRange<std::size_t>(0, n + 1);
    const auto rate = rate_of(passed, n);
    RC_ASSERT(0 <= *rate.low);
    RC_ASSERT(*rate.low <= *rate.value);
    RC_ASSERT(*rate.value <= *rate.high);
    RC_ASSERT(*rate.high <= 1);
}

TEST(Rate, IsNoneWithoutASampleAndFewUnderTwenty) {
    EXPECT_EQ(rate_of(0, 0), Rate{});
    EXPECT_TRUE(rate_of(0, 0).few());
    EXPECT_TRUE(rate_of(19, 19).few());
    EXPECT_FALSE(rate_of(20, 20).few());
}

TEST(Rates, CountEachOfTheirOwn) {
    const Ended ended{
        .cells = {.success = 6, .flaky = 2, .failure = 1, .timed_out = 1, .no_signal = 5},
        .first_passed = 6,
        .first_conclusive = 9,
        .executed_passed = 8,
        .executed = 20,
        .excused = 1,
    };
    const auto rates = rates_of(ended);
    EXPECT_EQ(rates.final_attempt, rate_of(8, 10));
    EXPECT_EQ(rates.first_attempt, rate_of(6, 9));
    EXPECT_EQ(rates.compat, rate_of(8, 20));
    EXPECT_EQ(rates.adjusted, rate_of(8, 9));
    EXPECT_EQ(rates_of(ended + ended).adjusted, rate_of(16, 18));
    EXPECT_EQ(rates_of(ended + ended).final_attempt, rate_of(16, 20));
    EXPECT_EQ(rates_of(ended + Ended{}).compat, rates.compat);
    EXPECT_EQ((ended + ended).first_conclusive, 18U);
    EXPECT_EQ((ended + ended).cells.no_signal, 10U);
}

TEST(Rates, AreNotChangedByWhatWasCancelledWhichOnlyAppearsAsACount) {
    using enum Conclusion;
    const auto before = cells_of({attempts({success}), attempts({failure})});
    const auto after = cells_of({
        attempts({success, cancelled}),
        attempts({cancelled, failure}),
        attempts({cancelled}),
        attempts({skipped}),
    });
    EXPECT_EQ(rates_of(after).final_attempt, rates_of(before).final_attempt);
    EXPECT_EQ(after.cells.no_signal, 2U);
}

TEST(Rates, CountARerunThatPassedAfterAFailureOnceAndAsFlaky) {
    using enum Conclusion;
    const auto ended = cells_of({attempts({failure, success})});
    EXPECT_EQ(ended.cells, (Cells{.flaky = 1}));
    EXPECT_EQ(rates_of(ended).final_attempt, rate_of(1, 1));
}

TEST(Spread, IsByNearestRank) {
    std::vector<Millis> samples;
    for (const auto ms : {20, 3, 16, 6, 15, 7, 13, 8, 10, 8}) {
        samples.emplace_back(ms);
    }
    EXPECT_EQ(
        spread_of(samples), (Spread{.n = 10, .p50 = 8ms, .p90 = 16ms, .p95 = 20ms, .p99 = 20ms})
    );
    std::vector<Millis> hundred;
    for (int ms = 100; ms > 0; --ms) {
        hundred.emplace_back(ms);
    }
    EXPECT_EQ(
        spread_of(hundred), (Spread{.n = 100, .p50 = 50ms, .p90 = 90ms, .p95 = 95ms, .p99 = 99ms})
    );
    EXPECT_EQ(spread_of({5ms}), (Spread{.n = 1, .p50 = 5ms, .p90 = 5ms, .p95 = 5ms, .p99 = 5ms}));
    EXPECT_EQ(spread_of({}), Spread{});
}

} // namespace

} // namespace baton::domain
