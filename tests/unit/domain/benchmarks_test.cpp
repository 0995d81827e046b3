#include "baton/domain/benchmarks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

namespace baton::domain {
namespace {

using enum BenchmarkMark;
using testing::Each;
using testing::ElementsAre;

std::vector<BenchmarkMark>
marks(const std::vector<double>& values, std::optional<Better> better = Better::less) {
    std::vector<BenchmarkValue> measured;
    for (const auto value : values) {
        measured.push_back({.value = value});
    }
    std::vector<BenchmarkMark> all;
    for (const auto& judged : judge_benchmark(measured, better)) {
        all.push_back(judged.mark);
    }
    return all;
}

TEST(BetterWay, IsToldByTheUnit) {
    struct Case {
        std::string_view unit;
        std::optional<Better> better;
    };

    for (const auto& [unit, better] : std::vector<Case>{
             {"ms", Better::less},
             {"Seconds", Better::less},
             {"MiB", Better::less},
             {"tokens/s", Better::more},
             {"GB/s", Better::more},
             {"TFLOPS", Better::more},
             {"x", Better::more},
             {"", std::nullopt},
             {"points", std::nullopt},
         }) {
        EXPECT_EQ(better_way(unit), better) << unit;
    }
}

TEST(Benchmarks, AreNotJudgedBeforeFiveValuesAreKnown) {
    EXPECT_THAT(marks({100, 900, 1, 50, 70}), Each(too_early));
    EXPECT_EQ(marks({100, 100, 100, 100, 100, 100}).back(), usual);
}

TEST(Benchmarks, AreMarkedWhenTheyAreFarFromTheUsualWayAndBeyondTheUsualSpread) {
    EXPECT_EQ(marks({100, 100, 100, 100, 100, 110}).back(), usual) << "a tenth is not told";
    EXPECT_EQ(marks({100, 100, 100, 100, 100, 111}).back(), worse);
    EXPECT_EQ(marks({100, 100, 100, 100, 100, 80}).back(), better);
    EXPECT_EQ(marks({100, 100, 100, 100, 100, 80}, Better::more).back(), worse);
    EXPECT_EQ(marks({100, 100, 100, 100, 100, 80}, std::nullopt).back(), changed);
    EXPECT_EQ(marks({80, 120, 100, 90, 115, 130}).back(), usual) << "it is as noisy as ever";
}

TEST(Benchmarks, ThatStayAwayBecomeTheUsual) {
    std::vector<double> values(6, 100);
    values.insert(values.end(), 10, 200);
    const auto all = marks(values);
    EXPECT_EQ(all[6], worse);
    EXPECT_EQ(all.back(), usual);
}

TEST(Benchmarks, OfPullRequestsAreJudgedAndJudgeNothing) {
    std::vector<BenchmarkValue> values(5, {.value = 100});
    values.insert(values.end(), 20, {.value = 300, .of_pull_request = true});
    values.push_back({.value = 100});
    const auto judged = judge_benchmark(values, Better::less);
    EXPECT_EQ(judged[10].mark, worse);
    EXPECT_EQ(judged[24].usual, 100);
    EXPECT_EQ(judged.back().mark, usual);
}

TEST(Benchmarks, ChangeByAShareOfTheUsual) {
    EXPECT_EQ(change_of(110, 100), 0.1);
    EXPECT_EQ(change_of(-110, -100), -0.1);
    EXPECT_EQ(change_of(1, 0), std::nullopt);
    EXPECT_EQ(change_of(1, std::nullopt), std::nullopt);
}

} // namespace
} // namespace baton::domain
