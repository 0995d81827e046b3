// `baton quality`: what it prints about criteria and assessments, and what it says about input that
// cannot be used.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "e2e/cli_support.hpp"
#include "support/process.hpp"

namespace baton::test {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kExamples = BATON_SOURCE_DIR "/examples/quality";
const std::string kTessera = kExamples + "/tessera-tx1-linux/2.14.yml";
const std::string kXpu = kExamples + "/intel-xpu-linux/2.14.yml";
constexpr const char* kPoints = "pytorch-cpq/2025.11-124";

Finished quality(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "quality");
    return baton(std::move(arguments));
}

TEST(QualityCommand, ScoresAPlatformThatLacksOneP0Item) { // G11
    const auto told = quality({"score", kTessera, "--json"});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    const auto score = json_in(told);
    EXPECT_EQ(score.at("proven"), 93);
    EXPECT_EQ(score.at("potential"), 93);
    EXPECT_EQ(score.at("max"), 126);
    EXPECT_EQ(score.at("level"), "Unstable");
    EXPECT_EQ(score.at("p0").at("met"), 5);
    EXPECT_EQ(score.at("p0").at("total"), 6);
    EXPECT_EQ(score.at("p0").at("open").at(0), "SW-3");
    for (const auto& [name, reading] : score.at("readings").as_object()) {
        EXPECT_EQ(reading.at("level"), "Unstable") << name;
    }
    const auto text = quality({"score", kTessera});
    EXPECT_THAT(
        text.out,
        AllOf(
            HasSubstr("Unstable: 93 proven, 93 potential, 126 in all; 75.0 % of 124 printed"),
            HasSubstr("P0 5 of 6, open: SW-3"),
            HasSubstr("Stable asks for 99 points and every P0")
        )
    );
}

TEST(QualityCommand, TellsUnknownFromUnmet) { // G10
    const auto score = json_in(quality({"score", kXpu, "--json"}));
    EXPECT_EQ(score.at("proven"), 41);
    EXPECT_EQ(score.at("potential"), 126);
    EXPECT_EQ(score.at("level"), "Engineering");
    EXPECT_EQ(score.at("potential_level"), "Stable");
}

TEST(QualityCommand, RestatesAnAssessmentByOtherCriteria) {
    const auto told =
        quality({"score", kTessera, "--criteria", "pytorch-cpq/2025.11-132-draft", "--json"});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    const auto score = json_in(told);
    EXPECT_EQ(score.at("proven"), 93);
    EXPECT_EQ(score.at("potential"), 99) << "the two rows that it knows nothing of are unknown";
    EXPECT_EQ(score.at("max"), 132);
    EXPECT_EQ(score.at("level"), "Unstable");
}

TEST(QualityCommand, ScoresTheSameBytesEachTime) {
    EXPECT_EQ(
        quality({"score", kTessera, "--json"}).out, quality({"score", kTessera, "--json"}).out
    );
}

TEST(QualityCommand, FindsNoErrorInTheExamples) {
    const auto told = quality({"lint", kTessera, kXpu, "--json"});
    EXPECT_EQ(told.exit_code, 0) << told.out;
    EXPECT_TRUE(json_in(told).at("ok").as_bool());
    const auto chained =
        quality({"lint", kTessera, "--previous", kExamples + "/tessera-tx1-linux/2.13.yml"});
    EXPECT_EQ(chained.exit_code, 0) << chained.out;
}

TEST(QualityCommand, ChecksCriteria) { // G1
    const auto told = quality({"criteria", "check", kPoints});
    EXPECT_EQ(told.exit_code, 1);
    EXPECT_THAT(
        told.out,
        AllOf(
            HasSubstr("C001: section UX prints 14, its rows sum to 16"),
            HasSubstr("C002: the printed total is 124, all rows sum to 126"),
            HasSubstr("C003"),
            HasSubstr("C004: section FEAT: no document id 1")
        )
    );
    EXPECT_EQ(quality({"criteria", "check", "pytorch-acp/2026.07"}).exit_code, 0);
    EXPECT_THAT(quality({"criteria", "list"}).out, HasSubstr(kPoints));
    EXPECT_THAT(quality({"criteria", "show", kPoints}).out, HasSubstr("TEST-1  P1        step"));
    const auto items = quality({"criteria", "show", kPoints, "CI-4", "TEST-5"});
    EXPECT_THAT(
        items.out,
        AllOf(
            StartsWith("CI-4 Few flaky tests: P1, bin, 4 points\n  asks for "),
            HasSubstr("\n  evidence  ci-metric, junit; at most 30 days old"),
            HasSubstr("\n  helps     "),
            HasSubstr("\n  exempt    without target distributed\n")
        )
    );
    EXPECT_EQ(quality({"criteria", "show", kPoints, "CI-9"}).exit_code, 2);
    EXPECT_THAT(quality({"criteria", "export-md", kPoints}).out, HasSubstr("All rows sum to 126"));
    const auto changes =
        json_in(quality({"criteria", "diff", "pytorch-cpq/2025.11-132-draft", kPoints, "--json"}));
    EXPECT_EQ(changes.at("items").as_array().size(), 2U);
}

TEST(QualityCommand, SaysWhatTheNextLevelCosts) { // G11
    const auto told = quality({"gap", kTessera, "--to", "stable", "--json"});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    const auto gap = json_in(told);
    EXPECT_EQ(gap.at("way").at("effort"), 11);
    EXPECT_EQ(gap.at("way").at("points"), 99);
    EXPECT_EQ(gap.at("robust").at("effort"), 13);
    EXPECT_EQ(gap.at("robust").at("points"), 101);
    EXPECT_THAT(quality({"gap", kTessera}).out, HasSubstr("Stable: effort 11, 99 points of 99"));
    EXPECT_THAT(
        quality({"gap", kTessera, "--robust"}).out,
        HasSubstr("Stable, however it is read: effort 13, 101 points of 101")
    );
    EXPECT_EQ(gap.at("documented_earliest"), "2.15");
    EXPECT_THAT(
        quality({"gap", kTessera}).out,
        HasSubstr("if 2.14 becomes the first, with 2.15 (planned for 2026-10-28) at the earliest")
    );
    EXPECT_EQ(quality({"gap", kTessera, "--to", "Steady"}).exit_code, 2);
}

TEST(QualityCommand, SaysWhatWouldBe) {
    const auto told =
        quality({"simulate", kTessera, "--set", "SW-3=met", "--set", "FB-1=12/14", "--json"});
    const auto both = json_in(told);
    EXPECT_EQ(both.at("before").at("proven"), 93);
    EXPECT_EQ(both.at("after").at("proven"), 99);
    EXPECT_EQ(both.at("after").at("level"), "Stable");
    EXPECT_TRUE(both.at("after").at("reading_sensitive").as_bool());
    EXPECT_EQ(quality({"simulate", kTessera, "--set", "SW-9=met"}).exit_code, 2);
}

TEST(QualityCommand, TellsWhichLevelTheReleasesDocument) {
    const auto told =
        json_in(quality({"history", kExamples + "/tessera-tx1-linux", "--latest", "2.15", "--json"})
        );
    const auto& platform = told.at("platforms").at(0);
    EXPECT_EQ(platform.at("documented"), "Engineering");
    const auto& releases = platform.at("releases").as_array();
    ASSERT_EQ(releases.size(), 3U);
    EXPECT_EQ(releases[1].at("level"), "Unstable");
    EXPECT_TRUE(releases[2].at("stale").as_bool());
}

TEST(QualityCommand, BeginsAnAssessmentThatLintHasNothingToSayAbout) {
    const TemporaryFolder folder;
    const auto begun =
        quality({"init", "--platform", "tessera-tx1-linux", "--release", "2.15", "--from", kTessera}
        );
    EXPECT_EQ(begun.exit_code, 0) << begun.err;
    const auto path = folder.write("2.15.yml", begun.out);
    const auto linted = quality({"lint", path, "--previous", kTessera, "--strict"});
    EXPECT_EQ(linted.exit_code, 0) << linted.out;
    EXPECT_EQ(json_in(quality({"score", path, "--json"})).at("proven"), 0);
    EXPECT_EQ(quality({"init", "--platform", "p", "--release", "2"}).exit_code, 2);
}

TEST(QualityCommand, SaysWhatIsWrongWhereAndLeavesWithOne) {
    const TemporaryFolder folder;
    auto text = quality({"init", "--platform", "p", "--release", "2.14"}).out;
    const std::string wrong = "  HW-1: {claim: unknown}";
    const auto at = text.find(wrong);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, wrong.size(), "  HW-1: {clam: met}");
    const auto path = folder.write("a.yml", text);
    const auto told = quality({"lint", path});
    EXPECT_EQ(told.exit_code, 1);
    EXPECT_THAT(
        told.out, HasSubstr(": error: Q040: unknown key \"clam\"; did you mean \"claim\"?")
    );
    EXPECT_EQ(quality({"score", path}).exit_code, 1);
    EXPECT_THAT(quality({"lint", path, "--format", "github"}).out, StartsWith("::error file="));
    const auto sarif = json_in(quality({"lint", path, "--format", "sarif"}));
    EXPECT_EQ(sarif.at("version"), "2.1.0");
    EXPECT_EQ(sarif.at("runs").at(0).at("results").at(0).at("ruleId"), "Q040");
}

TEST(QualityCommand, LeavesWithTwoWhenThereIsNothingToRead) {
    const TemporaryFolder folder;
    const auto path = folder.write("a.yml", "a: [\n");
    for (const auto* verb : {"lint", "score", "history", "gap"}) {
        SCOPED_TRACE(verb);
        EXPECT_EQ(quality({verb, path}).exit_code, 2);
        EXPECT_EQ(quality({verb, folder.file("nowhere.yml")}).exit_code, 2);
    }
    EXPECT_EQ(quality({"criteria", "check", path}).exit_code, 2);
    EXPECT_EQ(quality({"criteria", "show", "pytorch-cpq/1"}).exit_code, 2);
    EXPECT_EQ(quality({"score", kTessera, "--reading", "mine"}).exit_code, 2);
}

} // namespace

} // namespace baton::test
