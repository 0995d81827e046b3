#pragma once

#include "baton/base/result.hpp"
#include "baton/quality/metric.hpp"
#include "baton/wire/bundle_files.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Snapshots of what a relay measured, `cpq-metrics/1`: docs/design/quality.md, "Collecting".
namespace baton::wire {

inline constexpr const char* kMetricsFile = "metrics.json";

/// Equal snapshots are equal bytes. Rows are told by their digest.
std::string metrics_json(const quality::Snapshot& snapshot);

/// The snapshot as files: with digests, ready to be signed.
BundleFiles metrics_bundle(const quality::Snapshot& snapshot);

/// What a snapshot says, as far as people read it when they verify one.
struct MetricsSummary {
    struct Line {
        std::string metric;
        std::string verdict;
        std::int64_t num{0};
        std::int64_t den{0};
        std::int64_t n{0};
    };

    std::string repo;
    std::string as_of;
    std::vector<Line> lines;
};

/// `invalid`: it is no snapshot, with what it lacks.
Result<MetricsSummary> read_metrics(const std::string& json);

} // namespace baton::wire
