// A callback token from outside: only the very text that was minted is good.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/callback_token.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

const TimePoint kNow = from_ms(1'794'000'000'000);

crypto::CallbackClaims claims() {
    return {
        .dispatch = DispatchId{7},
        .generation = 1,
        .delivery = DeliveryId("72d3162e-cc78-11e3-81ab-4c9367dc0958"),
        .downstream = *RepoName::parse("org/backend"),
        .pr = PrNumber{42},
        .head = HeadSha(std::string(40, 'a')),
    };
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using enum crypto::TokenVerdict;
    const auto text = fuzz::text_of(data, size);
    const std::array<crypto::TokenKey, 1> keys{crypto::TokenKey{.id = 3, .secret = "signing key"}};
    const auto minted = crypto::mint(claims(), kNow + std::chrono::hours{1}, keys[0]);
    promise(minted.size() <= crypto::kCallbackTokenBytesMax, "tokens are bounded");
    promise(crypto::verify(minted, claims(), keys, kNow) == good, "what was minted is good");
    const auto verdict = crypto::verify(text, claims(), keys, kNow);
    promise(verdict != good || text == minted, "nothing else is");
    promise(
        crypto::verify(minted + std::string(text), claims(), keys, kNow) == good ? text.empty()
                                                                                 : true,
        "nothing can be added to it"
    );
    auto other = claims();
    other.delivery = DeliveryId(std::string(text));
    promise(
        crypto::verify(minted, other, keys, kNow) != good || other.delivery == claims().delivery,
        "it is good for its own delivery only"
    );
    const auto spelled = crypto::base64url(text);
    promise(crypto::from_base64url(spelled) == text, "base64url gives every byte back");
    if (const auto bytes = crypto::from_base64url(text)) {
        promise(crypto::base64url(*bytes) == text, "and each value has one spelling");
    }
    return 0;
}
