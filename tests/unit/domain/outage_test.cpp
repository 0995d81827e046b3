#include "baton/base/time.hpp"
#include "baton/domain/outage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

using namespace std::chrono_literals;

const TimePoint kTuesday = *parse_rfc3339("2026-09-01T00:00:00Z");

ExpectedRun bad(Millis due) {
    return {.due = kTuesday + due, .good = false, .completed_at = {}};
}

ExpectedRun good(Millis due, Millis completed) {
    return {.due = kTuesday + due, .good = true, .completed_at = kTuesday + completed};
}

std::vector<Outage> outages(std::vector<ExpectedRun> runs) {
    return outages_of(std::move(runs), {}, kTuesday + 240h);
}

double days(Millis length) {
    return static_cast<double>(length.count()) / 86'400'000;
}

TEST(Outage, LastsFromTheFirstBadRunToTheEndOfTheNextGoodOne) {
    const auto long_one = outages({bad(6h), bad(30h), bad(54h), good(78h, 80h + 30min)});
    ASSERT_EQ(long_one.size(), 1U);
    EXPECT_NEAR(days(long_one[0].length), 3.104, 0.0005);
    EXPECT_GT(longest_of(long_one), kOutageMax);
    const auto short_one = outages({bad(6h), bad(30h), good(54h, 57h)});
    ASSERT_EQ(short_one.size(), 1U);
    EXPECT_EQ(days(short_one[0].length), 2.125);
    EXPECT_LE(longest_of(short_one), kOutageMax);
}

TEST(Outage, IsThreeBadRunsOrADayWithoutAGoodOne) {
    struct Row {
        const char* what;
        std::vector<ExpectedRun> runs;
        std::size_t outages;
    };

    const std::vector<Row> rows{
        {.what = "nothing was expected", .runs = {}, .outages = 0},
        {.what = "all good", .runs = {good(1h, 2h), good(3h, 4h)}, .outages = 0},
        {.what = "two bad, soon good", .runs = {bad(1h), bad(2h), good(3h, 4h)}, .outages = 0},
        {.what = "three bad", .runs = {bad(1h), bad(2h), bad(3h), good(4h, 5h)}, .outages = 1},
        {.what = "one bad, good in less than a day",
         .runs = {bad(1h), good(20h, 25h - 1ms)},
         .outages = 0},
        {.what = "one bad, good after a day", .runs = {bad(1h), good(20h, 25h)}, .outages = 1},
        {.what = "a good one between",
         .runs = {bad(1h), bad(2h), good(3h, 4h), bad(5h), good(6h, 7h)},
         .outages = 0},
        {.what = "two of them",
         .runs = {bad(1h), good(2h, 30h), bad(50h), good(60h, 90h)},
         .outages = 2},
        {.what = "it lasts", .runs = {good(1h, 2h), bad(100h)}, .outages = 1},
        {.what = "too early to tell", .runs = {good(1h, 2h), bad(239h)}, .outages = 0},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        EXPECT_EQ(outages(row.runs).size(), row.outages);
        auto backwards = row.runs;
        std::ranges::reverse(backwards);
        EXPECT_EQ(outages(backwards), outages(row.runs));
    }
}

TEST(Outage, ThatLastsHasItsLengthSoFar) {
    const auto found = outages({bad(200h), bad(210h)});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_FALSE(found[0].end);
    EXPECT_EQ(found[0].length, Millis{40h});
    EXPECT_EQ(found[0].bad, 2U);
}

TEST(Outage, PlannedTimeIsInNone) {
    const std::vector<ExpectedRun> runs{bad(6h), bad(30h), bad(54h), good(78h, 80h)};
    const TimeSpan first{.from = kTuesday + 20h, .until = kTuesday + 40h};
    const TimeSpan second{.from = kTuesday + 30h, .until = kTuesday + 44h};
    const auto found = outages_of(runs, {second, first}, kTuesday + 240h);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].bad, 2U);
    EXPECT_EQ(found[0].length, Millis{74h - 24h});
    EXPECT_TRUE(
        outages_of(runs, {{.from = kTuesday, .until = kTuesday + 70h}}, kTuesday + 240h).empty()
    );
}

TEST(FlakyShare, IsLowBelowOneOfTwenty) {
    EXPECT_TRUE(is_flaky_share_low(1009, 20184));
    EXPECT_FALSE(is_flaky_share_low(1010, 20184));
    EXPECT_FALSE(is_flaky_share_low(1212, 20184));
    EXPECT_FALSE(is_flaky_share_low(0, 0));
}

} // namespace

} // namespace baton::domain
