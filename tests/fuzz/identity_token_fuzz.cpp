// An identity token: the input as it stands, then its first line as the header and the rest as the
// claims of a token that is spelt well.

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/jws.hpp"
#include "baton/crypto/signing_key.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/domain/identity.hpp"
#include "baton/domain/token_claims.hpp"
#include "baton/wire/identity_token.hpp"
#include "baton/wire/key_set.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

const crypto::VerificationKey& key() {
    static const auto one = [] {
        const auto made = crypto::SigningKey::make(crypto::Algorithm::es256);
        const auto set = wire::read_key_set("{\"keys\":[" + made.public_jwk("k") + "]}");
        return set->keys.at("k");
    }();
    return one;
}

void keeps_its_promises(const std::string& token) {
    const auto read = wire::read_identity_token(token);
    if (!read) {
        promise(read.error().code == Errc::unauthenticated, "a bad token is the caller's fault");
        promise(fuzz::is_inert(read.error().detail), "what people are told is inert");
        return;
    }
    promise(token.size() <= crypto::kJwsBytesMax, "tokens are bounded");
    promise(token.starts_with(read->signed_part), "what is signed is what was sent");
    promise(!read->key_id.empty() && !read->signature.empty(), "a key and a signature are named");
    promise(!key().verifies(read->signed_part, read->signature), "nobody guesses a signature");
    const auto& claims = read->claims;
    promise(to_ms(claims.expires_at) >= 0, "times are within the calendar");
    promise(to_rfc3339(claims.expires_at).size() == 24, "and have a name in it");
    promise(claims.text("iss") == claims.issuer, "one issuer");
    promise(
        !domain::check_claims(claims, "relay", claims.expires_at + domain::kTokenLeeway),
        "no token outlives its end"
    );
    const auto caller = domain::github_actions_caller(claims);
    if (caller) {
        promise(caller->repo.text() == claims.text("repository"), "the repository it names");
        promise(caller->ids && caller->ids->repository > 0, "with its number");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    keeps_its_promises(std::string(text));
    auto claims = text;
    const auto header = fuzz::take_until(claims, '\n');
    keeps_its_promises(
        crypto::base64url(header) + "." + crypto::base64url(claims) + "." +
        crypto::base64url(std::string(64, '\1'))
    );
    return 0;
}
