#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/metric.hpp"

#include <string>
#include <string_view>
#include <vector>

/// What a snapshot says about the items of an assessment, and where that differs from what was
/// claimed by hand.
namespace baton::quality {

/// A snapshot as evidence.
struct SnapshotEvidence {
    std::string id;
    std::string file;   // beside the assessment; empty: it lies elsewhere
    std::string digest; // of metrics.json
};

struct Filling {
    std::vector<Claim> claims;        // for items that are unknown, in the order of the criteria
    RelayFacts facts;                 // all that is known
    std::vector<std::string> agrees;  // items whose claim says the same
    std::vector<std::string> differs; // a sentence each: by hand one thing, measured another
    std::vector<std::string> silent;  // a sentence each: metrics that say nothing, and why
};

/// Claims name `evidence`. An item that is not in the file, or is unknown with words of its own
/// that a claim would stand beside (evidence, a value, parts, a review), is left to people.
Filling fill(
    const CriteriaSet& set,
    const Assessment& assessment,
    const Snapshot& snapshot,
    std::string_view evidence
);

} // namespace baton::quality
