#include "baton/sim/token_book.hpp"

#include "baton/base/time.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

bool TokenScope::allows(std::string_view permission, std::string_view access) const {
    const auto found = grants.find(permission);
    return found != grants.end() && (found->second == "write" || found->second == access);
}

std::string TokenBook::issue(TokenScope scope, TimePoint now) {
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    std::erase_if(tokens_, [now](const auto& entry) { return entry.second.expires_at <= now; });
    std::string token = "ghs_";
    while (token.size() < 40) {
        token += kLetters[chance_.draw().below(kLetters.size())];
    }
    scope.expires_at = now + kLife;
    tokens_[token] = std::move(scope);
    return token;
}

const TokenScope* TokenBook::find(std::string_view token, TimePoint now) const {
    const auto found = tokens_.find(token);
    return found != tokens_.end() && found->second.expires_at > now ? &found->second : nullptr;
}

} // namespace baton::sim
