// The documents of an issuer: its key set and what it says of itself.

#include "baton/base/result.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/wire/key_set.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::is_inert;
using fuzz::promise;

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    const auto set = wire::read_key_set(text);
    if (set) {
        promise(!set->keys.empty(), "a set holds a key");
        promise(set->keys.size() <= wire::kPublishedKeysMax, "and not too many");
        for (const auto& [id, key] : set->keys) {
            promise(!id.empty(), "a key can be named");
            promise(!key.verifies("message", std::string(64, '\1')), "nobody guesses a signature");
            promise(!key.verifies("message", ""), "and nothing is none");
        }
        for (const auto& remark : set->remarks) {
            promise(is_inert(remark), "what people are told is inert");
        }
    } else {
        promise(set.error().code == Errc::invalid, "what is refused is wrong");
        promise(is_inert(set.error().detail), "and its reason is inert");
    }
    const auto metadata = wire::read_issuer_metadata(text);
    promise(metadata || is_inert(metadata.error().detail), "so is that of the other document");
    return 0;
}
