#include "baton/quality/coverage.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TestResult test(const std::string& id, TestVerdict verdict = TestVerdict::passed) {
    const auto at = id.rfind("::");
    return {
        .id = id,
        .class_name = "",
        .name = at == std::string::npos ? id : id.substr(at + 2),
        .verdict = verdict,
        .operators = {}
    };
}

TestFile file(
    std::vector<TestResult> results,
    const std::string& hardware = "",
    const std::string& name = "a.xml"
) {
    return {
        .file = {.name = name, .sha256 = {}, .hardware = hardware},
        .suites = {},
        .ran_on = {},
        .results = std::move(results),
    };
}

BaselineEntry unit(const std::string& id) {
    return {.kind = BaselineKind::unit, .id = id};
}

struct Stage {
    Baseline baseline{
        .release = {.major = 2, .minor = 14},
        .hardware = "ACCELERATOR",
        .digest = "d",
        .entries = {}
    };
    CoverageFacts facts{
        .files = {},
        .devices = {"xpu"},
        .hardware = {},
        .targets = {"inference", "training", "distributed"},
        .window = {.from = *parse_day("2026-09-28"), .to = *parse_day("2026-10-12")},
    };

    Metric units() const { return unit_coverage(baseline, TestBook(facts), facts); }

    Metric cells() const { return benchmark_coverage(baseline, TestBook(facts), facts); }

    Metric operators() const { return operator_coverage(baseline, TestBook(facts), facts); }
};

Stage four_tests() {
    Stage stage;
    stage.baseline.entries = {
        unit("test/t.py::T<DEV>::test_a_<dev>"),
        unit("test/t.py::T<DEV>::test_b_<dev>"),
        unit("test/t.py::T<DEV>::test_c_<dev>"),
        unit("test/t.py::T<DEV>::test_d_<dev>"),
    };
    return stage;
}

const std::string kA = "test/t.py::TXPU::test_a_xpu";
const std::string kB = "test/t.py::TXPU::test_b_xpu";
const std::string kC = "test/t.py::TXPU::test_c_xpu";

struct VerdictCase {
    const char* name;
    std::vector<TestVerdict> verdicts; // of one test, in as many files
    std::int64_t passed;
};

const VerdictCase kVerdicts[] = {
    {"a pass counts", {TestVerdict::passed}, 1},
    {"a failure does not", {TestVerdict::failed}, 0},
    {"nor does what is skipped", {TestVerdict::skipped}, 0},
    {"nor what is expected to fail", {TestVerdict::expected_failure}, 0},
    {"of two files the worst stands", {TestVerdict::passed, TestVerdict::failed}, 0},
    {"in either order", {TestVerdict::skipped, TestVerdict::passed}, 0},
};

} // namespace

TEST(Coverage, CountsFinalPassesOfWhatThereIs) {
    for (const auto& c : kVerdicts) {
        SCOPED_TRACE(c.name);
        auto stage = four_tests();
        for (const auto verdict : c.verdicts) {
            stage.facts.files.push_back(file({test(kA, verdict), test(kB)}));
        }
        const auto metric = stage.units();
        EXPECT_EQ(metric.verdict, MetricVerdict::measured);
        EXPECT_EQ(metric.num, c.passed + 1);
        EXPECT_EQ(metric.den, 4);
        EXPECT_EQ(metric.rows.size(), 4U);
    }
}

TEST(Coverage, KnowsTestsThatWereRunFromInsideTheirFolder) {
    auto stage = four_tests();
    stage.facts.files = {file({test("t.py::TXPU::test_a_xpu"), test("test_t.TXPU::test_b_xpu")})};
    EXPECT_EQ(stage.units().num, 1); // the second one is another file's
}

TEST(Coverage, LeavesOutWhatIsDeprecatedOrNotTargeted) {
    auto stage = four_tests();
    stage.baseline.entries[1].deprecated = true;
    stage.baseline.entries[2].training = true;
    stage.baseline.entries[3].distributed = true;
    stage.facts.files = {file({test(kA), test(kB), test(kC)})};
    EXPECT_EQ(stage.units().den, 3);
    EXPECT_EQ(stage.units().num, 2);
    stage.facts.targets = {"inference"};
    EXPECT_EQ(stage.units().den, 1);
    EXPECT_EQ(stage.units().num, 1);
}

TEST(Coverage, AsksForAPassOnEachDeclaredHardware) {
    auto stage = four_tests();
    stage.facts.hardware = {"TX1-A", "TX1-B"};
    stage.facts.files = {
        file({test(kA), test(kB), test(kC)}, "TX1-A"),
        file({test(kA), test(kB, TestVerdict::failed)}, "TX1-B"),
    };
    EXPECT_EQ(stage.units().verdict, MetricVerdict::measured);
    EXPECT_EQ(stage.units().num, 1); // b fails on one, c did not run on the other
    stage.facts.files.pop_back();
    EXPECT_EQ(stage.units().verdict, MetricVerdict::incomplete);
    EXPECT_THAT(stage.units().reason, HasSubstr("TX1-B"));
}

TEST(Coverage, IsIncompleteWhileShardsAreMissing) {
    auto stage = four_tests();
    stage.facts.files = {file({test(kA)}, "", "ops-1-of-2.xml")};
    EXPECT_EQ(stage.units().verdict, MetricVerdict::incomplete);
    EXPECT_THAT(stage.units().reason, HasSubstr("2 is missing"));
    EXPECT_EQ(stage.units().den, 0);
    stage.facts.files.push_back(file({test(kB)}, "", "ops-2-of-2.xml"));
    EXPECT_EQ(stage.units().verdict, MetricVerdict::measured);
    stage.facts.files[0].suites = {"test_ops 1/3"};
    EXPECT_EQ(stage.units().verdict, MetricVerdict::incomplete);
}

TEST(Coverage, TakesRunsOfTheWindowOnly) {
    auto stage = four_tests();
    stage.facts.files = {file({test(kA)})};
    for (const auto* day : {"2026-09-28", "2026-10-11"}) {
        stage.facts.files[0].ran_on = parse_day(day);
        EXPECT_EQ(stage.units().verdict, MetricVerdict::measured) << day;
    }
    for (const auto* day : {"2026-09-27", "2026-10-12"}) {
        stage.facts.files[0].ran_on = parse_day(day);
        EXPECT_EQ(stage.units().verdict, MetricVerdict::insufficient) << day;
    }
}

TEST(Coverage, IsInsufficientWithoutFilesOrWithoutAnythingThatTheyTellOf) {
    auto stage = four_tests();
    EXPECT_EQ(stage.units().verdict, MetricVerdict::insufficient);
    stage.facts.files = {file({test("other.py::X::y")})};
    EXPECT_EQ(stage.units().verdict, MetricVerdict::insufficient);
    EXPECT_EQ(stage.cells().reason, "the baseline lists none");
}

TEST(Coverage, FindsBenchmarkCellsByTheirName) {
    Stage stage;
    stage.baseline.entries = {
        {.kind = BaselineKind::benchmark, .id = "torchbench/resnet50/inference/float32"},
        {.kind = BaselineKind::benchmark, .id = "timm/vit/inference/float16"},
        {.kind = BaselineKind::benchmark, .id = "timm/vit/training/float16", .training = true},
    };
    auto in_class = test("vit/inference/float16");
    in_class.class_name = "timm";
    stage.facts.files = {file({test("torchbench/resnet50/inference/float32"), in_class})};
    EXPECT_EQ(stage.cells().num, 2);
    EXPECT_EQ(stage.cells().den, 3);
}

TEST(Coverage, CountsOperatorsThatPassAndNeverFail) {
    Stage stage;
    for (const auto* name : {"aten::add", "aten::mm", "aten::qr", "aten::sub", "aten::mul"}) {
        stage.baseline.entries.push_back({.kind = BaselineKind::operator_, .id = name});
    }
    stage.baseline.entries[2].deprecated = true;
    stage.baseline.entries[4].training = true; // exempt for nobody
    stage.facts.targets = {"inference"};
    auto add = test("a");
    add.operators = {"aten::add", "aten::mm"};
    auto mm = test("b", TestVerdict::failed);
    mm.operators = {"aten::mm"};
    auto sub = test("c", TestVerdict::skipped);
    sub.operators = {"aten::sub"};
    auto mul = test("");
    mul.name = "aten::mul"; // a case that is named as the operator
    stage.facts.files = {file({add, mm, sub, mul})};
    const auto metric = stage.operators();
    EXPECT_EQ(metric.num, 2);
    EXPECT_EQ(metric.den, 4);
    EXPECT_THAT(
        metric.rows,
        ElementsAre(
            "aten::add\tpassed", "aten::mm\tfailed", "aten::sub\tskipped", "aten::mul\tpassed"
        )
    );
}

TEST(Coverage, SaysWhichTargetsReport) {
    auto stage = four_tests();
    stage.baseline.entries[0].distributed = true;
    stage.baseline.entries[1].training = true;
    stage.facts.files = {file({test(kA, TestVerdict::failed), test(kB, TestVerdict::skipped)})};
    EXPECT_THAT(reporting_of(stage.baseline, TestBook(stage.facts)), ElementsAre("distributed"));
}

struct MarkCase {
    const char* name;
    int known, marked;
    MetricVerdict verdict;
};

constexpr MarkCase kMarks[] = {
    {"fewer than a twentieth", 100, 4, MetricVerdict::met},
    {"a twentieth is too many", 100, 5, MetricVerdict::unmet},
    {"fewer than a hundred tests tell nothing", 99, 0, MetricVerdict::insufficient},
    {"none at all", 100, 0, MetricVerdict::met},
};

TEST(FlakyMarks, AreFewerThanOneOfTwenty) {
    for (const auto& c : kMarks) {
        SCOPED_TRACE(c.name);
        Stage stage;
        std::vector<TestResult> all;
        std::vector<std::string> marks;
        for (int i = 0; i < c.known; ++i) {
            all.push_back(test(fmt::format("t.py::TXPU::test_{}_xpu", i)));
            if (i < c.marked) {
                marks.push_back(all.back().id);
            }
        }
        stage.facts.files = {file(all)};
        const auto metric = flaky_marked(&marks, nullptr, TestBook(stage.facts), stage.facts);
        EXPECT_EQ(metric.verdict, c.verdict);
        EXPECT_EQ(metric.num, c.marked);
        EXPECT_EQ(metric.den, c.known);
    }
}

TEST(FlakyMarks, CountWhatIsMarkedAndNeverRanAndLeaveOutWhatIsDeprecated) {
    auto stage = four_tests();
    stage.baseline.entries[0].deprecated = true;
    stage.facts.files = {file({test(kA), test(kB)})};
    const std::vector<std::string> marks{kA, "test/t.py::TXPU::test_gone_xpu"};
    const auto metric = flaky_marked(&marks, &stage.baseline, TestBook(stage.facts), stage.facts);
    EXPECT_EQ(metric.num, 1);
    EXPECT_EQ(metric.den, 2);
}

TEST(FlakyMarks, AreNotKnownWithoutAList) {
    const Stage stage;
    const auto metric = flaky_marked(nullptr, nullptr, TestBook(stage.facts), stage.facts);
    EXPECT_EQ(metric.verdict, MetricVerdict::insufficient);
    EXPECT_THAT(metric.reason, HasSubstr("--marks"));
}

} // namespace baton::quality
