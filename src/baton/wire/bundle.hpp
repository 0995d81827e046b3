#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/wire/bundle_files.hpp"

#include <chrono>
#include <string>
#include <vector>

/// The evidence behind a change of a level, as files for people: docs/design/ladder.md, "The
/// bundle". Nothing here looks at a clock, a host or a store: equal facts are equal bytes.
namespace baton::wire {

/// A line of the ledger of levels and the evaluation it came from.
struct BundledMove {
    TimePoint as_of{};
    domain::LadderTransition move;
};

struct BundleFacts {
    RepoName upstream;
    RepoName downstream;
    std::string profile; // "baton/1"
    domain::LadderVerdict verdict;
    int revision{0};                                    // of the evaluation
    std::string digest;                                 // of the days behind it
    const domain::LadderEvidence& evidence;             // of everybody
    const std::vector<domain::JudgedOutcome>& outcomes; // of that evidence
    domain::LadderHistory history;                      // of the downstream
    std::vector<BundledMove> moves;                     // newest first
    std::vector<RepoName> hidden;                       // private ones: named nowhere
    std::string public_url;                             // of the relay's pages; empty: no links
    std::string allowlist;                              // in force
    std::string allowlist_path;                         // as the patch shall name it
};

inline constexpr int kBundleDays = 14; // the longest window that a promotion looks at

/// Everything but the signature.
BundleFiles make_bundle(const BundleFacts& facts);

} // namespace baton::wire
