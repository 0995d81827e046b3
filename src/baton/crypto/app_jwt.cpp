#include "baton/crypto/app_jwt.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/flat_json.hpp"
#include "baton/crypto/rsa_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace baton::crypto {

namespace {

constexpr std::size_t kTokenBytesMax = 8192;
constexpr std::string_view kHeader = R"({"alg":"RS256","typ":"JWT"})";

std::int64_t unix_seconds(TimePoint when) {
    return std::chrono::floor<std::chrono::seconds>(when.time_since_epoch()).count();
}

tl::unexpected<Error> bad_token(std::string_view why) {
    return fail(Errc::unauthenticated, fmt::format("the token is not good: {}", why));
}

std::optional<TimePoint> time_in(const FlatJson& claims, std::string_view name) {
    constexpr std::int64_t kSecondsMax = std::numeric_limits<std::int64_t>::max() / 1000;
    const auto text = claims.number(name);
    std::int64_t seconds = 0;
    if (!text) {
        return std::nullopt;
    }
    const auto [stop, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
    if (error != std::errc{} || seconds < 0 || seconds > kSecondsMax) {
        return std::nullopt;
    }
    return from_ms(seconds * 1000);
}

Result<JwtClaims> claims_in(std::string_view json) {
    const auto claims = FlatJson::parse(json);
    if (!claims) {
        return bad_token("its claims are not a flat JSON object");
    }
    auto issuer = claims->text("iss");
    if (!issuer) {
        issuer = claims->number("iss");
    }
    const auto issued_at = time_in(*claims, "iat");
    const auto expires_at = time_in(*claims, "exp");
    if (!issuer || !issued_at || !expires_at) {
        return bad_token("iss, iat or exp is missing");
    }
    return JwtClaims{.issuer = *issuer, .issued_at = *issued_at, .expires_at = *expires_at};
}

} // namespace

AppJwt make_app_jwt(const AppKey& key, std::int64_t app_id, TimePoint now) {
    const auto claims = fmt::format(
        R"({{"iat":{},"exp":{},"iss":"{}"}})",
        unix_seconds(now - kAppJwtBackdate),
        unix_seconds(now + kAppJwtLife),
        app_id
    );
    const auto signed_part = base64url(kHeader) + "." + base64url(claims);
    return AppJwt{
        .token = signed_part + "." + base64url(key.sign(signed_part)),
        .use_until = now + kAppJwtUse,
    };
}

Result<JwtClaims> verify_rs256(std::string_view token, const RsaPublicKey& key) {
    if (token.size() > kTokenBytesMax || std::ranges::count(token, '.') != 2) {
        return bad_token("it does not have three parts");
    }
    const auto first = token.find('.');
    const auto second = token.rfind('.');
    const auto header = from_base64url(token.substr(0, first));
    const auto claims = from_base64url(token.substr(first + 1, second - first - 1));
    const auto signature = from_base64url(token.substr(second + 1));
    if (!header || !claims || !signature) {
        return bad_token("it is not base64url");
    }
    const auto fields = FlatJson::parse(*header);
    if (!fields || fields->text("alg") != "RS256") {
        return bad_token("it is not signed with RS256");
    }
    if (!key.verifies(token.substr(0, second), *signature)) {
        return bad_token("its signature does not fit the key");
    }
    return claims_in(*claims);
}

} // namespace baton::crypto
