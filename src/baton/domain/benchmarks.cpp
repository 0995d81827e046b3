#include "baton/domain/benchmarks.hpp"

#include "baton/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

namespace baton::domain {

namespace {

constexpr double kTold = 0.10;     // less of a change than that is not told
constexpr double kDistances = 3.0; // of the usual distances from the median

constexpr std::array<std::string_view, 24> kSmall{
    "s",  "sec", "secs", "second", "seconds", "ms",  "msec", "millisecond", "milliseconds",
    "us", "µs",  "ns",   "min",    "minutes", "h",   "b",    "byte",        "bytes",
    "kb", "mb",  "gb",   "kib",    "mib",     "gib",
};
constexpr std::array<std::string_view, 6> kLarge{"fps", "qps", "flops", "gflops", "tflops", "x"};

/// The lower one of the middle two. `values` must not be empty.
double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

JudgedValue
judge(double value, const std::deque<double>& before, const std::optional<Better>& better) {
    if (before.size() < kUsualValuesMin) {
        return {.mark = BenchmarkMark::too_early, .usual = std::nullopt};
    }
    const double usual = median_of({before.begin(), before.end()});
    std::vector<double> distances;
    distances.reserve(before.size());
    for (const double one : before) {
        distances.push_back(std::abs(one - usual));
    }
    const double away = std::abs(value - usual);
    JudgedValue judged{.mark = BenchmarkMark::usual, .usual = usual};
    if (away <= kTold * std::abs(usual) || away <= kDistances * median_of(distances)) {
        return judged;
    }
    if (!better) {
        judged.mark = BenchmarkMark::changed;
    } else {
        const bool good = (value < usual) == (*better == Better::less);
        judged.mark = good ? BenchmarkMark::better : BenchmarkMark::worse;
    }
    return judged;
}

} // namespace

std::optional<Better> better_way(std::string_view unit) {
    const auto known = lower(unit);
    if (known.ends_with("/s") || known.ends_with("/sec") || known.ends_with("/second") ||
        std::ranges::find(kLarge, known) != kLarge.end()) {
        return Better::more;
    }
    if (std::ranges::find(kSmall, known) != kSmall.end()) {
        return Better::less;
    }
    return std::nullopt;
}

std::string_view name_of(BenchmarkMark mark) {
    constexpr std::array<std::string_view, 5> kNames{"usual", "better", "worse", "changed", "new"};
    return kNames.at(static_cast<std::size_t>(mark) - 1);
}

std::vector<JudgedValue>
judge_benchmark(const std::vector<BenchmarkValue>& values, std::optional<Better> better) {
    std::deque<double> before;
    std::vector<JudgedValue> judged;
    judged.reserve(values.size());
    for (const auto& value : values) {
        judged.push_back(judge(value.value, before, better));
        if (!value.of_pull_request) {
            before.push_back(value.value);
            if (before.size() > kUsualValues) {
                before.pop_front();
            }
        }
    }
    return judged;
}

std::optional<double> change_of(double value, std::optional<double> usual) {
    if (!usual || *usual == 0) {
        return std::nullopt;
    }
    return (value - *usual) / std::abs(*usual);
}

} // namespace baton::domain
