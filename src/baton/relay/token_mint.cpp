#include "baton/relay/token_mint.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/callback_token.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

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

} // namespace

boost::asio::awaitable<Result<void>> TokenMint::refresh() {
    BATON_CO_TRY(const auto keys, co_await store_.signing_keys());
    if (!keys.empty() && clock_.now() < keys.front().created_at + kKeyLife) {
        key_ = {.id = keys.front().id, .secret = keys.front().secret};
        co_return Result<void>{};
    }
    auto secret = fresh_secret(chance_);
    BATON_CO_TRY(auto made, co_await store_.add_signing_key(std::move(secret), clock_.now()));
    key_ = {.id = made.id, .secret = std::move(made.secret)};
    co_return Result<void>{};
}

std::string TokenMint::token_for(const domain::Dispatch& dispatch) const {
    BATON_ASSERT(!key_.secret.empty());
    const crypto::CallbackClaims claims{
        .dispatch = dispatch.id,
        .generation = dispatch.key.generation,
        .delivery = dispatch.key.delivery,
        .downstream = dispatch.key.downstream,
        .pr = dispatch.pr,
        .head = dispatch.head,
    };
    return crypto::mint(claims, dispatch.created_at + crypto::kCallbackTokenLife, key_);
}

} // namespace baton::relay
