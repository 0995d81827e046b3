#pragma once

#include "baton/base/limits.hpp"

#include <prometheus/histogram.h>

#include <limits>
#include <mutex>
#include <set>
#include <string>

/// What metrics have in common: the bounds of their buckets, and words that cannot grow without
/// end.
namespace baton::obs {

// A gauge whose value nobody can tell now. Prometheus passes over it, where an old value would
// count.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

using Buckets = prometheus::Histogram::BucketBoundaries;

// From a quarter of a millisecond (a duplicate) to what a full disk queue makes of it.
inline const Buckets& quick() {
    static const Buckets bounds{
        .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5
    };
    return bounds;
}

// A call to GitHub: from a near simulator to the 15 s after which we hang up.
inline const Buckets& call() {
    static const Buckets bounds{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 15};
    return bounds;
}

// From "within a second of the webhook" to the three days after which a dispatch is given up.
inline const Buckets& age() {
    static const Buckets bounds{
        .05, .1, .25, .5, 1, 2.5, 5, 15, 60, 300, 1800, 3600, 21600, 86400, 259200
    };
    return bounds;
}

/// Lets the first few words of a label through and folds the rest.
class Vocabulary {
public:
    std::string word(const std::string& text) {
        const std::lock_guard lock(mutex_);
        if (known_.contains(text)) {
            return text;
        }
        if (known_.size() == limits::kMetricWordsMax) {
            return "other";
        }
        known_.insert(text);
        return text;
    }

private:
    std::mutex mutex_;
    std::set<std::string> known_;
};

} // namespace baton::obs
