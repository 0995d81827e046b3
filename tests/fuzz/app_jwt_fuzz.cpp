// An App's token: a text is taken only with its signature, and its claims are plain JSON that is
// read to the last byte.

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/app_jwt.hpp"
#include "baton/crypto/flat_json.hpp"
#include "baton/crypto/rsa_key.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

struct Signed {
    crypto::RsaPublicKey key;
    std::string token;
};

const Signed& signed_token() {
    static const Signed one = [] {
        const auto pair = crypto::make_rsa_key_pair();
        const auto key = *crypto::AppKey::parse(pair.private_pem);
        const auto now = from_ms(1'794'000'000'000);
        return Signed{
            .key = *crypto::RsaPublicKey::parse(pair.public_pem),
            .token = crypto::make_app_jwt(key, 12345, now).token,
        };
    }();
    return one;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    const auto& [key, token] = signed_token();
    const auto strange = crypto::verify_rs256(text, key);
    promise(!strange, "nobody guesses a signature");
    promise(strange.error().code == Errc::unauthenticated, "and is told so");

    // The good token with the input instead of one of its parts.
    const auto first = token.find('.');
    const auto last = token.rfind('.');
    promise(crypto::verify_rs256(token, key).has_value(), "a good token is taken");
    const std::string other_claims =
        token.substr(0, first + 1) + std::string(text) + token.substr(last);
    const std::string other_head = std::string(text) + token.substr(first);
    const std::string other_end = token.substr(0, last + 1) + std::string(text);
    for (const auto& other : {other_claims, other_head, other_end}) {
        promise(!crypto::verify_rs256(other, key) || other == token, "with its own parts only");
    }
    const auto flat = crypto::FlatJson::parse(text);
    if (flat) {
        const bool object =
            text.find('{') != std::string_view::npos && text.find('}') != std::string_view::npos;
        promise(object, "claims are an object");
        if (const auto issuer = flat->number("iss")) {
            promise(
                std::ranges::all_of(
                    *issuer, [](char c) { return c == '-' || (c >= '0' && c <= '9'); }
                ),
                "a number is its digits"
            );
        }
    }
    return 0;
}
