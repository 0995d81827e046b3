// The pages under /quality as text.

#include "baton/hud/quality.hpp"
#include "baton/hud/quality_pages.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unit/hud/quality_texts.hpp"

namespace baton::hud {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto kUrl = "https://relay.example";

std::string matrix_of(const QualityShelf& known, bool open = true) {
    const auto list = quality_list_of(known, shown(open), kToday);
    return quality::to_markdown(matrix_page(known, list, kUrl));
}

TEST(QualityMatrixPage, HasALineForEachPlatformAndAColumnForEachRelease) {
    const auto known = shelf(
        {said({.release = "2.13"}),
         said({.release = "2.14", .second = "met"}),
         said({.platform = "two", .release = "2.14"})}
    );
    const auto page = matrix_of(known);
    EXPECT_THAT(page, HasSubstr("| platform | vendor | criteria | documented | trend | 2.14 |"));
    EXPECT_THAT(page, HasSubstr("[The one](https://relay.example/quality/one)"));
    EXPECT_THAT(page, HasSubstr("higher, +4 points since 2.13"));
    EXPECT_THAT(page, HasSubstr("10 of 10 proven, 0 unknown, P0 1 of 1"));
    EXPECT_THAT(page, HasSubstr("6 of 10 proven, 4 unknown, P0 1 of 1"));
    EXPECT_THAT(page, HasSubstr("not assessed"));
    EXPECT_THAT(page, HasSubstr("1 Good, 1 Fair, 0 Poor"));
}

TEST(QualityMatrixPage, SaysHowManyReleasesItLeavesOut) {
    std::vector<QualityText> texts;
    for (int minor = 7; minor < 15; ++minor) {
        texts.push_back(said({.release = "2." + std::to_string(minor)}));
    }
    const auto page = matrix_of(shelf(std::move(texts)));
    EXPECT_THAT(page, HasSubstr("The newest 6 releases of 8"));
    EXPECT_THAT(page, HasSubstr("2.9"));
    EXPECT_THAT(page, Not(HasSubstr("2.8")));
}

TEST(QualityMatrixPage, TellsOfFilesThatCannotBeUsedAndOfNoPrivatePlatform) {
    const auto known = shelf({said({}), {.path = "one/broken.yml", .text = "schema: ["}});
    EXPECT_THAT(matrix_of(known), HasSubstr("one/broken.yml"));
    const auto page = matrix_of(known, false);
    EXPECT_THAT(page, HasSubstr("Nothing has been assessed yet"));
    EXPECT_THAT(page, Not(HasSubstr("The one")));
}

TEST(QualityMatrixPage, MakesWhatVendorsWriteHarmless) {
    auto text = said({});
    const std::string name = "name: The one";
    text.text.replace(
        text.text.find(name), name.size(), "name: \"a|b [x](javascript:1) @all <b>\""
    );
    const auto page = matrix_of(shelf({text}));
    // Inside of code nothing is a link, a mention or a tag, and no bar ends the cell.
    EXPECT_THAT(
        page,
        HasSubstr("| [`a\u00a6b [x](javascript:1) @all <b>`](https://relay.example/quality/one) |")
    );
}

TEST(QualityCriteriaPage, ListsTheSetsWithLinks) {
    const auto page = quality::to_markdown(criteria_page(shelf({}), kUrl));
    EXPECT_THAT(page, HasSubstr("(https://relay.example/quality/criteria/house/1)"));
    EXPECT_THAT(page, HasSubstr("(https://relay.example/quality/criteria/pytorch-cpq/"));
    EXPECT_THAT(page, HasSubstr("Good, Fair, Poor"));
}

TEST(QualityReportOfAShelf, TellsTheSameDocumentedLevelAsThePage) {
    const auto known = shelf(
        {said({.release = "2.12"}),
         said({.release = "2.13", .second = "met"}),
         said({.platform = "two", .release = "2.15"})}
    );
    const auto line = quality_line_of(known, "one", shown(), kToday).value();
    const auto report = report_of(known, line, line.newest(), kToday);
    EXPECT_EQ(report.documented.rank, line.documented);
    EXPECT_TRUE(report.documented.stale) << "others have assessed 2.15";
    EXPECT_EQ(report.documented.in_a_row, 1);
    EXPECT_TRUE(badge_words(report, quality::BadgeKind::documented).stale);
    EXPECT_EQ(report.changes->from, (quality::Release{2, 12}));
    const auto first = report_of(known, line, *line.releases.back().of, kToday);
    EXPECT_EQ(first.documented.rank, line.releases.back().documented);
    EXPECT_FALSE(first.documented.stale);
    EXPECT_FALSE(first.changes);
    const auto card = quality::to_markdown(quality::lay_out_card(report, line.history));
    EXPECT_THAT(card, HasSubstr("| 2.14 | not assessed | Fair, stale |"));
}

} // namespace
} // namespace baton::hud
