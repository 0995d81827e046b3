#include "baton/base/time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kLastMs = 253'402'300'799'999;

TEST(Rfc3339, PrintsUtcWithMilliseconds) {
    EXPECT_EQ(to_rfc3339(from_ms(0)), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(to_rfc3339(from_ms(1'794'749'400'123)), "2026-11-15T13:30:00.123Z");
    EXPECT_EQ(to_rfc3339(from_ms(kLastMs)), "9999-12-31T23:59:59.999Z");
}

struct TimeCase {
    std::string_view text;
    std::int64_t ms;
};

constexpr std::array kTimeCases{
    TimeCase{"1970-01-01T00:00:00Z", 0},
    TimeCase{"2026-11-15T13:30:00Z", 1'794'749'400'000},
    TimeCase{"2026-11-15t13:30:00z", 1'794'749'400'000},
    TimeCase{"2026-11-15T14:30:00+01:00", 1'794'749'400'000},
    TimeCase{"2026-11-15T08:00:00-05:30", 1'794'749'400'000},
    TimeCase{"2026-11-15T13:30:00.5Z", 1'794'749'400'500},
    TimeCase{"2026-11-15T13:30:00.123999999Z", 1'794'749'400'123},
    TimeCase{"2024-02-29T00:00:00Z", 1'709'164'800'000},
    TimeCase{"9999-12-31T23:59:59.999Z", kLastMs},
};

TEST(Rfc3339, ReadsZoneAndFractionInEveryForm) {
    for (const auto& c : kTimeCases) {
        SCOPED_TRACE(c.text);
        const auto when = parse_rfc3339(c.text);
        ASSERT_TRUE(when.has_value());
        EXPECT_EQ(to_ms(*when), c.ms);
    }
}

TEST(Rfc3339, RefusesWhatIsNoTime) {
    for (const std::string_view text :
         {"",
          "2026-11-15",
          "2026-11-15T13:30:00",
          "2026-11-15T13:30Z",
          "2026-02-29T00:00:00Z",
          "2026-13-01T00:00:00Z",
          "2026-00-01T00:00:00Z",
          "2026-01-01T24:00:00Z",
          "2026-01-01T00:60:00Z",
          "2026-01-01T00:00:60Z",
          "2026-01-01T00:00:00.Z",
          "2026-01-01T00:00:00Zx",
          "2026-01-01T00:00:00+24:00",
          "2026-01-01T00:00:00+0100",
          "1970-01-01T00:00:00+00:01",
          "1969-12-31T23:59:59Z",
          "9999-12-31T23:59:59-00:01",
          "-026-01-01T00:00:00Z",
          "+026-01-01T00:00:00Z"}) {
        SCOPED_TRACE(text);
        const auto when = parse_rfc3339(text);
        ASSERT_FALSE(when.has_value());
        EXPECT_EQ(when.error().code, Errc::invalid);
    }
}

RC_GTEST_PROP(Rfc3339, ParseOfPrintGivesTheSame, ()) {
    const auto when = from_ms(*rc::gen::inRange<std::int64_t>(0, kLastMs + 1));
    const auto again = parse_rfc3339(to_rfc3339(when));
    RC_ASSERT(again.has_value());
    RC_ASSERT(to_ms(*again) == to_ms(when));
}

RC_GTEST_PROP(Rfc3339, AnyTextGetsAnAnswer, (const std::string& text)) {
    static_cast<void>(parse_rfc3339(text).has_value());
}

struct DurationCase {
    std::string_view text;
    Millis value;
};

constexpr std::array kDurationCases{
    DurationCase{"90s", 90s},
    DurationCase{"15m", 15min},
    DurationCase{"2h", 2h},
    DurationCase{"7d", 168h},
    DurationCase{"250ms", 250ms},
    DurationCase{"0s", 0s},
    DurationCase{"3650d", 87600h},
};

TEST(Duration, ReadsANumberAndAUnit) {
    for (const auto& c : kDurationCases) {
        SCOPED_TRACE(c.text);
        const auto duration = parse_duration(c.text);
        ASSERT_TRUE(duration.has_value());
        EXPECT_EQ(*duration, c.value);
        EXPECT_EQ(to_text(*duration), c.text);
    }
}

TEST(Duration, RefusesWhatIsNoneOrTooLong) {
    for (const std::string_view text :
         {"",
          "s",
          "90",
          "-1s",
          "1.5h",
          "1 h",
          " 1h",
          "1w",
          "1H",
          "1h30m",
          "3651d",
          "315360000001ms",
          "99999999999999999999999999s"}) {
        SCOPED_TRACE(text);
        EXPECT_FALSE(parse_duration(text).has_value());
    }
}

TEST(Duration, PrintsTheShortestExactForm) {
    EXPECT_EQ(to_text(1000ms), "1s");
    EXPECT_EQ(to_text(1001ms), "1001ms");
    EXPECT_EQ(to_text(120s), "2m");
    EXPECT_EQ(to_text(90min), "90m");
    EXPECT_EQ(to_text(72h), "3d");
    EXPECT_EQ(to_text(-90s), "-90s");
}

RC_GTEST_PROP(Duration, ParseOfPrintGivesTheSame, ()) {
    const Millis duration{*rc::gen::inRange<std::int64_t>(0, 315'360'000'001)};
    const auto again = parse_duration(to_text(duration));
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->count() == duration.count());
}

} // namespace

} // namespace baton
