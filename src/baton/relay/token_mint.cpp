#include "baton/relay/token_mint.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/callback_token.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::relay {

namespace {

constexpr std::size_t kSecretDraws = 4; // of 8 bytes each

std::string fresh_secret(ports::Chance& chance) {
    std::string secret;
    for (std::size_t i = 0; i < kSecretDraws; ++i) {
        auto bits = chance.draw().bits;
        for (std::size_t byte = 0; byte < sizeof bits; ++byte) {
            secret.push_back(static_cast<char>(bits & 0xFFU));
            bits >>= 8U;
        }
    }
    return secret;
}

crypto::CallbackClaims claims_of(const domain::Dispatch& dispatch) {
    return {
        .dispatch = dispatch.id,
        .generation = dispatch.key.generation,
        .delivery = dispatch.key.delivery,
        .downstream = dispatch.key.downstream,
        .pr = dispatch.pr,
        .head = dispatch.head,
    };
}

/// Tokens outlive the time in which their key signs; after that a key is good for nothing.
std::vector<crypto::TokenKey>
still_verifying(const std::vector<ports::SigningKey>& keys, TimePoint now) {
    std::vector<crypto::TokenKey> good;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || now < keys[i - 1].created_at + TokenMint::kVerifiesOn) {
            good.push_back({.id = keys[i].id, .secret = keys[i].secret});
        }
    }
    return good;
}

/// A key that is new may not be known to other replicas yet: the one before it signs on, and of
/// several that are all new the oldest, for whoever made a younger one has seen it.
std::vector<crypto::TokenKey>
signing_first(const std::vector<ports::SigningKey>& keys, TimePoint now) {
    auto good = still_verifying(keys, now);
    std::size_t signs = 0;
    while (signs + 1 < good.size() && keys[signs].created_at + TokenMint::kKnownAfter > now) {
        ++signs;
    }
    const auto first = good.begin();
    std::rotate(
        first,
        first + static_cast<std::ptrdiff_t>(signs),
        first + static_cast<std::ptrdiff_t>(signs) + 1
    );
    return good;
}

} // namespace

boost::asio::awaitable<Result<void>> TokenMint::refresh() {
    BATON_CO_TRY(auto keys, co_await store_.signing_keys());
    const auto now = clock_.now();
    if (keys.empty() || now >= keys.front().created_at + kKeyLife) {
        BATON_CO_CHECK(co_await store_.add_signing_key(fresh_secret(chance_), now));
        BATON_CO_TRY(keys, co_await store_.signing_keys()); // another replica's may be among them
    }
    auto good = std::make_shared<const std::vector<crypto::TokenKey>>(signing_first(keys, now));
    const std::scoped_lock lock(mutex_);
    keys_ = std::move(good);
    co_return Result<void>{};
}

TokenMint::Keys TokenMint::keys() const {
    const std::scoped_lock lock(mutex_);
    return keys_;
}

std::string TokenMint::token_for(const domain::Dispatch& dispatch) const {
    const auto keys = this->keys();
    BATON_ASSERT(keys && !keys->empty());
    const auto expires_at = dispatch.created_at + crypto::kCallbackTokenLife;
    return crypto::mint(claims_of(dispatch), expires_at, keys->front());
}

crypto::TokenVerdict
TokenMint::check(std::string_view token, const domain::Dispatch& dispatch) const {
    const auto keys = this->keys();
    BATON_ASSERT(keys);
    return crypto::verify(token, claims_of(dispatch), *keys, clock_.now());
}

} // namespace baton::relay
