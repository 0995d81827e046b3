#include "baton/domain/token_claims.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace baton::domain {

std::string_view TokenClaims::text(std::string_view claim) const {
    const auto found = texts.find(claim);
    return found == texts.end() ? std::string_view{} : std::string_view(found->second);
}

Result<void> check_claims(const TokenClaims& claims, std::string_view audience, TimePoint now) {
    if (std::ranges::find(claims.audiences, audience) == claims.audiences.end()) {
        return fail(
            Errc::unauthenticated,
            fmt::format("the token is for another audience: ask your CI for one for {}", audience)
        );
    }
    if (now >= claims.expires_at + kTokenLeeway) {
        return fail(
            Errc::unauthenticated,
            fmt::format(
                "the token expired at {}: ask your CI for a new one", to_rfc3339(claims.expires_at)
            )
        );
    }
    if (claims.not_before && now + kTokenLeeway < *claims.not_before) {
        return fail(
            Errc::unauthenticated,
            fmt::format("the token is not valid before {}", to_rfc3339(*claims.not_before))
        );
    }
    if (claims.issued_at && now + kTokenLeeway < *claims.issued_at) {
        return fail(
            Errc::unauthenticated,
            fmt::format("the token was issued in the future, at {}", to_rfc3339(*claims.issued_at))
        );
    }
    return {};
}

} // namespace baton::domain
