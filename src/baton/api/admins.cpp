#include "baton/api/admins.hpp"

#include "baton/crypto/constant_time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/net/http.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

void Admins::replace(std::vector<std::string> tokens) {
    const std::scoped_lock lock(mutex_);
    tokens_ = std::move(tokens);
}

std::optional<std::string> Admins::holder(const net::RequestHead& request) const {
    constexpr std::string_view kBearer = "Bearer ";
    constexpr std::size_t kNameLetters = 8;
    const auto header = request.headers.find("Authorization").value_or("");
    const auto shown = header.starts_with(kBearer) ? header.substr(kBearer.size()) : "";
    const std::scoped_lock lock(mutex_);
    bool known = false;
    for (const auto& token : tokens_) { // all of them, so that the time tells nothing
        known = crypto::equal_in_constant_time(shown, token) || known;
    }
    if (!known || shown.empty() || request.headers.count("Authorization") != 1) {
        return std::nullopt;
    }
    return fmt::format("{}{}", kAdminActor, crypto::sha256_hex(shown).substr(0, kNameLetters));
}

bool Admins::empty() const {
    const std::scoped_lock lock(mutex_);
    return tokens_.empty();
}

} // namespace baton::api
