#include "baton/wire/key_set.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/wire/json_fields.hpp"
#include "baton/wire/strict_json.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::wire {

namespace {

namespace dom = simdjson::dom;

/// Members that only a private or a shared key has.
constexpr std::array<std::string_view, 8> kPrivateParts{
    "/d", "/p", "/q", "/dp", "/dq", "/qi", "/oth", "/k"
};

std::optional<std::string_view> text_in(dom::object jwk, std::string_view pointer) {
    const auto text = fields::text_if(jwk, pointer);
    return text ? *text : std::nullopt;
}

std::optional<std::string> bytes_in(dom::object jwk, std::string_view pointer) {
    const auto text = text_in(jwk, pointer);
    return text ? crypto::from_base64url(*text) : std::nullopt;
}

/// Whether `use` and `key_ops`, where they are, let it check signatures.
bool may_verify(dom::object jwk) {
    if (fields::member(jwk, "/use") && text_in(jwk, "/use") != "sig") {
        return false;
    }
    if (!fields::member(jwk, "/key_ops")) {
        return true;
    }
    const auto uses = fields::array_if(jwk, "/key_ops");
    return uses && *uses && std::any_of((*uses)->begin(), (*uses)->end(), [](dom::element use) {
               std::string_view text;
               return use.get(text) == simdjson::SUCCESS && text == "verify";
           });
}

/// nullopt: a kind of key that we do not know, or one for something else.
std::optional<crypto::Algorithm> algorithm_of(dom::object jwk) {
    const auto kind = text_in(jwk, "/kty");
    std::optional<crypto::Algorithm> algorithm;
    if (kind == "RSA") {
        algorithm = crypto::Algorithm::rs256;
    } else if (kind == "EC" && text_in(jwk, "/crv") == "P-256") {
        algorithm = crypto::Algorithm::es256;
    }
    if (algorithm && fields::member(jwk, "/alg") &&
        text_in(jwk, "/alg") != crypto::name_of(*algorithm)) {
        return std::nullopt;
    }
    return may_verify(jwk) ? algorithm : std::nullopt;
}

Result<crypto::VerificationKey> key_in(dom::object jwk, crypto::Algorithm algorithm) {
    for (const auto part : kPrivateParts) {
        if (fields::member(jwk, part)) {
            return fail(Errc::invalid, "it is private, and published all the same");
        }
    }
    const bool rsa = algorithm == crypto::Algorithm::rs256;
    const auto first = bytes_in(jwk, rsa ? "/n" : "/x");
    const auto second = bytes_in(jwk, rsa ? "/e" : "/y");
    if (!first || !second) {
        return fail(Errc::invalid, "its numbers are missing or not base64url");
    }
    return rsa ? crypto::VerificationKey::rsa({.modulus = *first, .exponent = *second})
               : crypto::VerificationKey::p256({.x = *first, .y = *second});
}

void add(KeySet& set, dom::object jwk) {
    const auto algorithm = algorithm_of(jwk);
    const auto id = text_in(jwk, "/kid");
    if (!algorithm || !id || id->empty()) {
        return; // a token could not name it
    }
    auto key = key_in(jwk, *algorithm);
    if (!key) {
        set.remarks.push_back(
            fmt::format("key \"{}\" is not used: {}", inert(*id), key.error().detail)
        );
    } else if (!set.keys.emplace(*id, *std::move(key)).second) {
        set.remarks.push_back(fmt::format("key \"{}\" stands twice: the first is used", inert(*id))
        );
    }
}

} // namespace

Result<KeySet> read_key_set(std::string_view json) {
    if (json.size() > kKeySetBytesMax) {
        return fail(Errc::invalid, fmt::format("larger than {} bytes", kKeySetBytesMax));
    }
    dom::parser parser;
    BATON_TRY(const auto root, strict_object(parser, json));
    const auto listed = fields::array_if(root, "/keys");
    if (!listed || !*listed) {
        return fail(Errc::invalid, "it is no key set: it has no list \"keys\"");
    }
    if ((*listed)->size() > kPublishedKeysMax) {
        return fail(Errc::invalid, fmt::format("more than {} keys", kPublishedKeysMax));
    }
    KeySet set;
    for (const auto member : **listed) {
        dom::object jwk;
        if (member.get(jwk) == simdjson::SUCCESS) {
            add(set, jwk);
        }
    }
    if (set.keys.empty()) {
        return fail(
            Errc::invalid,
            set.remarks.empty() ? "it holds no key for RS256 or ES256 signatures"
                                : "it holds no key that can be used: " + set.remarks.front()
        );
    }
    return set;
}

Result<IssuerMetadata> read_issuer_metadata(std::string_view json) {
    dom::parser parser;
    BATON_TRY(const auto root, strict_object(parser, json));
    BATON_TRY(const auto issuer, fields::text_at(root, "/issuer"));
    BATON_TRY(const auto jwks_uri, fields::text_at(root, "/jwks_uri"));
    return IssuerMetadata{.issuer = std::string(issuer), .jwks_uri = std::string(jwks_uri)};
}

} // namespace baton::wire
