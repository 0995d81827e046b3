// Platforms as people see them, from the files of a folder.

#include "baton/base/ids.hpp"
#include "baton/hud/quality.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/quality/assessment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "unit/hud/quality_texts.hpp"

namespace baton::hud {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> messages(const FaultyFile& file) {
    std::vector<std::string> all;
    for (const auto& finding : file.findings) {
        all.push_back(finding.message);
    }
    return all;
}

TEST(QualityShelf, KnowsTheCriteriaThatAreBuiltInAndThoseOfItsFolder) {
    const auto known = shelf({});
    EXPECT_TRUE(known.criteria.contains({"house", "1"}));
    EXPECT_FALSE(known.criteria.at({"house", "1"}).builtin);
    EXPECT_TRUE(known.criteria.at({"pytorch-cpq", "2025.11-124"}).builtin);
}

TEST(QualityShelf, ShowsFilesThatCannotBeUsedBesideThoseThatCan) {
    const auto known = shelf(
        {said({}),
         {.path = "one/broken.yml", .text = "schema: ["},
         said({.release = "2.14"}),
         {.path = "two/2.14.yml",
          .text =
              "schema: cpq-assessment/1\ncriteria: {set: nobodys, version: \"9\"}\nplatform: {id: "
              "two, name: Two, vendor: V, class: cpu, targets: [training]}\nrelease: {pytorch: "
              "\"2.14\"}\nassessed: "
              "{on: 2026-11-02, by: [a], status: draft}\nitems: {}\n"},
         said({.platform = "criteria"}),
         said({.platform = "one.json"})}
    );
    EXPECT_THAT(known.platforms, SizeIs(1));
    ASSERT_THAT(known.faulty_assessments, SizeIs(5));
    EXPECT_EQ(known.faulty_assessments[0].path, "one/broken.yml");
    EXPECT_THAT(
        messages(known.faulty_assessments[1]),
        ElementsAre("one has an assessment of 2.14 already, in one/2.14.yml")
    );
    EXPECT_THAT(
        messages(known.faulty_assessments[2]), ElementsAre("there are no criteria nobodys/9")
    );
    EXPECT_THAT(
        messages(known.faulty_assessments[3]), ElementsAre("no platform can be called criteria")
    );
    EXPECT_THAT(
        messages(known.faulty_assessments[4]), ElementsAre("no platform can be called one.json")
    );
}

TEST(QualityShelf, RefusesASecondSetOfCriteriaOfOneLabel) {
    QualityTexts texts;
    texts.criteria = {
        {.path = "a.yml", .text = std::string(kCriteria)},
        {.path = "b.yml", .text = std::string(kCriteria)}
    };
    const auto known = shelf_of(std::move(texts));
    ASSERT_THAT(known.faulty_criteria, SizeIs(1));
    EXPECT_EQ(known.faulty_criteria[0].path, "b.yml");
    EXPECT_THAT(messages(known.faulty_criteria[0]), ElementsAre("house/1 is there already"));
}

TEST(QualityLines, TellGradesOfReleasesAndWhatTheyDocument) {
    const auto known = shelf(
        {said({.release = "2.13"}),
         said({.release = "2.14", .second = "met"}),
         said({.release = "2.12", .first = "unmet"})}
    );
    const auto list = quality_list_of(known, shown(), kToday);
    ASSERT_THAT(list.lines, SizeIs(1));
    const auto& line = list.lines.front();
    EXPECT_THAT(
        list.releases,
        ElementsAre(quality::Release{2, 14}, quality::Release{2, 13}, quality::Release{2, 12})
    );
    ASSERT_THAT(line.releases, SizeIs(3));
    EXPECT_EQ(line.releases[0].of->score.level, 2);
    EXPECT_EQ(line.releases[1].of->score.level, 1);
    EXPECT_EQ(line.releases[2].of->score.level, 0);
    EXPECT_EQ(line.documented, 1) << "two in a row are Fair at least";
    EXPECT_EQ(line.releases[1].documented, 0);
    EXPECT_EQ(line.trend->ranks, 1);
    EXPECT_EQ(line.trend->proven, 4);
    EXPECT_FALSE(line.stale);
    EXPECT_EQ(line.downstream->text(), "down/one");
}

TEST(QualityLines, AreStaleWhenOthersHaveNewerReleases) {
    const auto known = shelf({said({.release = "2.13"}), said({.platform = "two"})});
    const auto list = quality_list_of(known, shown(), kToday);
    ASSERT_THAT(list.lines, SizeIs(2));
    EXPECT_TRUE(list.lines[0].stale);
    EXPECT_FALSE(list.lines[1].stale);
    EXPECT_EQ(list.lines[0].history.size(), 2U) << "the release without a grade is there too";
}

TEST(QualityLines, CountItemsWhoseEvidenceIsTooOldToday) {
    const auto known = shelf({said({.captured = "2026-10-16"})});
    const auto after = [&known](int days) {
        const auto line = quality_line_of(
            known, "one", shown(), *quality::parse_day("2026-10-16") + std::chrono::days(days)
        );
        return line->releases.front().expired;
    };
    EXPECT_EQ(after(30), 0U);
    EXPECT_EQ(after(31), 1U);
}

TEST(QualityLines, AreOverdueFromTheDayBehindTheirDueOne) {
    const auto known = shelf({said({.rest = "process: {due: 2026-11-16}\n"})});
    EXPECT_FALSE(quality_line_of(known, "one", shown(), kToday)->overdue);
    EXPECT_TRUE(quality_line_of(known, "one", shown(), kToday + std::chrono::days(1))->overdue);
}

TEST(QualityLines, SayNothingOfAPrivateDownstreamsPlatform) {
    const auto known = shelf({said({}), said({.platform = "two", .repo = "other/two"})});
    const auto list = quality_list_of(known, shown(false), kToday);
    ASSERT_THAT(list.lines, SizeIs(1));
    EXPECT_EQ(list.lines.front().newest().assessment.platform.id, "two");
    EXPECT_FALSE(quality_line_of(known, "one", shown(false), kToday));
    EXPECT_FALSE(quality_line_of(known, "nobody", shown(), kToday));
}

TEST(QualityLines, AreCountedByTheGradeOfTheirNewestAssessment) {
    const auto known =
        shelf({said({.second = "met"}), said({.platform = "two"}), said({.platform = "three"})});
    const auto list = quality_list_of(known, shown(), kToday);
    ASSERT_THAT(list.reached, SizeIs(1));
    EXPECT_THAT(list.reached.front().platforms, ElementsAre(1U, 2U, 0U)) << "Good, Fair, Poor";
}

TEST(QualityProcess, HasAllStepsInTheirOrder) {
    const auto known = shelf({said(
        {.rest = "process: {steps: [{step: council-review, on: 2026-04-14, outcome: fine}]}\n"}
    )});
    const auto& assessment = known.find("one", {2, 14})->assessment;
    const auto steps = process_of(assessment.process);
    EXPECT_FALSE(steps[0].on);
    EXPECT_EQ(steps[2].outcome, "fine");
    EXPECT_EQ(quality::name_of(steps[4].step), "documentation");
}

TEST(QualityInterpretations, StandByNumberWithTheItemsThatRestOnThem) {
    const auto known = shelf({});
    const auto all = interpretations_of(known.criteria.at({"house", "1"}).set);
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all[0].number, "A2");
    EXPECT_EQ(all[1].number, "A13");
    EXPECT_THAT(all[1].items, ElementsAre("A-1", "A-2"));
}

TEST(QualityOfADownstream, IsThatOfThePlatformsWhoseBackendItIs) {
    const auto known = shelf({said({}), said({.platform = "two", .repo = "other/two"})});
    const auto all = platforms_of(known, *RepoName::parse("down/one"));
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_EQ(all.front()->assessment.platform.id, "one");
    EXPECT_THAT(platforms_of(known, *RepoName::parse("no/body")), IsEmpty());
}

} // namespace
} // namespace baton::hud
