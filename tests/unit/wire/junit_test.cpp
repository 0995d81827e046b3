#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/wire/junit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TestSummary read(const std::string& text) {
    auto summary = read_junit(text);
    EXPECT_TRUE(summary) << (summary ? "" : summary.error().detail);
    return summary.value_or(TestSummary{});
}

std::string refusal(const std::string& text) {
    const auto summary = read_junit(text);
    EXPECT_FALSE(summary);
    return summary ? "" : summary.error().detail;
}

std::string suite(std::string_view tests) {
    return fmt::format("<testsuites><testsuite name=\"s\">{}</testsuite></testsuites>", tests);
}

struct Case {
    const char* name;
    const char* tests;
    std::uint64_t passed, failed, skipped;
};

constexpr Case kVerdicts[] = {
    {"a test without remarks passed", R"(<testcase name="a"/>)", 1, 0, 0},
    {"a failure failed", R"(<testcase name="a"><failure/></testcase>)", 0, 1, 0},
    {"an error failed", R"(<testcase name="a"><error/></testcase>)", 0, 1, 0},
    {"a skipped one is skipped", R"(<testcase name="a"><skipped/></testcase>)", 0, 0, 1},
    {"an expected failure counts as skipped, as pytest counts it",
     R"(<testcase name="a"><skipped type="pytest.xfail"/></testcase>)",
     0,
     0,
     1},
    {"a failure outweighs being skipped",
     R"(<testcase name="a"><skipped/><failure/></testcase>)",
     0,
     1,
     0},
    {"GoogleTest's disabled tests were not run", R"(<testcase name="a" status="notrun"/>)", 0, 0, 1
    },
    {"CTest's too", R"(<testcase name="a" status="disabled"/>)", 0, 0, 1},
    {"GoogleTest's others were", R"(<testcase name="a" status="run" result="completed"/>)", 1, 0, 0
    },
    {"Surefire: failed, then passed, is passed",
     R"(<testcase name="a"><flakyFailure message="m"/></testcase>)",
     1,
     0,
     0},
    {"Surefire: failed again and again is failed once",
     R"(<testcase name="a"><failure/><rerunFailure/><rerunError/></testcase>)",
     0,
     1,
     0},
    {"a repeated test counts once, as it ended the last time",
     R"(<testcase name="a"><failure/></testcase><testcase name="a"/>)",
     1,
     0,
     0},
    {"and that may be badly",
     R"(<testcase name="a"/><testcase name="a"><error/></testcase>)",
     0,
     1,
     0},
    {"the same name in another class is another test",
     R"(<testcase classname="A" name="a"/><testcase classname="B" name="a"/>)",
     2,
     0,
     0},
    {"output of a test is not looked into",
     R"(<testcase name="a"><system-out>&lt;failure/&gt;</system-out></testcase>)",
     1,
     0,
     0},
};

TEST(Junit, CountsEachTestByItsVerdict) {
    for (const auto& c : kVerdicts) {
        SCOPED_TRACE(c.name);
        const auto summary = read(suite(c.tests));
        EXPECT_EQ(summary.passed, c.passed);
        EXPECT_EQ(summary.failed, c.failed);
        EXPECT_EQ(summary.skipped, c.skipped);
        EXPECT_EQ(summary.failed_tests.size(), c.failed);
    }
}

TEST(Junit, RemembersWhichPassedNotAtTheFirstAttempt) {
    EXPECT_EQ(
        read(suite(R"(<testcase name="a"><failure/></testcase><testcase name="a"/>)")).flaky, 1
    );
    EXPECT_EQ(read(suite(R"(<testcase name="a"><flakyError/></testcase>)")).flaky, 1);
    EXPECT_EQ(read(suite(R"(<testcase name="a"/><testcase name="a"/>)")).flaky, 0);
}

struct NameCase {
    const char* attributes;
    const char* name;
};

constexpr NameCase kNames[] = {
    {R"(name="test_add")", "test_add"},
    {R"(classname="TestBinary" name="test_add")", "TestBinary::test_add"},
    {R"(classname="test.test_ops.TestBinary" name="test_add" file="test/test_ops.py")",
     "test/test_ops.py::TestBinary::test_add"},
    {R"(classname="test.test_ops" name="test_add" file="test/test_ops.py")",
     "test/test_ops.py::test_add"},
    {R"(classname="TestFooCPU" name="test_add_cpu_float32" file="test_ops.py")",
     "test_ops.py::TestFooCPU::test_add_cpu_float32"},
    {R"(classname="TestFooPRIVATEUSE1" name="test_add_privateuse1")",
     "TestFooPRIVATEUSE1::test_add_privateuse1"},
    {R"(classname="Ring" name="Turns" file="/builds/17/ring_test.cpp")", "Ring::Turns"},
    {R"(classname="Ring" name="Turns" file="C:\builds\ring_test.cpp")", "Ring::Turns"},
    {R"(classname="Ring")", "Ring::(no name)"},
};

TEST(Junit, NamesATestByFileClassAndNameAndKeepsDeviceSuffixes) {
    for (const auto& c : kNames) {
        SCOPED_TRACE(c.name);
        const auto summary =
            read(suite(fmt::format("<testcase {}><failure/></testcase>", c.attributes)));
        ASSERT_EQ(summary.failed_tests.size(), 1);
        EXPECT_EQ(summary.failed_tests[0].name, c.name);
    }
}

TEST(Junit, TellsMessageAndStack) {
    const auto summary = read(suite(
        R"(<testcase name="a"><failure message="1 &lt; 2 &amp; more" type="T">
            <![CDATA[at <vector>]]> line 7</failure></testcase>
           <testcase name="b"><error>
            first line
            second</error></testcase>
           <testcase name="c"><error type="OutOfMemory"/></testcase>)"
    ));
    ASSERT_EQ(summary.failed_tests.size(), 3);
    EXPECT_EQ(summary.failed_tests[0].message, "1 < 2 & more");
    EXPECT_EQ(summary.failed_tests[0].stack, "at <vector> line 7");
    EXPECT_EQ(summary.failed_tests[1].message, "first line");
    EXPECT_THAT(summary.failed_tests[1].stack, HasSubstr("second"));
    EXPECT_EQ(summary.failed_tests[2].message, "OutOfMemory");
}

TEST(Junit, CutsWhatIsLongAndSaysSo) {
    const auto summary = read(suite(fmt::format(
        "<testcase name=\"{0}\"><failure message=\"{1}\">{2}THE END</failure></testcase>",
        std::string(600, 'n'),
        std::string(2000, 'm'),
        std::string(9000, 's')
    )));
    ASSERT_EQ(summary.failed_tests.size(), 1);
    const auto& test = summary.failed_tests[0];
    EXPECT_EQ(test.name.size(), limits::kTestNameBytesMax);
    EXPECT_EQ(test.message.size(), limits::kTestMessageBytesMax);
    EXPECT_EQ(test.stack.size(), limits::kTestStackBytesMax);
    EXPECT_TRUE(test.name.ends_with("[cut]"));
    EXPECT_TRUE(test.message.ends_with("[cut]"));
    EXPECT_THAT(test.stack, HasSubstr("[cut]"));
    EXPECT_TRUE(test.stack.ends_with("THE END"));
}

TEST(Junit, KeepsAThousandFailedTestsAndCountsAll) {
    std::string tests;
    for (int i = 0; i < 1200; ++i) {
        tests += fmt::format("<testcase name=\"t{}\"><failure/></testcase>", i);
    }
    const auto summary = read(suite(tests));
    EXPECT_EQ(summary.failed, 1200);
    EXPECT_EQ(summary.failed_tests.size(), limits::kFailedTestsMax);
    EXPECT_EQ(summary.failed_tests.back().name, "t999");
}

TEST(Junit, NamesExpectedFailures) {
    const auto summary = read(suite(
        R"(<testcase classname="C" name="a"><skipped type="pytest.xfail" message="no fp64"/></testcase>
           <testcase classname="C" name="b"><skipped type="pytest.skip"/></testcase>)"
    ));
    EXPECT_THAT(summary.expected_failures, ElementsAre("C::a"));
    EXPECT_EQ(summary.skipped, 2);
}

TEST(Junit, FindsTestsInSuitesInSuitesInFileOrder) {
    const auto summary = read(R"(<?xml version="1.0" encoding="utf-8"?>
        <!DOCTYPE testsuites>
        <testsuites><testsuite>
            <testcase name="1"><failure/></testcase>
            <testsuite><testcase name="2"><failure/></testcase></testsuite>
            <testsuite><testcase name="3"><failure/></testcase></testsuite>
        </testsuite><testsuite><testcase name="4"><failure/></testcase></testsuite></testsuites>)");
    std::vector<std::string> names;
    for (const auto& test : summary.failed_tests) {
        names.push_back(test.name);
    }
    EXPECT_THAT(names, ElementsAre("1", "2", "3", "4"));
}

TEST(Junit, ATestOfTwoSuitesIsTwoTests) {
    EXPECT_EQ(
        read(
            R"(<testsuites><testsuite name="shard 1"><testcase name="a"><failure/></testcase></testsuite>
                <testsuite name="shard 2"><testcase name="a"/></testsuite></testsuites>)"
        )
            .total(),
        2
    );
}

TEST(Junit, FilesPutOneAfterAnotherAreAllRead) {
    EXPECT_EQ(read(suite(R"(<testcase name="a"/>)") + suite(R"(<testcase name="a"/>)")).passed, 2);
}

TEST(Junit, SumsFilesUpAndKeepsTheBounds) {
    TestSummary all;
    for (int shard = 0; shard < 3; ++shard) {
        std::string tests =
            R"(<testcase name="ok"/><testcase name="x"><skipped type="xfail"/></testcase>)";
        for (int i = 0; i < 400; ++i) {
            tests += fmt::format("<testcase name=\"t{}\"><failure/></testcase>", i);
        }
        all.add(read(suite(tests)));
    }
    EXPECT_EQ(all.passed, 3);
    EXPECT_EQ(all.failed, 1200);
    EXPECT_EQ(all.failed_tests.size(), limits::kFailedTestsMax);
    EXPECT_EQ(all.expected_failures.size(), 3);
    EXPECT_EQ(all.total(), 1206);
}

TEST(Junit, AnEmptySuiteIsAReportOfNothing) {
    EXPECT_EQ(read("<testsuites/>").total(), 0);
    EXPECT_EQ(read("\xEF\xBB\xBF<testsuite/>").total(), 0); // with a byte order mark
}

TEST(Junit, EntitiesOfADtdStayUnexpanded) {
    const auto summary = read(R"(<?xml version="1.0"?>
        <!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;"><!ENTITY f SYSTEM "file:///etc/hostname">]>
        <testsuite><testcase name="&lol2;"><failure message="&f;"/></testcase></testsuite>)");
    ASSERT_EQ(summary.failed_tests.size(), 1);
    EXPECT_EQ(summary.failed_tests[0].name, "&lol2;");
    EXPECT_EQ(summary.failed_tests[0].message, "&f;");
}

TEST(Junit, ReferencesToWhatIsNoCharacterBecomeText) {
    const auto summary = read(suite(R"(<testcase name="a&#xD800;b&#27;"><failure/></testcase>)"));
    ASSERT_EQ(summary.failed_tests.size(), 1);
    EXPECT_FALSE(broken_utf8_at(summary.failed_tests[0].name));
}

struct Refused {
    const char* name;
    std::string text;
    const char* begins;
    const char* says;
};

TEST(Junit, RefusesEverythingElseWithItsPlace) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) {
        deep += "<testsuite>";
    }
    for (int i = 0; i < 100'000; ++i) {
        deep += "</testsuite>";
    }
    const std::vector<Refused> cases{
        {"nothing", "", "offset 0: ", ""},
        {"no XML", "PASS: 17\n", "offset ", ""},
        {"cut off", "<testsuite><testcase name=\"a\"/><testc", "offset ", ""},
        {"cut off between tags", "<testsuite><testcase name=\"a\"/>", "offset ", ""},
        {"another document", "<html><body/></html>", "offset 1: ", "<html> is no JUnit report"},
        {"a NUL", std::string("<testsuite>\0</testsuite>", 24), "offset 11: ", "NUL"},
        {"UTF-16", std::string("\xFF\xFE<\0t\0", 6), "offset ", "UTF-8"},
        {"Latin 1", "<testsuite name=\"caf\xE9\"/>", "offset 20: ", "UTF-8"},
        {"another encoding than it has",
         "<?xml version='1.0' encoding='koi8-r'?><testsuite name='\xC3\xA9'/>",
         "offset 0: ",
         "koi8-r"},
        {"a hundred thousand levels", deep, "offset ", "nested deeper"},
        {"a huge attribute",
         "<testsuite name=\"" + std::string(kJunitFileBytesMax, 'a') + "\"/>",
         "offset ",
         "larger than"},
        {"a tree that would not fit",
         "<testsuite>" + std::string(kJunitTagsMax * 2, '<') + "</testsuite>",
         "offset ",
         "tags"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto sentence = refusal(c.text);
        EXPECT_THAT(sentence, StartsWith(c.begins));
        EXPECT_THAT(sentence, HasSubstr(c.says));
    }
}

} // namespace
} // namespace baton::wire
