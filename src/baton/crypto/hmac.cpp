#include "baton/crypto/hmac.hpp"

#include "baton/base/assert.hpp"
#include "baton/crypto/openssl.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace baton::crypto {

struct HmacKey::State {
    Owned<EVP_MAC_CTX> keyed;
};

struct Hmac::State {
    Owned<EVP_MAC_CTX> context;
};

namespace {

Owned<EVP_MAC_CTX> keyed_context(std::string_view secret) {
    const Owned<EVP_MAC> hmac(EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr));
    BATON_ASSERT(hmac != nullptr);
    Owned<EVP_MAC_CTX> context(EVP_MAC_CTX_new(hmac.get()));
    BATON_ASSERT(context != nullptr);
    std::array<char, 7> digest{"SHA256"};
    const std::array<OSSL_PARAM, 2> params{
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
        OSSL_PARAM_construct_end(),
    };
    BATON_ASSERT(EVP_MAC_init(context.get(), bytes_of(secret), secret.size(), params.data()) == 1);
    return context;
}

} // namespace

HmacKey::HmacKey(std::string_view secret) {
    BATON_ASSERT(!secret.empty());
    state_ = std::make_unique<State>(State{.keyed = keyed_context(secret)});
}

HmacKey::HmacKey(HmacKey&&) noexcept = default;
HmacKey& HmacKey::operator=(HmacKey&&) noexcept = default;
HmacKey::~HmacKey() = default;

Hmac HmacKey::start() const {
    Owned<EVP_MAC_CTX> copy(EVP_MAC_CTX_dup(state_->keyed.get()));
    BATON_ASSERT(copy != nullptr);
    return Hmac(std::make_unique<Hmac::State>(Hmac::State{.context = std::move(copy)}));
}

Sha256Bytes HmacKey::sign(std::string_view message) const {
    auto hmac = start();
    hmac.update(message);
    return hmac.finish();
}

Hmac::Hmac(std::unique_ptr<State> state)
    : state_(std::move(state)) {}

Hmac::Hmac(Hmac&&) noexcept = default;
Hmac& Hmac::operator=(Hmac&&) noexcept = default;
Hmac::~Hmac() = default;

void Hmac::update(std::span<const char> bytes) {
    const std::string_view text(bytes.data(), bytes.size());
    BATON_ASSERT(EVP_MAC_update(state_->context.get(), bytes_of(text), text.size()) == 1);
}

Sha256Bytes Hmac::finish() {
    Sha256Bytes mac{};
    std::size_t size = 0;
    auto* place = reinterpret_cast<unsigned char*>(mac.data());
    BATON_ASSERT(EVP_MAC_final(state_->context.get(), place, &size, mac.size()) == 1);
    BATON_ASSERT(size == mac.size());
    return mac;
}

} // namespace baton::crypto
