#include "baton/quality/assessment.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/criteria.hpp"
#include "baton/wire/quality_bundle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kFolder = "/examples/quality/tessera-tx1-linux/";

std::string slurp(std::string_view name) {
    std::ifstream in(
        std::string(BATON_SOURCE_DIR) + std::string(kFolder) + std::string(name), std::ios::binary
    );
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string criteria() {
    for (const auto& file : criteria_files()) {
        if (file.name == "pytorch-cpq-2025.11-124.yml") {
            return std::string(file.text);
        }
    }
    return {};
}

QualityBundleInput tessera() {
    QualityBundleInput input{
        .assessed = {.assessment = slurp("2.14.yml"), .criteria = criteria()},
        .evidence = {},
        .before = {{.assessment = slurp("2.13.yml"), .criteria = criteria()}},
        .as_of = *quality::parse_day("2026-10-20"),
        .reading = {},
    };
    for (const auto* const name : {"ev/2.14/smoke-3env.xml", "ev/2.14/dtypes.xml"}) {
        input.evidence[name] = slurp(name);
    }
    return input;
}

std::string replaced(std::string text, std::string_view old, std::string_view with) {
    const auto at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), with);
}

TEST(QualityBundle, HoldsWhatIsNeededToMakeItAgain) {
    const auto files = make_quality_bundle(tessera()).value();
    std::vector<std::string> names;
    for (const auto& [name, bytes] : files) {
        names.push_back(name);
    }
    EXPECT_THAT(
        names,
        ElementsAre(
            "assessment.yml",
            "before/2.13.yml",
            "criteria.yml",
            "digests.txt",
            "ev/2.14/dtypes.xml",
            "ev/2.14/smoke-3env.xml",
            "report.html",
            "report.md",
            "result.json"
        )
    );
    EXPECT_EQ(files, make_quality_bundle(tessera()).value()) << "the same bytes again";
}

TEST(QualityBundle, IsFoundGoodAgain) {
    const auto files = make_quality_bundle(tessera()).value();
    EXPECT_THAT(check_digests(files).value(), IsEmpty());
    const auto verdict = check_quality_bundle(files).value();
    EXPECT_THAT(verdict.differences, IsEmpty());
    EXPECT_EQ(verdict.level, "Unstable");
    EXPECT_EQ(verdict.proven, 93);
    EXPECT_TRUE(verdict.chained);
}

TEST(QualityBundle, KeepsItsDayAndItsReading) {
    auto input = tessera();
    input.as_of = *quality::parse_day("2026-12-24");
    input.reading = quality::Reading::pct_rows;
    const auto files = make_quality_bundle(input).value();
    EXPECT_THAT(files.at("result.json"), HasSubstr("\"as_of\":\"2026-12-24\""));
    EXPECT_THAT(check_quality_bundle(files).value().differences, IsEmpty());
}

TEST(QualityBundle, EveryChangedByteIsFound) {
    const auto good = make_quality_bundle(tessera()).value();
    for (const auto& [name, bytes] : good) {
        auto files = good;
        files[name] += "\n";
        const auto differences = check_digests(files);
        if (name != kDigestsFile) {
            EXPECT_THAT(differences.value(), ElementsAre(name + " was changed"));
        }
    }
}

/// Somebody who makes the digests anew is found by what the files say about each other.
TEST(QualityBundle, DigestsMadeAnewHideNothing) {
    struct Case {
        const char* name;
        const char* file;
        const char* old;
        const char* with;
        const char* said;
    };

    constexpr Case kCases[] = {
        {"a better result", "result.json", "\"proven\":93", "\"proven\":99", "result.json is not"},
        {"a better report", "report.md", "93 proven", "99 proven", "report.md is not"},
        {"a better claim",
         "assessment.yml",
         "SW-3: {claim: unmet",
         "SW-3: {claim: met, ev: [abi]",
         "result.json is not what the assessment gives"},
        {"another evidence", "ev/2.14/dtypes.xml", "<", "< ", "is not the file that was declared"},
        {"another past", "before/2.13.yml", "vendor: ", "vendor: X", "is another one"},
        {"easier criteria", "criteria.yml", "percent: 70", "percent: 60", "result.json is not"},
    };
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.name);
        auto files = make_quality_bundle(tessera()).value();
        files[c.file] = replaced(files[c.file], c.old, c.with);
        files.erase(kDigestsFile);
        add_digests(files);
        EXPECT_THAT(check_digests(files).value(), IsEmpty());
        EXPECT_THAT(check_quality_bundle(files).value().differences, Contains(HasSubstr(c.said)));
    }
}

TEST(QualityBundle, IsNotMadeFromEvidenceThatIsAnother) {
    auto changed = tessera();
    changed.evidence.begin()->second += " ";
    EXPECT_THAT(
        make_quality_bundle(changed).error().detail, HasSubstr("is not the file that was declared")
    );
    auto missing = tessera();
    missing.evidence.clear();
    EXPECT_THAT(make_quality_bundle(missing).error().detail, HasSubstr("cannot be read"));
}

TEST(QualityBundle, GivesItsOwnNamesToNobody) {
    for (const auto* const name :
         {"digests.txt", "result.json", "before/9.9.yml", "criteria.yml"}) {
        auto input = tessera();
        const std::string old = "ev/2.14/dtypes.xml";
        input.assessed.assessment = replaced(input.assessed.assessment, old, name);
        auto held = input.evidence.extract(old);
        held.key() = name;
        input.evidence.insert(std::move(held));
        EXPECT_THAT(
            make_quality_bundle(input).error().detail,
            HasSubstr("is needed for a file of the bundle")
        ) << name;
    }
}

TEST(QualityBundle, SaysWhatIsNoAssessment) {
    EXPECT_FALSE(check_quality_bundle({}));
    auto files = make_quality_bundle(tessera()).value();
    files["assessment.yml"] = "schema: cpq-assessment/1\n";
    EXPECT_THAT(check_quality_bundle(files).error().detail, HasSubstr("assessment.yml:"));
}

} // namespace

} // namespace baton::wire
