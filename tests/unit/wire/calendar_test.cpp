#include "baton/quality/assessment.hpp"
#include "baton/quality/findings.hpp"
#include "baton/wire/calendar.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace baton::wire {
namespace {

using quality::parse_day;
using quality::Release;
using testing::HasSubstr;

std::string file_with(const std::string& releases) {
    return "schema: cpq-calendar/1\nproject: pytorch\nreleases:\n" + releases;
}

TEST(CalendarFile, IsReadAsItIsWritten) {
    const auto reading = read_calendar(
        file_with("  - {minor: \"2.16\", on: 2026-12-22, basis: announced, note: a note}\n"
                  "  - {minor: \"3.0\", on: 2027-02-17, basis: planned}\n")
    );
    ASSERT_TRUE(reading.calendar);
    EXPECT_EQ(reading.calendar->project, "pytorch");
    ASSERT_EQ(reading.calendar->releases.size(), 2U);
    EXPECT_EQ(reading.calendar->day_of({2, 16}), parse_day("2026-12-22"));
    EXPECT_TRUE(reading.calendar->releases[1].planned);
}

TEST(CalendarFile, SaysWhereItIsWrong) {
    struct Case {
        const char* releases;
        int line;
        const char* says;
    };

    for (const auto& c : {
             Case{
                 "  - {minor: \"2.16.1\", on: 2026-12-22, basis: planned}\n", 4, "no minor release"
             },
             Case{"  - {minor: \"2.16\", on: soon, basis: planned}\n", 4, "on"},
             Case{"  - {minor: \"2.16\", basis: planned}\n", 4, "on"},
             Case{"  - {minor: \"2.16\", on: 2026-12-22}\n", 4, "basis"},
             Case{"  - {minor: \"2.16\", on: 2026-12-22, basis: guessed}\n", 4, "announced"},
             Case{"  - {minor: \"2.16\", on: 2026-12-22, basis: planned, day: 1}\n", 4, "day"},
             Case{
                 "  - {minor: \"2.16\", on: 2026-12-22, basis: planned}\n"
                 "  - {minor: \"2.15\", on: 2026-12-23, basis: planned}\n",
                 5,
                 "2.15 of 2026-12-23 does not follow 2.16 of 2026-12-22"
             },
             Case{
                 "  - {minor: \"2.16\", on: 2026-12-22, basis: planned}\n"
                 "  - {minor: \"2.17\", on: 2026-12-22, basis: planned}\n",
                 5,
                 "does not follow"
             },
             Case{"  2.16: 2026-12-22\n", 4, "expected a list"},
         }) {
        SCOPED_TRACE(c.releases);
        const auto reading = read_calendar(file_with(c.releases));
        EXPECT_FALSE(reading.calendar);
        ASSERT_FALSE(reading.findings.empty());
        EXPECT_EQ(reading.findings[0].code, "C040");
        EXPECT_EQ(reading.findings[0].at.line, c.line);
        EXPECT_THAT(reading.findings[0].message, HasSubstr(c.says));
    }
    for (const auto* text : {"", "[", "a", "schema: cpq-criteria/1\nproject: p\nreleases: []\n"}) {
        EXPECT_FALSE(read_calendar(text).calendar) << text;
    }
}

TEST(CalendarFile, OfPyTorchIsCarriedInside) {
    const auto& calendar = pytorch_calendar();
    EXPECT_EQ(calendar.project, "pytorch");
    EXPECT_EQ(calendar.day_of({2, 14}), parse_day("2026-09-02"));
    EXPECT_EQ(calendar.after({2, 9}), (Release{2, 10}));
}

} // namespace
} // namespace baton::wire
