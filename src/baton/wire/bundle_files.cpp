#include "baton/wire/bundle_files.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/ed25519.hpp"
#include "baton/crypto/sha256.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

constexpr std::string_view kSeparator = "  "; // as sha256sum writes them

/// Names and digests; `invalid` with the first line that is none.
Result<std::map<std::string, std::string>> read_digests(std::string_view text) {
    std::map<std::string, std::string> digests;
    int number = 0;
    while (!text.empty()) {
        ++number;
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const auto gap = line.find(kSeparator);
        const auto hex = line.substr(0, gap);
        if (gap == std::string_view::npos || !crypto::sha256_from_hex(hex) ||
            line.size() == gap + kSeparator.size()) {
            return fail(
                Errc::invalid,
                fmt::format(
                    "{}, line {}: expected a SHA-256 and a name, found \"{}\"",
                    kDigestsFile,
                    number,
                    inert(line)
                )
            );
        }
        digests.emplace(line.substr(gap + kSeparator.size()), hex);
    }
    return digests;
}

} // namespace

void add_digests(BundleFiles& files) {
    std::string out;
    for (const auto& [name, bytes] : files) {
        out += fmt::format("{}{}{}\n", crypto::sha256_hex(bytes), kSeparator, name);
    }
    files[kDigestsFile] = std::move(out);
}

void sign_bundle(BundleFiles& files, const crypto::Ed25519PrivateKey& key) {
    files[kSignatureFile] = key.sign(files.at(kDigestsFile));
}

Result<std::set<std::string>> listed_in(const std::string& digests) {
    BATON_TRY(const auto read, read_digests(digests));
    std::set<std::string> names;
    for (const auto& [name, digest] : read) {
        names.insert(name);
    }
    return names;
}

Result<std::vector<std::string>> check_digests(const BundleFiles& files) {
    const auto listed = files.find(kDigestsFile);
    if (listed == files.end()) {
        return fail(Errc::invalid, fmt::format("there is no {}: this is no bundle", kDigestsFile));
    }
    BATON_TRY(const auto digests, read_digests(listed->second));
    std::vector<std::string> differences;
    for (const auto& [name, digest] : digests) {
        const auto file = files.find(name);
        if (file == files.end()) {
            differences.push_back(fmt::format("{} is missing", inert(name)));
        } else if (crypto::sha256_hex(file->second) != digest) {
            differences.push_back(fmt::format("{} was changed", inert(name)));
        }
    }
    for (const auto& [name, bytes] : files) {
        if (name != kDigestsFile && name != kSignatureFile && !digests.contains(name)) {
            differences.push_back(fmt::format("{} does not belong to the bundle", inert(name)));
        }
    }
    return differences;
}

Result<std::vector<std::string>>
check_bundle(const BundleFiles& files, const crypto::Ed25519PublicKey& key) {
    BATON_TRY(auto differences, check_digests(files));
    const auto signature = files.find(kSignatureFile);
    if (signature == files.end()) {
        differences.insert(differences.begin(), "it is not signed: there is no file \"signature\"");
    } else if (!key.verifies(files.at(kDigestsFile), signature->second)) {
        differences.insert(
            differences.begin(),
            fmt::format("the signature over {} was not made with this key", kDigestsFile)
        );
    }
    return differences;
}

} // namespace baton::wire
