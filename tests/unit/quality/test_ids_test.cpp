#include "baton/quality/test_ids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace baton::quality {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct FoldCase {
    const char* name;
    const char* told;
    const char* id;
};

constexpr FoldCase kFolds[] = {
    {"the device is folded in class and name",
     "test/test_ops.py::TestCommonXPU::test_add_xpu_float32",
     "test/test_ops.py::TestCommon<DEV>::test_add_<dev>_float32"},
    {"that of a backend without a key of its own too",
     "test/test_ops.py::TestCommonPRIVATEUSE1::test_add_privateuse1_float32",
     "test/test_ops.py::TestCommon<DEV>::test_add_<dev>_float32"},
    {"a module in the class is a file",
     "test.test_ops.TestCommonXPU::test_add_xpu",
     "test/test_ops.py::TestCommon<DEV>::test_add_<dev>"},
    {"a file without a class stays one", "test/test_a.py::test_b", "test/test_a.py::test_b"},
    {"a file without a name is none", "::test_ops.T::test_b", "test_ops.py::T::test_b"},
    {"a class without a name is none", "a.py::::test_b", "a.py::test_b"},
    {"a test without a name is none", ":T xpu::::", ":T <dev>"},
    {"a lone colon parts nothing", "a.py:::T::test_b", "a.py:::T::test_b"},
    {"nothing but partings is nothing", "::::", ""},
    {"a name alone stays alone", "test_add_xpu", "test_add_<dev>"},
    {"only whole words are devices",
     "test_a.py::TestX::test_xpux_add",
     "test_a.py::TestX::test_xpux_add"},
    {"small letters at the end of a class are no device", "a.py::TestExpu::t", "a.py::TestExpu::t"},
    {"a class that is the device keeps its name", "a.py::XPU::t", "a.py::XPU::t"},
    {"parameters are words", "a.py::T::test_add[xpu-float32]", "a.py::T::test_add[<dev>-float32]"},
};

struct ShardCase {
    const char* name;
    const char* text;
    int number, count; // 0: none
};

constexpr ShardCase kShards[] = {
    {"words", "tests (2 of 3)", 2, 3},
    {"a file's name", "ops-2-of-3.xml", 2, 3},
    {"underscores", "ops_1_of_10", 1, 10},
    {"a slash", "shard 1/3", 1, 3},
    {"folders are none", "logs/2026/1/3", 0, 0},
    {"more than there are is none", "tests (4 of 3)", 0, 0},
    {"words without numbers are none", "proof of work", 0, 0},
    {"a number alone is none", "test_ops 3", 0, 0},
    {"numbers that are too large are none", "1 of 99999999999999999999", 0, 0},
};

const std::vector<std::string> kDevices{"xpu", "privateuse1"};

} // namespace

TEST(TestIds, AreSpelledAsInBaselines) {
    for (const auto& c : kFolds) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(baseline_id(c.told, kDevices), c.id);
    }
}

TEST(TestIds, OfTheBaselineItselfStayAsTheyAre) {
    for (const auto& c : kFolds) {
        EXPECT_EQ(baseline_id(c.id, kDevices), c.id);
    }
}

TEST(Shards, AreToldByNames) {
    for (const auto& c : kShards) {
        SCOPED_TRACE(c.name);
        const auto shard = shard_in(c.text);
        EXPECT_EQ(shard ? shard->number : 0, c.number);
        EXPECT_EQ(shard ? shard->count : 0, c.count);
    }
}

TEST(Shards, AreMissedByNumber) {
    EXPECT_THAT(
        missing_shards(std::vector<std::string>{"a 1/2", "a 2/2", "b", "a 1/2"}), IsEmpty()
    );
    EXPECT_THAT(
        missing_shards(std::vector<std::string>{"a 2/4", "b (1 of 2)", "a 3/4"}),
        ElementsAre("a */4: 1, 4 are missing", "b (* of 2): 2 is missing")
    );
}

} // namespace baton::quality
