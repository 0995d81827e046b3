// A JUnit file test by test. What it has in common with its sum is tried in junit_test.cpp.

#include "baton/quality/assessment.hpp"
#include "baton/quality/coverage.hpp"
#include "baton/wire/junit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace baton::wire {

namespace {

using quality::TestVerdict;
using testing::ElementsAre;
using testing::StartsWith;

constexpr const char* kFile = R"(<testsuites>
<testsuite name="ops 1/2" timestamp="2026-10-09T10:00:00">
  <testcase file="test/test_ops.py" classname="TestCommonXPU" name="test_add_xpu">
    <properties><property name="operator" value="aten::add, aten::add_,"/>
                <property name="other" value="x"/></properties>
  </testcase>
  <testcase classname="T" name="again"><failure/></testcase>
  <testcase classname="T" name="again"/>
  <testcase name="gone"><skipped/></testcase>
  <testcase name="known"><skipped type="pytest.xfail"/></testcase>
</testsuite>
<testsuite name="ops 2/2" timestamp="2026-10-10T01:00:00"><testcase name="bad"><error/></testcase></testsuite>
</testsuites>)";

} // namespace

TEST(JunitTests, AreToldOneByOneWithTheVerdictOfTheLastAttempt) {
    const auto file = read_junit_tests(kFile);
    ASSERT_TRUE(file) << file.error().detail;
    std::vector<std::string> ids;
    std::vector<TestVerdict> verdicts;
    for (const auto& result : file->results) {
        ids.push_back(result.id);
        verdicts.push_back(result.verdict);
    }
    EXPECT_THAT(
        ids,
        ElementsAre(
            "test/test_ops.py::TestCommonXPU::test_add_xpu", "T::again", "gone", "known", "bad"
        )
    );
    EXPECT_THAT(
        verdicts,
        ElementsAre(
            TestVerdict::passed,
            TestVerdict::passed,
            TestVerdict::skipped,
            TestVerdict::expected_failure,
            TestVerdict::failed
        )
    );
    EXPECT_THAT(file->results[0].operators, ElementsAre("aten::add", "aten::add_"));
    EXPECT_EQ(file->results[0].class_name, "TestCommonXPU");
    EXPECT_THAT(file->suites, ElementsAre("ops 1/2", "ops 2/2"));
}

TEST(JunitTests, AreOfTheNewestDayThatASuiteTells) {
    EXPECT_EQ(read_junit_tests(kFile)->ran_on, quality::parse_day("2026-10-10"));
    EXPECT_EQ(read_junit_tests("<testsuite timestamp='yesterday'/>")->ran_on, std::nullopt);
}

TEST(JunitTests, AreRefusedAsTheirSumIs) {
    const std::string broken = "<testsuite><testcase";
    EXPECT_EQ(read_junit_tests(broken).error().detail, read_junit(broken).error().detail);
    EXPECT_THAT(read_junit_tests("<html/>").error().detail, StartsWith("offset 1: <html>"));
}

} // namespace baton::wire
