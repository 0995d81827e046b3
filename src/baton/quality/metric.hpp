#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a relay measured of one downstream: docs/design/quality.md, "Collecting".
namespace baton::quality {

enum class MetricVerdict : std::uint8_t {
    measured = 1, // a number; what it earns is for the criteria to say
    met,
    unmet,
    pending,      // an outage that lasts, and has not lasted too long yet
    insufficient, // too little data: no points
    incomplete,   // parts of a run are missing: no points
};

std::string_view name_of(MetricVerdict verdict);

/// Whether it says anything about the platform.
bool is_conclusive(MetricVerdict verdict);

struct Metric {
    std::string name;    // as `auto` of an item names it: "ut_coverage"
    std::string formula; // in words
    std::int64_t num{0};
    std::int64_t den{0};
    std::int64_t n{0};     // how many things were looked at
    std::int64_t least{0}; // how many it takes
    Window window;         // until `to` 00:00 UTC
    std::map<std::string, Amount> figures;
    MetricVerdict verdict{MetricVerdict::measured};
    std::string reason;            // of any verdict but measured and met
    std::vector<std::string> rows; // what it rests on, in an order of their own
};

/// Fewer than `least` of `what`: insufficient, with the reason. False when there is enough.
bool lacks_data(Metric& metric, std::string_view what);

/// A file that was counted.
struct CountedFile {
    std::string name;
    std::string sha256;
    std::string hardware; // empty: none was named
};

/// Everything that was measured at one midnight. Equal stores and files give equal values.
struct Snapshot {
    std::string repo;
    std::string upstream;
    Day as_of{};
    int relay_level{0};
    std::string baseline; // digest of the manifest; empty: there was none
    std::vector<CountedFile> files;
    std::vector<Metric> metrics;
    std::vector<std::string> reporting; // targets whose tests report results: "distributed"

    const Metric* find(std::string_view name) const;
};

} // namespace baton::quality
