#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {

/// Clocks differ; a token is not wrong because of that.
inline constexpr std::chrono::seconds kTokenLeeway{60};

/// What an identity token says. Whether it may be believed is for the key of its issuer to say.
struct TokenClaims {
    std::string issuer;
    std::vector<std::string> audiences;
    TimePoint expires_at{};
    std::optional<TimePoint> not_before;
    std::optional<TimePoint> issued_at;
    /// Every claim as text: numbers and truth values as JSON spells them, lists and objects as
    /// JSON. What is null counts as absent.
    std::map<std::string, std::string, std::less<>> texts;

    /// Empty when the claim is absent.
    std::string_view text(std::string_view claim) const;
};

/// Whether the token is for us and good at `now`, kTokenLeeway in either direction.
/// `unauthenticated` with the check that it failed otherwise.
Result<void> check_claims(const TokenClaims& claims, std::string_view audience, TimePoint now);

} // namespace baton::domain
