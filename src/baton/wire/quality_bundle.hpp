#pragma once

#include "baton/base/result.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/readings.hpp"
#include "baton/wire/bundle_files.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// An assessment with all that it rests on and all that comes of it, as files:
/// docs/design/quality.md, "Bundles". Equal inputs are equal bytes.
namespace baton::wire {

/// An assessment and the criteria it is scored by, as they are kept.
struct AssessmentFiles {
    std::string assessment;
    std::string criteria;
};

struct QualityBundleInput {
    AssessmentFiles assessed;
    std::map<std::string, std::string> evidence; // by the path that the assessment names
    std::vector<AssessmentFiles> before;         // of earlier releases, as many as are at hand
    quality::Day as_of{};
    std::optional<quality::Reading> reading;
};

/// Everything but the signature. `invalid` when a file cannot be read, is not the one that was
/// declared, or has the name of another.
Result<BundleFiles> make_quality_bundle(const QualityBundleInput& input);

/// What an assessment says, found out again from the files.
struct QualityVerdict {
    std::string level;
    int proven{0};
    int potential{0};
    int max{0};
    bool chained{false}; // the assessment before is there, and the one named
    /// Evidence that is not what was declared, another assessment before; a sentence each.
    std::vector<std::string> differences;
};

/// `invalid` when there is no assessment that can be read.
Result<QualityVerdict> check_quality_files(const QualityBundleInput& input);

/// The same of a bundle, and whether its pages are what the assessment gives. digests.txt and the
/// signature are not looked at.
Result<QualityVerdict> check_quality_bundle(const BundleFiles& files);

} // namespace baton::wire
