#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/history.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace baton::quality {
namespace {

/// 2.15, 2.16 and 3.0 are out, 3.1 is to come.
Calendar calendar() {
    return {
        .project = "pytorch",
        .releases =
            {
                {.release = {2, 15}, .on = *parse_day("2026-10-28")},
                {.release = {2, 16}, .on = *parse_day("2026-12-22")},
                {.release = {3, 0}, .on = *parse_day("2027-02-17")},
                {.release = {3, 1}, .on = *parse_day("2027-04-14"), .planned = true},
            }
    };
}

/// The releases of a history, and "-" behind those that nobody assessed.
std::string walked(
    const std::vector<Release>& graded,
    const Calendar* known,
    std::optional<Release> latest = std::nullopt
) {
    std::vector<Grade> grades;
    for (const auto release : graded) {
        grades.push_back({.release = release, .rank = 1});
    }
    std::string out;
    for (const auto& point : history({}, grades, latest, known)) {
        out += (out.empty() ? "" : " ") + to_text(point.release) + (point.rank ? "" : "-");
    }
    return out;
}

TEST(Calendar, KnowsTheDaysOfReleasesThatCame) {
    EXPECT_EQ(calendar().day_of({2, 16}), parse_day("2026-12-22"));
    EXPECT_FALSE(calendar().day_of({3, 1})) << "a plan is no day that evidence can be older than";
    EXPECT_FALSE(calendar().day_of({2, 14}));
}

TEST(Calendar, KnowsWhichReleaseFollows) {
    EXPECT_EQ(calendar().after({2, 15}), (Release{2, 16}));
    EXPECT_EQ(calendar().after({2, 16}), (Release{3, 0}));
    EXPECT_EQ(calendar().after({3, 0}), (Release{3, 1})) << "the order is known before the day";
    EXPECT_FALSE(calendar().after({3, 1}));
    EXPECT_FALSE(calendar().after({2, 17}));
}

TEST(Calendar, KnowsWithWhichReleaseALevelIsDocumentedAtTheEarliest) {
    const auto known = calendar();
    EXPECT_EQ(to_text(documented_with(known, {2, 15}, 2).value()), "2.16 (2026-12-22)");
    EXPECT_EQ(to_text(documented_with(known, {2, 15}, 3).value()), "3.0 (2027-02-17)");
    EXPECT_EQ(to_text(documented_with(known, {3, 0}, 2).value()), "3.1 (planned for 2027-04-14)");
    EXPECT_EQ(to_text(documented_with(known, {3, 1}, 1).value()), "3.1 (planned for 2027-04-14)");
    EXPECT_FALSE(documented_with(known, {3, 1}, 2)) << "the calendar ends before";
    EXPECT_FALSE(documented_with(known, {2, 9}, 1)) << "not listed";
}

TEST(Calendar, IsAskedOnlyWhenTheAssessmentHasNoDay) {
    Assessment assessment;
    assessment.release = {2, 16};
    const auto known = calendar();
    EXPECT_EQ(released_on(assessment, &known), parse_day("2026-12-22"));
    EXPECT_FALSE(released_on(assessment, nullptr));
    assessment.released = parse_day("2026-12-23");
    EXPECT_EQ(released_on(assessment, &known), parse_day("2026-12-23"));
}

TEST(History, WalksAcrossMajorsByTheCalendar) {
    const auto known = calendar();

    struct Case {
        const char* what;
        std::vector<Release> graded;
        const char* without;
        const char* with;
    };

    for (const auto& c : {
             Case{
                 "the last of a major was skipped", {{2, 15}, {3, 0}}, "2.15 3.0", "2.15 2.16- 3.0"
             },
             Case{"it was not", {{2, 16}, {3, 0}}, "2.16 3.0", "2.16 3.0"},
             Case{
                 "two majors, one walk", {{2, 15}, {3, 1}}, "2.15 3.0- 3.1", "2.15 2.16- 3.0- 3.1"
             },
             Case{
                 "not listed, of the old major",
                 {{2, 16}, {2, 18}},
                 "2.16 2.17- 2.18",
                 "2.16 2.17- 2.18"
             },
             Case{"not listed before", {{2, 13}, {2, 15}}, "2.13 2.14- 2.15", "2.13 2.14- 2.15"},
             Case{"behind the calendar", {{3, 1}, {3, 3}}, "3.1 3.2- 3.3", "3.1 3.2- 3.3"},
             Case{
                 "behind the calendar, next major", {{3, 1}, {4, 1}}, "3.1 4.0- 4.1", "3.1 4.0- 4.1"
             },
         }) {
        SCOPED_TRACE(c.what);
        EXPECT_EQ(walked(c.graded, nullptr), c.without);
        EXPECT_EQ(walked(c.graded, &known), c.with);
    }
    EXPECT_EQ(walked({{2, 15}}, &known, Release{3, 0}), "2.15 2.16- 3.0-");
}

} // namespace
} // namespace baton::quality
