#include "baton/crypto/webhook_signature.hpp"

#include "baton/base/result.hpp"
#include "baton/crypto/constant_time.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/sha256.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::crypto {

namespace {

constexpr std::string_view kPrefix = "sha256=";

} // namespace

SignatureKeys::SignatureKeys(std::vector<HmacKey> keys)
    : keys_(std::move(keys)) {}

Result<std::shared_ptr<const SignatureKeys>>
SignatureKeys::make(const std::vector<std::string>& secrets) {
    if (secrets.empty()) {
        return fail(Errc::invalid, "no webhook secret: nothing could be verified");
    }
    std::vector<HmacKey> keys;
    keys.reserve(secrets.size());
    for (const auto& secret : secrets) {
        if (secret.empty()) {
            return fail(Errc::invalid, "a webhook secret is empty: anybody could sign with it");
        }
        keys.emplace_back(secret);
    }
    return std::shared_ptr<const SignatureKeys>(new SignatureKeys(std::move(keys)));
}

SignatureCheck::SignatureCheck(const std::shared_ptr<const SignatureKeys>& keys) {
    running_.reserve(keys->keys_.size());
    for (const auto& key : keys->keys_) {
        running_.push_back(key.start());
    }
}

void SignatureCheck::update(std::span<const char> bytes) {
    for (auto& hmac : running_) {
        hmac.update(bytes);
    }
    bytes_ += bytes.size();
}

std::optional<SignatureProof> SignatureCheck::finish(std::string_view header) {
    if (!header.starts_with(kPrefix)) {
        return std::nullopt;
    }
    const auto given = sha256_from_hex(header.substr(kPrefix.size()));
    if (!given) {
        return std::nullopt;
    }
    std::optional<std::size_t> fits;
    for (std::size_t i = 0; i < running_.size();
         ++i) { // to the end: which secret fitted must not show in the time
        const auto mac = running_[i].finish();
        if (equal_in_constant_time(view_of(mac), view_of(*given))) {
            fits = i;
        }
    }
    if (!fits) {
        return std::nullopt;
    }
    return SignatureProof(bytes_, *fits);
}

} // namespace baton::crypto
