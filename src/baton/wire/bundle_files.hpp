#pragma once

#include "baton/base/result.hpp"
#include "baton/crypto/ed25519.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

/// Files that belong together: their digests in one of them, and a signature over that. Whoever has
/// `sha256sum` and `openssl` can check them without Baton.
namespace baton::wire {

/// By name; folders in it are parted by `/`.
using BundleFiles = std::map<std::string, std::string>;

inline constexpr const char* kDigestsFile = "digests.txt";
inline constexpr const char* kSignatureFile = "signature";

/// Adds the digests of what is there, in the order of the names.
void add_digests(BundleFiles& files);

/// Adds the signature over the digests: 64 bytes, as `openssl pkeyutl -verify -rawin` takes them.
void sign_bundle(BundleFiles& files, const crypto::Ed25519PrivateKey& key);

/// The names of what the digests speak of. `invalid` when they are no digests.
Result<std::set<std::string>> listed_in(const std::string& digests);

/// What differs from what the digests say, a sentence each; none: nothing. `invalid` when there are
/// no digests to compare with.
Result<std::vector<std::string>> check_digests(const BundleFiles& files);

/// What differs from what was signed: the same, and the signature.
Result<std::vector<std::string>>
check_bundle(const BundleFiles& files, const crypto::Ed25519PublicKey& key);

inline constexpr std::size_t kBundleFilesMax = 512;
inline constexpr std::size_t kBundleBytesMax = std::size_t{256} * 1024 * 1024; // of one file

} // namespace baton::wire
