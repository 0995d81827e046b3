// The report of the example platform, as it is kept, and what strangers may write into one.

#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"
#include "baton/wire/assessment.hpp"
#include "baton/wire/badge.hpp"
#include "baton/wire/calendar.hpp"
#include "baton/wire/criteria.hpp"
#include "baton/wire/report_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pugixml.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

using quality::Assessment;
using quality::BadgeKind;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string slurp(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Assessment tessera(std::string_view release) {
    const auto path = std::string(BATON_SOURCE_DIR) + "/examples/quality/tessera-tx1-linux/" +
                      std::string(release) + ".yml";
    return read_assessment(slurp(path)).assessment.value();
}

const quality::CriteriaSet& points() {
    return *builtin_criteria_set("pytorch-cpq/2025.11-124");
}

quality::ReportInput input_of(const Assessment& now, std::string_view as_of = "2026-10-20") {
    return {
        .set = points(),
        .assessment = now,
        .as_of = *quality::parse_day(as_of),
        .before = {},
        .reading = {},
        .calendar = &pytorch_calendar(),
    };
}

/// In every format, under the name it is kept by.
std::map<std::string, std::string> formats_of(const quality::Report& report) {
    const auto page = quality::lay_out(report);
    return {
        {"report.txt", quality::to_text(page)},
        {"report.md", quality::to_markdown(page)},
        {"report.html", quality::to_html(page)},
        {"result.json", report_json(report)},
    };
}

pugi::xml_document document_in(const std::string& html) {
    pugi::xml_document document;
    auto text = html.substr(html.find("<body>"));
    text.erase(text.rfind("</html>"));
    const auto parsed = document.load_string(text.c_str());
    EXPECT_TRUE(parsed) << parsed.description();
    return document;
}

TEST(QualityReport, ReadsAsItIsKept) {
    const auto before = tessera("2.13");
    const auto now = tessera("2.14");
    auto input = input_of(now);
    input.before.push_back({.set = &points(), .assessment = &before});
    for (const auto& [name, bytes] : formats_of(quality::make_report(input))) {
        const auto kept = std::string(BATON_SOURCE_DIR) + "/tests/golden/quality/" + name;
        if (std::getenv("BATON_REWRITE_GOLDEN") != nullptr) {
            std::ofstream(kept, std::ios::binary) << bytes;
        }
        EXPECT_EQ(bytes, slurp(kept)) << "BATON_REWRITE_GOLDEN=1 writes " << kept << " anew";
    }
}

TEST(QualityReport, IsTheSameBytesEachTime) {
    const auto now = tessera("2.14");
    EXPECT_EQ(
        formats_of(quality::make_report(input_of(now))),
        formats_of(quality::make_report(input_of(now)))
    );
}

TEST(QualityReport, FitsAHundredColumns) {
    auto now = tessera("2.14");
    now.platform.name = std::string(300, 'n');
    now.claims.front().note = std::string(300, 'x') + " é é " + std::string(150, 'y');
    now.claims.front().kind = quality::ClaimKind::unknown;
    std::istringstream text(formats_of(quality::make_report(input_of(now))).at("report.txt"));
    for (std::string line; std::getline(text, line);) {
        const auto columns = std::ranges::count_if(line, [](char c) {
            return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
        });
        EXPECT_LE(columns, 100) << line;
    }
}

TEST(QualityReport, IsAPageWithHeadingsHeadersAndNothingToLoad) {
    const auto now = tessera("2.14");
    const auto html = formats_of(quality::make_report(input_of(now))).at("report.html");
    const auto page = document_in(html);
    EXPECT_EQ(page.select_nodes("//h1").size(), 1U);
    EXPECT_EQ(page.select_nodes("//h2").size(), 12U);
    EXPECT_EQ(page.select_nodes("//th[not(@scope)]").size(), 0U);
    EXPECT_EQ(page.select_nodes("//th[not(node())]").size(), 0U) << "a header without words";
    EXPECT_EQ(page.select_nodes("//tbody/tr[not(th)]").size(), 0U);
    EXPECT_EQ(page.select_nodes("//script|//img|//link|//iframe|//object|//@src").size(), 0U);
    EXPECT_EQ(page.select_nodes("//*[@*[starts-with(name(), 'on')]]").size(), 0U);
    EXPECT_THAT(html, HasSubstr("prefers-color-scheme:dark"));
    EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(QualityReport, DrawsBarsThatHaveTextBesideThem) {
    const auto now = tessera("2.14");
    const auto page =
        document_in(formats_of(quality::make_report(input_of(now))).at("report.html"));
    const auto bars = page.select_nodes("//tr[td/svg]");
    EXPECT_EQ(bars.size(), points().sections.size());
    for (const auto& bar : bars) {
        EXPECT_STREQ(
            bar.node().select_node("td/svg").node().attribute("aria-hidden").value(), "true"
        );
        EXPECT_EQ(bar.node().select_nodes("td[number(.) = number(.)]").size(), 4U);
    }
}

TEST(QualityReport, MakesForeignTextHarmless) {
    const std::string bad = "<script>alert(1)</script> | @team #12 \x1b[31m `x` [a](http://b) \"'&";
    auto now = tessera("2.14");
    now.platform.name = bad;
    now.assessed.by = {bad};
    now.assessed.requests = bad;
    now.decision->level = bad;
    now.evidence.front().id = bad;
    now.evidence.front().url = "javascript:alert(1)";
    now.claims.front().evidence = {{.id = bad, .at = {}}};
    now.claims.back().kind = quality::ClaimKind::unknown;
    now.claims.back().note = bad;
    now.support.front().note = bad;
    now.process.steps.front().link = "javascript:alert(1)";
    now.process.steps.front().outcome = bad;
    const auto formats = formats_of(quality::make_report(input_of(now)));

    const auto& html = formats.at("report.html");
    const auto page = document_in(html);
    EXPECT_EQ(page.select_nodes("//script").size(), 0U);
    EXPECT_EQ(page.select_nodes("//a[starts-with(@href, 'javascript')]").size(), 0U);
    EXPECT_THAT(html, Not(HasSubstr("\x1b")));
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt; | @team #12 \\x1b[31m"));

    const auto& text = formats.at("report.txt");
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));

    std::istringstream lines(formats.at("report.md"));
    for (std::string line; std::getline(lines, line);) {
        const auto at = line.find("<script>");
        if (at != std::string::npos) { // only inside code, which nothing in it can end
            EXPECT_EQ(std::count(line.begin(), line.begin() + static_cast<long>(at), '`') % 2, 1)
                << line;
        }
        EXPECT_THAT(line, Not(HasSubstr("](javascript")));
        EXPECT_THAT(line, Not(HasSubstr("\x1b")));
    }
    EXPECT_EQ(boost::json::parse(formats.at("result.json")).at("name").as_string(), bad);
}

TEST(QualityReport, WarnsOfAnOpenSecurityItem) { // A16
    auto now = tessera("2.14");
    EXPECT_THAT(
        formats_of(quality::make_report(input_of(now))).at("report.txt"), Not(HasSubstr("arning"))
    );
    for (auto& claim : now.claims) {
        if (claim.item == "PRE-2") {
            claim.kind = quality::ClaimKind::unknown;
        }
    }
    const auto told = formats_of(quality::make_report(input_of(now)));
    EXPECT_THAT(told.at("report.txt"), HasSubstr("Warning: PRE-2: nothing shows that"));
    EXPECT_THAT(told.at("report.md"), HasSubstr("PRE-2: nothing shows that"));
    EXPECT_THAT(
        told.at("result.json"), HasSubstr(R"("warnings":[{"item":"PRE-2","text":"nothing shows)")
    );
}

TEST(QualityReport, SaysWhenEvidenceNoLongerCounts) {
    const auto now = tessera("2.14");
    const auto fresh = quality::make_report(input_of(now, "2026-11-11"));
    const auto stale = quality::make_report(input_of(now, "2026-11-12"));
    EXPECT_FALSE(fresh.expired) << "the last day on which all of it counts; one of two does not";
    EXPECT_TRUE(stale.expired);
    EXPECT_THAT(formats_of(stale).at("report.md"), HasSubstr("smoke (T2, 31 d, expired)"));
    EXPECT_TRUE(boost::json::parse(report_json(stale)).at("stale").as_bool());
}

TEST(QualityReport, SaysHowManyReleasesALevelStillNeeds) {
    auto before = tessera("2.14");
    before.release = {.major = 2, .minor = 13};
    const auto now = tessera("2.14");
    auto input = input_of(now);
    const auto alone = quality::make_report(input);
    EXPECT_EQ(alone.documented.rank, 0);
    EXPECT_EQ(alone.documented.in_a_row, 1);
    EXPECT_FALSE(alone.changes);
    input.before.push_back({.set = &points(), .assessment = &before});
    const auto second = quality::make_report(input);
    EXPECT_EQ(second.documented.rank, 1);
    EXPECT_EQ(second.documented.in_a_row, 2);
    EXPECT_EQ(second.documented.needed, 2);
    ASSERT_TRUE(second.changes);
    EXPECT_THAT(second.changes->items, IsEmpty());
}

TEST(QualityReport, NamesTheCheapestWayAndTheOneNoReadingOverturns) {
    const auto now = tessera("2.14");
    const auto report = quality::make_report(input_of(now));
    ASSERT_TRUE(report.gap && report.gap->way && report.gap->robust);
    EXPECT_EQ(report.gap->way->effort, 11);
    EXPECT_EQ(report.gap->robust->effort, 13);
    const auto page = formats_of(report).at("report.md");
    EXPECT_THAT(page, HasSubstr("| cheapest way | SW-3, FB-1 at 80 % (effort 11) |"));
}

TEST(QualityWays, NameEveryLevelAndWhatMayFall) {
    const auto now = tessera("2.14");
    const auto report = quality::make_report(input_of(now));
    std::vector<quality::Gap> gaps;
    for (const int rank : {1, 2}) {
        gaps.push_back(quality::gap(points(), now, report.score, rank).value());
    }
    const auto page = quality::to_markdown(quality::lay_out_ways(report, gaps));
    EXPECT_THAT(page, HasSubstr("Unstable is reached already."));
    EXPECT_THAT(page, HasSubstr("The way to Stable"));
    EXPECT_THAT(page, HasSubstr("| SW-3 | all of it | +4 | 8 |"));
    EXPECT_THAT(page, HasSubstr("| TEST-4 | 4 | 9 (near) | 119 |"));
    EXPECT_THAT(page, HasSubstr("This evidence ends before the next assessment is due"));
}

TEST(QualityWays, TellWhatMayFallAtTheBestLevelToo) {
    auto now = tessera("2.14");
    for (auto& claim : now.claims) {
        if (claim.kind != quality::ClaimKind::measured) {
            claim.kind = quality::ClaimKind::met;
            claim.parts.clear();
            claim.checks.clear();
            claim.evidence = {{.id = "ut", .at = {}}};
        }
    }
    const auto report = quality::make_report(input_of(now));
    ASSERT_EQ(report.score.level, 2);
    ASSERT_FALSE(report.gap);
    const auto page = quality::to_markdown(quality::lay_out_ways(report, {}));
    EXPECT_THAT(page, HasSubstr("| TEST-4 | 4 | 9 (near) | 119 |"));
}

TEST(QualityComparison, SaysWhichAssessmentsAndWhatDiffers) {
    const auto before = tessera("2.13");
    const auto now = tessera("2.14");
    const auto first = quality::make_report(input_of(before));
    const auto second = quality::make_report(input_of(now));
    const auto changes = quality::changes(quality::scored(first), quality::scored(second));
    const auto page = quality::to_markdown(quality::lay_out(changes, before, now));
    EXPECT_THAT(page, HasSubstr("| first | Tessera TX1 (Linux) 2026.2, PyTorch 2.13 |"));
    EXPECT_THAT(page, HasSubstr("| what | first, then second |"));
    EXPECT_THAT(page, HasSubstr(" -> 93 "));
}

TEST(QualityBadge, IsDrawnInTheColourOfItsRankAndGreyWhenItIsStale) {
    const auto now = tessera("2.14");
    auto words = badge_words(quality::make_report(input_of(now)), BadgeKind::grade);
    EXPECT_THAT(draw_platform(words), HasSubstr(std::string(kBadgeFair)));
    words.best = true;
    EXPECT_THAT(draw_platform(words), HasSubstr(std::string(kBadgeGood)));
    words.stale = true;
    EXPECT_THAT(draw_platform(words), HasSubstr(std::string(kBadgeGrey)));
}

TEST(QualityBadge, SaysGradeDocumentedLevelOrPoints) {
    const auto now = tessera("2.14");
    const auto report = quality::make_report(input_of(now));
    EXPECT_EQ(badge_words(report, BadgeKind::grade).right, "◐ Unstable 93/126, P0 5/6");
    EXPECT_EQ(badge_words(report, BadgeKind::documented).right, "○ Engineering");
    EXPECT_EQ(badge_words(report, BadgeKind::score).right, "◐ 93/126");
    EXPECT_FALSE(quality::badge_kind_named("level"));
}

TEST(QualityBadge, SaysThatItIsStale) {
    const auto now = tessera("2.14");
    const auto words =
        badge_words(quality::make_report(input_of(now, "2027-01-01")), BadgeKind::grade);
    EXPECT_TRUE(words.stale);
    EXPECT_EQ(words.right, "✕ stale: Unstable 93/126, P0 5/6");
}

} // namespace

} // namespace baton::wire
