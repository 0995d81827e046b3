#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/ci_metrics.hpp"
#include "baton/quality/coverage.hpp"
#include "baton/quality/metric.hpp"
#include "baton/store/measure.hpp"

#include <optional>
#include <string>
#include <vector>

namespace baton::program {

/// Which files of tests there are, and what they are counted against.
struct TestInputs {
    quality::CoverageFacts facts;
    std::optional<quality::Baseline> baseline;
    std::optional<std::vector<std::string>> marks;
};

struct TestOptions {
    std::vector<std::string> junit; // [HARDWARE=]FILE, folder or glob
    std::string baseline;
    std::string marks;
};

/// Reads everything that was named. `invalid`: a file that is not what it should be, or a
/// baseline of another release; `not_found`: it cannot be read.
Result<TestInputs>
read_tests(const TestOptions& options, const quality::Assessment& assessment, quality::Day as_of);

/// Whose CI, and until when.
struct MeasureWish {
    RepoName downstream;
    std::optional<RepoName> upstream;
    quality::Day as_of{};
    std::optional<quality::Day> released;
};

/// What the store alone tells, and links that are there to be tried.
struct Measured {
    quality::Snapshot snapshot;
    std::vector<std::string> links;
};

/// `not_found`: no list names it.
Result<Measured> measure_store(const store::StoreToMeasure& opened, const MeasureWish& wish);

/// Adds what the files tell.
void measure_tests(const TestInputs& tests, quality::Snapshot& snapshot);

inline constexpr std::size_t kLinksMost = 200;

} // namespace baton::program
