#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Which measured values are out of the ordinary.
namespace baton::domain {

enum class Better : std::uint8_t { less = 1, more };

/// Which way is good, by the unit: times and sizes should be small, rates should be large. None
/// when the unit does not tell.
std::optional<Better> better_way(std::string_view unit);

struct BenchmarkValue {
    double value{0};
    bool of_pull_request{false}; // tells nothing of what is usual: it may be what is being judged
};

enum class BenchmarkMark : std::uint8_t {
    usual = 1,
    better,
    worse,
    changed,   // away from the usual, and the unit does not tell which way is good
    too_early, // too few values before it
};

std::string_view name_of(BenchmarkMark mark);

struct JudgedValue {
    BenchmarkMark mark{BenchmarkMark::too_early};
    std::optional<double> usual; // none while there are too few values

    friend bool operator==(const JudgedValue&, const JudgedValue&) = default;
};

inline constexpr std::size_t kUsualValues = 10; // the newest before it that are no pull request's
inline constexpr std::size_t kUsualValuesMin = 5;

/// Each value against the median of those before it. Marked is what is away by more than a tenth
/// of it and by more than three times the median distance of those values from it. Oldest first.
std::vector<JudgedValue>
judge_benchmark(const std::vector<BenchmarkValue>& values, std::optional<Better> better);

/// 0.1: a tenth more than usual. None where the usual is nought.
std::optional<double> change_of(double value, std::optional<double> usual);

} // namespace baton::domain
