#include "baton/wire/identity_token.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/jws.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/domain/token_claims.hpp"
#include "baton/wire/json_fields.hpp"
#include "baton/wire/strict_json.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

namespace dom = simdjson::dom;

constexpr std::int64_t kSecondsMax = 253'402'300'799; // the end of the year 9999
constexpr std::size_t kKeyIdBytesMax = 256;
constexpr std::size_t kAudiencesMax = 64;

tl::unexpected<Error> bad(std::string_view why) {
    return fail(Errc::unauthenticated, fmt::format("the token is malformed: {}", why));
}

Result<dom::object> object_in(dom::parser& parser, std::string_view json, std::string_view what) {
    auto object = strict_object(parser, json);
    if (!object && object.error().code == Errc::invalid) {
        return bad(fmt::format("its {} cannot be read: {}", what, object.error().detail));
    }
    return object;
}

struct Header {
    crypto::Algorithm algorithm;
    std::string key_id;
};

Result<Header> header_in(dom::object header) {
    dom::element extension;
    if (header.at_key("crit").get(extension) == simdjson::SUCCESS) {
        return bad("its header asks for extensions (crit)");
    }
    const auto type = fields::text_if(header, "/typ");
    if (!type || (*type && lower(**type) != "jwt")) {
        return bad("its header's typ is not JWT");
    }
    const auto algorithm_name = fields::text_if(header, "/alg");
    const auto algorithm = algorithm_name && *algorithm_name
                               ? crypto::algorithm_named(**algorithm_name)
                               : std::nullopt;
    if (!algorithm) {
        return fail(Errc::unauthenticated, "the token is not signed with RS256 or ES256");
    }
    const auto key_id = fields::text_if(header, "/kid");
    if (!key_id || !*key_id || (*key_id)->empty() || (*key_id)->size() > kKeyIdBytesMax) {
        return bad("its header does not name a key (kid)");
    }
    return Header{.algorithm = *algorithm, .key_id = std::string(**key_id)};
}

/// Seconds since 1970 in whole numbers, as the issuers we know write them.
Result<std::optional<TimePoint>> time_in(dom::object claims, std::string_view name) {
    dom::element value;
    if (claims.at_key(name).get(value) != simdjson::SUCCESS) {
        return std::optional<TimePoint>{};
    }
    std::int64_t seconds = 0;
    if (!value.is_int64() || value.get(seconds) != simdjson::SUCCESS || seconds < 0 ||
        seconds > kSecondsMax) {
        return bad(fmt::format("its claim {} is not a time in whole seconds", name));
    }
    return std::optional(from_ms(seconds * 1000));
}

Result<std::vector<std::string>> audiences_in(dom::object claims) {
    std::vector<std::string> audiences;
    dom::element value;
    if (claims.at_key("aud").get(value) != simdjson::SUCCESS) {
        return audiences;
    }
    std::string_view one;
    if (value.get(one) == simdjson::SUCCESS) {
        audiences.emplace_back(one);
        return audiences;
    }
    dom::array list;
    if (value.get(list) != simdjson::SUCCESS || list.size() > kAudiencesMax) {
        return bad("its claim aud is neither text nor a short list of texts");
    }
    for (const auto item : list) {
        if (item.get(one) != simdjson::SUCCESS) {
            return bad("its claim aud is neither text nor a short list of texts");
        }
        audiences.emplace_back(one);
    }
    return audiences;
}

Result<domain::TokenClaims> claims_in(dom::object object) {
    domain::TokenClaims claims;
    const auto issuer = fields::text_if(object, "/iss");
    if (!issuer || !*issuer) {
        return bad("it does not name its issuer (iss)");
    }
    claims.issuer = **issuer;
    BATON_TRY(claims.audiences, audiences_in(object));
    BATON_TRY(const auto expires_at, time_in(object, "exp"));
    if (!expires_at) {
        return bad("it does not say when it expires (exp)");
    }
    claims.expires_at = *expires_at;
    BATON_TRY(claims.not_before, time_in(object, "nbf"));
    BATON_TRY(claims.issued_at, time_in(object, "iat"));
    for (const auto member : object) {
        std::string_view text;
        if (member.value.get(text) == simdjson::SUCCESS) {
            claims.texts.emplace(member.key, text);
        } else if (!member.value.is_null()) {
            claims.texts.emplace(member.key, simdjson::minify(member.value));
        }
    }
    return claims;
}

} // namespace

Result<IdentityToken> read_identity_token(std::string_view token) {
    auto parts = crypto::take_apart(token);
    if (!parts) {
        return bad(parts.error().detail);
    }
    dom::parser parser;
    BATON_TRY(const auto header_object, object_in(parser, parts->header, "header"));
    BATON_TRY(auto header, header_in(header_object));
    BATON_TRY(const auto claims_object, object_in(parser, parts->payload, "claims"));
    BATON_TRY(auto claims, claims_in(claims_object));
    return IdentityToken{
        .algorithm = header.algorithm,
        .key_id = std::move(header.key_id),
        .claims = std::move(claims),
        .signed_part = parts->signed_part,
        .signature = std::move(parts->signature),
    };
}

} // namespace baton::wire
