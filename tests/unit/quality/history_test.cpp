#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/history.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::quality {

namespace {

constexpr std::string_view kLetters = "EUS";

/// One letter for each minor release; `.` was not assessed.
std::vector<Grade> grades_of(std::string_view letters) {
    std::vector<Grade> grades;
    int minor = 0;
    for (const char letter : letters) {
        if (letter != '.') {
            grades.push_back(
                {.release = {.major = 2, .minor = minor},
                 .rank = static_cast<int>(kLetters.find(letter))}
            );
        }
        ++minor;
    }
    return grades;
}

std::string documented(std::string_view letters, HistoryRule rule = {}) {
    std::string out;
    for (const auto& point : history(rule, grades_of(letters))) {
        out += kLetters[static_cast<std::size_t>(point.documented)];
    }
    return out;
}

TEST(History, FollowsTheTable) { // G12

    struct Case {
        const char* name;
        const char* grades;
        const char* documented;
    };

    for (const auto& c : {
             Case{"added as Unstable", "UU", "EU"},
             Case{"added as Stable, not by way of Unstable", "SS", "ES"},
             Case{"at least Unstable twice", "US", "EU"},
             Case{"and Stable after it", "USS", "EUS"},
             Case{"single dips are ignored both ways", "EUUSSUSUUEE", "EEUUSSSSUUE"},
             Case{"two levels down in one step", "SSEE", "ESSE"},
             Case{"both below Stable: the better of the two", "SSUE", "ESSU"},
             Case{"alternation never documents", "ESES", "EEEE"},
         }) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(documented(c.grades), c.documented);
    }
}

TEST(History, OfAReleaseThatNobodyAssessedBreaksThePair) {
    EXPECT_EQ(documented("S.S"), "EEE");
    EXPECT_EQ(documented("SS.EE"), "ESSSE");
    EXPECT_EQ(documented("S.S", {.missing = Missing::carry}), "ESS");
    EXPECT_EQ(documented("SS.E", {.missing = Missing::fail}), "ESSE");
}

TEST(History, IsStaleAfterTheLastAssessment) {
    const auto points = history({}, grades_of("SS"), Release{.major = 2, .minor = 3});
    ASSERT_EQ(points.size(), 4U);
    EXPECT_FALSE(points[1].stale);
    EXPECT_TRUE(points[2].stale);
    EXPECT_EQ(points[3].documented, 2);
    EXPECT_FALSE(points[3].rank);
}

TEST(History, GoesOnAfterANewMajorRelease) {
    const std::vector<Grade> grades{
        {.release = {.major = 2, .minor = 14}, .rank = 2},
        {.release = {.major = 3, .minor = 0}, .rank = 2},
    };
    EXPECT_EQ(history({}, grades).back().documented, 2);
}

std::string drawn_grades() {
    return *rc::gen::container<std::string>(rc::gen::elementOf(std::string(kLetters)));
}

RC_GTEST_PROP(History, StaysWhereItIsWhileGradesStayTheSame, ()) {
    const auto letter = *rc::gen::elementOf(std::string(kLetters));
    const auto count = *rc::gen::inRange<std::size_t>(2, 12);
    const auto out = documented(std::string(count, letter));
    RC_ASSERT(out.substr(1) == std::string(count - 1, letter));
}

RC_GTEST_PROP(History, NeverLeavesWhatTheLastTwoReleasesWere, ()) {
    const auto grades = drawn_grades();
    const auto out = documented(grades);
    for (std::size_t i = 1; i < grades.size(); ++i) {
        const auto rank = [](char letter) { return kLetters.find(letter); };
        const auto low = std::min(rank(grades[i - 1]), rank(grades[i]));
        const auto high = std::max(rank(grades[i - 1]), rank(grades[i]));
        RC_ASSERT(rank(out[i]) >= low);
        RC_ASSERT(rank(out[i]) <= high);
    }
}

RC_GTEST_PROP(History, IsNotChangedByOneOutlier, ()) {
    const auto letter = *rc::gen::elementOf(std::string(kLetters));
    const auto other = *rc::gen::elementOf(std::string(kLetters));
    std::string grades(8, letter);
    grades[*rc::gen::inRange<std::size_t>(2, 7)] = other;
    RC_ASSERT(documented(grades) == documented(std::string(8, letter)));
}

RC_GTEST_PROP(History, DoesNotDependOnTheOrderOfItsGrades, ()) {
    const auto letters = drawn_grades();
    auto grades = grades_of(letters);
    std::ranges::reverse(grades);
    std::string out;
    for (const auto& point : history({}, grades)) {
        out += kLetters[static_cast<std::size_t>(point.documented)];
    }
    RC_ASSERT(out == documented(letters));
}

} // namespace

} // namespace baton::quality
