#include "baton/crypto/sha256.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/wire/baseline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace baton::wire {

namespace {

using quality::BaselineKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kHeader = "# cpq-baseline/1 pytorch 2.14 hardware ACCELERATOR\n";

struct RefusedCase {
    const char* name;
    std::string text;
    const char* says;
};

const RefusedCase kRefused[] = {
    {"nothing", "", "line 1: expected"},
    {"another header", "# cpq-baseline/2 pytorch 2.14 hardware X\n", "line 1: expected"},
    {"a patch release", "# cpq-baseline/1 pytorch 2.14.1 hardware X\n", "no minor release"},
    {"another kind", kHeader + "module\ta\n", "line 2: \"module\" is none of"},
    {"no id", kHeader + "# words\nunit\n", "line 3: expected a kind"},
    {"too many tabs", kHeader + "unit\ta\tdeprecated\tb\n", "line 2: expected a kind"},
    {"twice", kHeader + "unit\ta\nunit\ta\n", "line 3: \"a\" stands twice or out of order"},
    {"out of order",
     kHeader + "operator\ta\nunit\tb\n",
     "line 3: \"b\" stands twice or out of order"},
    {"not UTF-8", kHeader + "unit\t\xff\n", "not UTF-8"},
    {"an empty line", kHeader + "\n", "line 2: \"\" is none of"},
};

} // namespace

TEST(Baseline, ReadsTheSampleThatIsShipped) {
    std::ifstream file(BATON_SOURCE_DIR "/examples/quality/baseline/2.14-sample.tsv");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto baseline = read_baseline(text);
    ASSERT_TRUE(baseline) << baseline.error().detail;
    EXPECT_EQ(to_text(baseline->release), "2.14");
    EXPECT_EQ(baseline->hardware, "ACCELERATOR");
    EXPECT_EQ(baseline->digest, crypto::sha256_hex(text));
    int units = 0;
    int left_for_inference = 0;
    for (const auto& entry : baseline->entries) {
        units += entry.kind == BaselineKind::unit ? 1 : 0;
        left_for_inference += entry.kind == BaselineKind::unit && !entry.deprecated &&
                                      !entry.training && !entry.distributed
                                  ? 1
                                  : 0;
    }
    EXPECT_EQ(units, 13);
    EXPECT_EQ(left_for_inference, 7);
}

TEST(Baseline, SaysInWhichLineItIsNone) {
    for (const auto& c : kRefused) {
        SCOPED_TRACE(c.name);
        const auto baseline = read_baseline(c.text);
        ASSERT_FALSE(baseline);
        EXPECT_EQ(baseline.error().code, Errc::invalid);
        EXPECT_THAT(baseline.error().detail, HasSubstr(c.says));
    }
}

TEST(Baseline, TakesTagsThatItDoesNotKnow) {
    const auto baseline = read_baseline(kHeader + "unit\ta\tslow,deprecated\r\n");
    ASSERT_TRUE(baseline);
    EXPECT_TRUE(baseline->entries.front().deprecated);
    EXPECT_FALSE(baseline->entries.front().training);
}

TEST(Marks, AreOneInALine) {
    const auto marks = read_marks("# flaky\n a.py::T::x \n\nb.py::T::y");
    ASSERT_TRUE(marks);
    EXPECT_THAT(*marks, ElementsAre("a.py::T::x", "b.py::T::y"));
    EXPECT_TRUE(read_marks("")->empty());
    EXPECT_THAT(read_marks("a\nb\tc\n").error().detail, StartsWith("line 2: a tab"));
    EXPECT_FALSE(read_marks("\xff"));
}

} // namespace baton::wire
