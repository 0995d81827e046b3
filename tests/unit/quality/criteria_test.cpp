#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/readings.hpp"
#include "baton/wire/criteria.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/quality/quality_story.hpp"

namespace baton::quality {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> told(const CriteriaSet& set) {
    std::vector<std::string> all;
    for (const auto& finding : check(set)) {
        all.push_back(finding.code + " " + finding.message);
    }
    return all;
}

/// Two items and two levels, without a fault.
CriteriaSet small_set() {
    CriteriaSet set{.set = "small", .version = "1"};
    set.sections = {{.id = "A", .title = "All"}};
    set.levels = {
        {.rank = 1, .name = "good", .require = {.percent = 50}},
        {.rank = 0, .name = "rest", .require = {}},
    };
    set.items = {
        {.id = "A-1", .section = "A", .doc_id = "1", .max = 4},
        {.id = "A-2",
         .section = "A",
         .doc_id = "2",
         .kind = Kind::add,
         .max = 2,
         .parts = {{.id = "x", .points = 1}, {.id = "y", .points = 1}}},
    };
    return set;
}

TEST(CriteriaCheck, FindsWhatThePrintedDocumentHasWrong) { // G1
    EXPECT_THAT(
        told(story::points()),
        ElementsAre(
            "C001 section UX prints 14, its rows sum to 16",
            "C002 the printed total is 124, all rows sum to 126",
            "C003 section FEAT: document id 5 of FEAT-7 is also that of FEAT-5",
            "C004 section FEAT: no document id 1"
        )
    );
}

TEST(CriteriaCheck, FindsWhatTheDraftHasWrong) { // G2
    const auto& draft = *wire::builtin_criteria_set("pytorch-cpq/2025.11-132-draft");
    EXPECT_EQ(draft.rows_total(), 132);
    EXPECT_EQ(draft.printed_total, 132);
    EXPECT_THAT(
        told(draft),
        ElementsAre(
            "C001 section UX prints 14, its rows sum to 16",
            "C003 section FEAT: document id 5 of FEAT-7 is also that of FEAT-5"
        )
    );
}

TEST(CriteriaCheck, HasNothingToSayAboutWhatAddsUp) {
    EXPECT_THAT(told(small_set()), IsEmpty());
    EXPECT_THAT(told(*wire::builtin_criteria_set("pytorch-acp/2026.07")), IsEmpty());
}

TEST(CriteriaCheck, RefusesWhatNobodyCouldReach) {
    auto set = small_set();
    set.levels[0].require.points = 7;
    EXPECT_THAT(told(set), ElementsAre(HasSubstr("C006 level good asks for 7 points")));
    set = small_set();
    set.levels.insert(set.levels.begin(), {.rank = 2, .name = "best", .require = {.percent = 40}});
    EXPECT_THAT(told(set), ElementsAre(HasSubstr("C005 level good is never reached")));
}

TEST(CriteriaCheck, RefusesPartsAndStepsThatDoNotFit) {
    auto set = small_set();
    set.items[1].parts.pop_back();
    EXPECT_THAT(told(set), ElementsAre("C007 A-2: its parts sum to 1, its max is 2"));
    set = small_set();
    set.items[0].kind = Kind::step;
    set.items[0].steps = {{.percent = 80, .points = 2}, {.percent = 50, .points = 4}};
    EXPECT_THAT(told(set), ElementsAre(HasSubstr("C007 A-1: its steps have to rise")));
}

TEST(Criteria, OfThePointsDocumentAreThirtyItemsAndSixOfThemP0) {
    const auto& set = story::points();
    int p0 = 0;
    int p0_points = 0;
    for (const auto& item : set.items) {
        p0 += item.priority == Priority::p0 ? 1 : 0;
        p0_points += item.priority == Priority::p0 ? item.max : 0;
    }
    EXPECT_EQ(set.items.size(), 30U);
    EXPECT_EQ(p0, 6);
    EXPECT_EQ(p0_points, 32);
    EXPECT_EQ(set.rows_total(), 126);
    EXPECT_EQ(set.total(Base::printed), 124);
}

TEST(CriteriaDiff, NamesWhatWentAndWhatItCosts) {
    const auto& draft = *wire::builtin_criteria_set("pytorch-cpq/2025.11-132-draft");
    const auto changes = diff(draft, story::points());
    int points = 0;
    for (const auto& change : changes) {
        points += change.points;
        EXPECT_NE(change.what, ItemChange::What::added) << change.id;
    }
    EXPECT_EQ(points, -6);
    EXPECT_THAT(diff(draft, draft), IsEmpty());
}

TEST(CriteriaMarkdown, HasARowForEachItemAndTellsOfWrongSums) {
    const auto text = to_markdown(story::points());
    for (const auto& item : story::points().items) {
        EXPECT_THAT(text, HasSubstr("| " + item.id + " |"));
    }
    EXPECT_THAT(text, HasSubstr("The document prints 14; the rows below sum to 16."));
    EXPECT_THAT(text, HasSubstr("All rows sum to 126; the document prints 124."));
}

TEST(Amount, IsReadAndWrittenExactly) {
    for (const auto* text : {"0", "5", "41.5", "0.001", "1000000"}) {
        ASSERT_TRUE(parse_amount(text)) << text;
        EXPECT_EQ(to_text(*parse_amount(text)), text);
    }
    for (const auto* text : {"", "-1", "1.", ".5", "1.2345", "1e3", "1000001", "1,5"}) {
        EXPECT_FALSE(parse_amount(text)) << text;
    }
}

TEST(Readings, RoundDownOrNotAtAll) {
    struct Case {
        Reading reading;
        int stable;
        int unstable;
    };

    for (const auto& c : {
             Case{Reading::printed, 99, 86},
             Case{Reading::pct_printed, 100, 87},
             Case{Reading::floor_rows, 100, 88},
             Case{Reading::pct_rows, 101, 89},
         }) {
        SCOPED_TRACE(name_of(c.reading));
        const int total = story::points().total(base_of(c.reading));
        EXPECT_EQ(least_points(80, total, rounding_of(c.reading)), c.stable);
        EXPECT_EQ(least_points(70, total, rounding_of(c.reading)), c.unstable);
        EXPECT_EQ(reading_named(name_of(c.reading)), c.reading);
        EXPECT_EQ(reading_of(base_of(c.reading), rounding_of(c.reading)), c.reading);
    }
}

} // namespace

} // namespace baton::quality
