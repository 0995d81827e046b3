#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/ed25519.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"

#include <chrono>
#include <cstddef>
#include <map>
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

/// By name, each without a folder.
using BundleFiles = std::map<std::string, std::string>;

inline constexpr const char* kDigestsFile = "digests.txt";
inline constexpr const char* kSignatureFile = "signature";

/// Everything but the signature.
BundleFiles make_bundle(const BundleFacts& facts);

/// Adds the signature over the digests: 64 bytes, as `openssl pkeyutl -verify -rawin` takes them.
void sign_bundle(BundleFiles& files, const crypto::Ed25519PrivateKey& key);

/// What differs from what was signed, a sentence each; none: nothing. `invalid` when there are no
/// digests to compare with.
Result<std::vector<std::string>>
check_bundle(const BundleFiles& files, const crypto::Ed25519PublicKey& key);

inline constexpr std::size_t kBundleFilesMax = 64;
inline constexpr std::size_t kBundleBytesMax = std::size_t{256} * 1024 * 1024; // of one file

} // namespace baton::wire
