#include "baton/base/time.hpp"
#include "baton/domain/cron.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {
namespace {

TimePoint at(std::string_view text) {
    return parse_rfc3339(text).value();
}

Cron cron(std::string_view text) {
    return Cron::parse(text).value();
}

TEST(Cron, TakesTheUsualForms) {
    for (const std::string_view text :
         {"* * * * *",
          "*/15 0-23/2 1,15 jan-mar MON-fri",
          "0 3 * * 7",
          "59 23 31 12 0",
          "0\t3  * * *"}) {
        SCOPED_TRACE(text);
        const auto good = Cron::parse(text);
        EXPECT_TRUE(good.has_value()) << good.error().detail;
    }
}

TEST(Cron, NamesTheFieldThatIsWrong) {
    const std::array<std::pair<std::string_view, std::string_view>, 14> cases{{
        {"60 * * * *", "minute: \"60\" is not between 0 and 59"},
        {"* 24 * * *", "hour: \"24\""},
        {"* * 0 * *", "day of month: \"0\""},
        {"* * * 13 *", "month: \"13\""},
        {"* * * * 8", "day of week: \"8\""},
        {"* * * mon *", "month: \"mon\""},
        {"5-1 * * * *", "runs backwards"},
        {"1,,2 * * * *", "minute: \"\""},
        {"*/0 * * * *", "no step"},
        {"5/10 * * * *", "needs * or a range"},
        {"-1 * * * *", "minute: \"\""},
        {"0 0 30 2 *", "never due"},
        {"0 0 31 4,6,9,11 *", "never due"},
        {"* * * * * *", "has 6 fields"},
    }};
    for (const auto& [text, message] : cases) {
        SCOPED_TRACE(text);
        const auto good = Cron::parse(text);
        ASSERT_FALSE(good.has_value());
        EXPECT_NE(good.error().detail.find(message), std::string::npos) << good.error().detail;
    }
    EXPECT_FALSE(Cron::parse("").has_value());
    EXPECT_FALSE(Cron::parse("@daily").has_value());
}

struct NextCase {
    const char* name;
    std::string_view cron;
    std::string_view after;
    std::string_view next;
};

constexpr NextCase kNextCases[] = {
    {"later the same day", "0 3 * * *", "2026-11-15T01:00:00Z", "2026-11-15T03:00:00Z"},
    {"tomorrow", "0 3 * * *", "2026-11-15T04:00:00Z", "2026-11-16T03:00:00Z"},
    {"never the moment itself", "0 3 * * *", "2026-11-15T03:00:00Z", "2026-11-16T03:00:00Z"},
    {"nor its own minute", "0 3 * * *", "2026-11-15T03:00:59.999Z", "2026-11-16T03:00:00Z"},
    {"a millisecond before", "0 3 * * *", "2026-11-15T02:59:59.999Z", "2026-11-15T03:00:00Z"},
    {"within the hour", "*/15 * * * *", "2026-11-15T03:15:00Z", "2026-11-15T03:30:00Z"},
    {"over the hour", "*/15 * * * *", "2026-11-15T03:45:00Z", "2026-11-15T04:00:00Z"},
    {"over midnight and the year", "30 2 * * *", "2026-12-31T23:00:00Z", "2027-01-01T02:30:00Z"},
    {"the last day of a month", "0 0 31 * *", "2026-01-31T00:00:00Z", "2026-03-31T00:00:00Z"},
    {"a leap day", "0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
    {"over a century that does not leap",
     "0 0 29 2 *",
     "2096-02-29T00:00:00Z",
     "2104-02-29T00:00:00Z"},
    {"weekdays", "0 3 * * mon-fri", "2026-11-13T12:00:00Z", "2026-11-16T03:00:00Z"}, // a Friday
    {"Sunday as 0", "0 3 * * 0", "2026-11-15T04:00:00Z", "2026-11-22T03:00:00Z"},
    {"Sunday as 7", "0 3 * * 7", "2026-11-15T04:00:00Z", "2026-11-22T03:00:00Z"},
    {"either day when both are given: the weekday",
     "0 3 20 * mon",
     "2026-11-15T04:00:00Z",
     "2026-11-16T03:00:00Z"},
    {"either day when both are given: the date",
     "0 3 20 * mon",
     "2026-11-16T04:00:00Z",
     "2026-11-20T03:00:00Z"},
    {"both days when one begins with a star",
     "0 3 */2 * mon",
     "2026-11-15T04:00:00Z",
     "2026-11-23T03:00:00Z"}, // the 16th is even
    {"a month by name", "0 0 1 feb *", "2026-11-15T00:00:00Z", "2027-02-01T00:00:00Z"},
    {"a list", "5,50 3,22 * * *", "2026-11-15T03:50:00Z", "2026-11-15T22:05:00Z"},
    {"a range with a step", "0 8-18/5 * * *", "2026-11-15T13:00:00Z", "2026-11-15T18:00:00Z"},
};

TEST(Cron, KnowsWhatIsNext) {
    for (const auto& c : kNextCases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(to_rfc3339(cron(c.cron).next_after(at(c.after))), to_rfc3339(at(c.next)));
    }
}

TEST(Cron, CountsWhatWasDue) {
    const auto hourly = cron("0 * * * *");
    const auto dues = hourly.due_between(at("2026-11-15T00:00:00Z"), at("2026-11-15T05:00:00Z"), 2);
    EXPECT_EQ(dues.newest, (std::vector{at("2026-11-15T04:00:00Z"), at("2026-11-15T05:00:00Z")}))
        << "the end is in, the beginning is not";
    EXPECT_EQ(dues.earlier, 3U);
    const auto none = hourly.due_between(at("2026-11-15T05:00:00Z"), at("2026-11-15T05:59:00Z"), 2);
    EXPECT_TRUE(none.newest.empty());
    const auto backwards =
        hourly.due_between(at("2026-11-15T05:00:00Z"), at("2026-11-15T01:00:00Z"), 2);
    EXPECT_TRUE(backwards.newest.empty()) << "a clock that was set back";
}

TEST(Cron, IsAtMostDailyWhenItNamesOneMinuteOfTheDay) {
    for (const std::string_view daily : {"0 3 * * *", "0 3 * * mon-fri", "30 4 1,15 * *"}) {
        EXPECT_TRUE(cron(daily).is_at_most_daily()) << daily;
    }
    for (const std::string_view often : {"0 3,15 * * *", "0,30 3 * * *", "0 */6 * * *"}) {
        EXPECT_FALSE(cron(often).is_at_most_daily()) << often;
    }
}

RC_GTEST_PROP(Cron, MissesNothingBetweenTwoDueMoments, ()) {
    const auto text = *rc::gen::element<std::string>(
        "*/7 * * * *", "0 3 * * *", "15,45 */5 * * sat", "1 2 */9 * *", "59 23 28-31 * tue"
    );
    const auto schedule = cron(text);
    const auto start = from_ms(*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000));
    const auto next = schedule.next_after(start);
    RC_ASSERT(next > start);
    RC_ASSERT(schedule.next_after(next - std::chrono::minutes{1}) == next);
    const auto between = start + (next - start) / 2;
    RC_ASSERT(
        schedule.next_after(between) == next ||
        std::chrono::floor<std::chrono::minutes>(between) >= next
    );
}

} // namespace
} // namespace baton::domain
