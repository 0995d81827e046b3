// Files of a bundle that somebody sent: digests.txt, then a snapshot behind an empty line; and a
// key that somebody gave, in PEM. Nothing of it is believed before it was compared.

#include "baton/base/result.hpp"
#include "baton/crypto/ed25519.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/metrics_json.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

/// RFC 8032, section 7.1: everybody has it.
const crypto::Ed25519PrivateKey& signer() {
    static const auto key = crypto::Ed25519PrivateKey::parse(
                                "-----BEGIN PRIVATE KEY-----\n"
                                "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
                                "-----END PRIVATE KEY-----\n"
    )
                                .value();
    return key;
}

/// What people are told about a key says nothing of it.
template <class Key> bool is_key(const Result<Key>& key) {
    if (!key) {
        promise(key.error().code == Errc::invalid, "a key that is none is invalid");
        promise(fuzz::is_inert(key.error().detail), "what people are told is inert");
        constexpr std::size_t kToldMax = 256;
        promise(key.error().detail.size() <= kToldMax, "and repeats no key");
    }
    return key.has_value();
}

void check_keys(std::string_view text) {
    constexpr std::string_view kMessage = "digests";
    const auto strange = crypto::Ed25519PublicKey::parse(text);
    if (is_key(strange)) {
        const std::string none(crypto::kEd25519SignatureBytes, '\1');
        promise(!strange->verifies(kMessage, none), "nobody guesses a signature");
        promise(!strange->verifies(kMessage, ""), "and nothing is none");
    }
    const auto own = crypto::Ed25519PrivateKey::parse(text);
    promise(!is_key(own) || !strange, "a private key is not taken for one to give away");
    if (own) {
        const auto signature = own->sign(kMessage);
        promise(own->public_key().verifies(kMessage, signature), "what it signs is its own");
        promise(!own->public_key().verifies("other", signature), "and of that message");
    }
}

/// A signature is good when it was made over these digests, and never as it came.
void check_signed(wire::BundleFiles files, const std::string& signature) {
    const auto key = signer().public_key();
    const auto unsigned_ones = wire::check_bundle(files, key);
    const auto listed = wire::check_digests(files);
    promise(unsigned_ones.has_value() == listed.has_value(), "a bundle has digests");
    if (!listed) {
        return;
    }
    promise(unsigned_ones->size() == listed->size() + 1, "what is not signed differs in that");
    files[wire::kSignatureFile] = signature;
    const auto guessed = wire::check_digests(files);
    promise(wire::check_bundle(files, key)->size() == guessed->size() + 1, "nobody guesses one");
    wire::sign_bundle(files, signer());
    promise(
        *wire::check_bundle(files, key) == *wire::check_digests(files),
        "what is signed differs where its digests do"
    );
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::text_of(data, size));
    check_keys(text);
    const auto parted = text.find("\n\n");
    const auto digests = text.substr(0, parted == std::string::npos ? text.size() : parted + 1);
    const auto snapshot = parted == std::string::npos ? std::string() : text.substr(parted + 2);

    if (const auto summary = wire::read_metrics(snapshot); !summary) {
        promise(summary.error().code == Errc::invalid, "the snapshot is at fault");
        promise(fuzz::is_inert(summary.error().detail), "what people are told is inert");
    }
    wire::BundleFiles files{{wire::kMetricsFile, snapshot}, {wire::kDigestsFile, digests}};
    check_signed(files, snapshot);
    const auto differences = wire::check_digests(files);
    promise(
        differences.has_value() == wire::listed_in(digests).has_value(),
        "digests that can be read can be compared"
    );
    if (!differences) {
        promise(fuzz::is_inert(differences.error().detail), "what people are told is inert");
        return 0;
    }
    for (const auto& difference : *differences) {
        promise(fuzz::is_inert(difference), "what differs is told inertly");
    }
    files.erase(wire::kDigestsFile);
    wire::add_digests(files);
    const auto own = wire::check_digests(files);
    promise(own.has_value() && own->empty(), "its own digests are those of the files");
    promise(
        !differences->empty() || files.at(wire::kDigestsFile) == digests,
        "nothing differs only where the digests are these"
    );
    return 0;
}
