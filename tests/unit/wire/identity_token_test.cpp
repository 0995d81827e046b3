#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/jws.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/wire/identity_token.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace baton::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kHeader = R"({"alg":"RS256","kid":"k1","typ":"JWT"})";
constexpr std::string_view kClaims = R"({"iss":"https://issuer","aud":"relay","exp":1800000300})";

std::string token_of(std::string_view header, std::string_view claims) {
    return crypto::base64url(header) + "." + crypto::base64url(claims) + ".c2ln";
}

TEST(IdentityToken, IsReadIntoTypes) {
    const auto text = token_of(
        R"({"alg":"ES256","kid":"k/1"})",
        R"({"iss":"https://issuer","aud":["a","b"],"exp":1800000300,"nbf":1800000000,"iat":1800000001,
            "repository":"org/backend","repository_id":"42","number":7,"flag":true,"nothing":null,
            "list":["x", 1],"nested":{"a": {"b": 2}},"half":0.5})"
    );
    const auto token = read_identity_token(text);
    ASSERT_TRUE(token) << token.error().detail;
    EXPECT_EQ(token->algorithm, crypto::Algorithm::es256);
    EXPECT_EQ(token->key_id, "k/1");
    EXPECT_EQ(token->signature, "sig");
    EXPECT_EQ(token->signed_part, text.substr(0, text.rfind('.')));
    const auto& claims = token->claims;
    EXPECT_EQ(claims.issuer, "https://issuer");
    EXPECT_THAT(claims.audiences, ElementsAre("a", "b"));
    EXPECT_EQ(claims.expires_at, from_ms(1'800'000'300'000));
    EXPECT_EQ(claims.not_before, from_ms(1'800'000'000'000));
    EXPECT_EQ(claims.issued_at, from_ms(1'800'000'001'000));
    EXPECT_EQ(claims.text("repository"), "org/backend");
    EXPECT_EQ(claims.text("repository_id"), "42");
    EXPECT_EQ(claims.text("number"), "7");
    EXPECT_EQ(claims.text("flag"), "true");
    EXPECT_EQ(claims.text("nothing"), "");
    EXPECT_EQ(claims.text("absent"), "");
    EXPECT_EQ(claims.text("list"), R"(["x",1])");
    EXPECT_EQ(claims.text("nested"), R"({"a":{"b":2}})");
}

TEST(IdentityToken, TakesAnAudienceAsTextOrAsAList) {
    for (const auto* audience : {R"("relay")", R"(["relay"])", R"(["other","relay"])"}) {
        const auto token = read_identity_token(
            token_of(kHeader, fmt::format(R"({{"iss":"i","exp":1,"aud":{}}})", audience))
        );
        ASSERT_TRUE(token) << audience;
        EXPECT_THAT(token->claims.audiences, testing::Contains("relay"));
    }
}

struct BadCase {
    const char* name;
    std::string header;
    std::string claims;
    const char* why;
};

std::string claims_with(std::string_view more) {
    return fmt::format(R"({{"iss":"i","aud":"relay",{}}})", more);
}

std::vector<BadCase> bad_headers() {
    const std::string claims(kClaims);
    return {
        {"no JSON", "alg", claims, "header"},
        {"a list", "[]", claims, "header"},
        {"nothing", "{}", claims, "RS256 or ES256"},
        {"none", R"({"alg":"none","kid":"k"})", claims, "RS256 or ES256"},
        {"None", R"({"alg":"None","kid":"k"})", claims, "RS256 or ES256"},
        {"a shared secret", R"({"alg":"HS256","kid":"k"})", claims, "RS256 or ES256"},
        {"lower case", R"({"alg":"rs256","kid":"k"})", claims, "RS256 or ES256"},
        {"a blank behind", R"({"alg":"RS256 ","kid":"k"})", claims, "RS256 or ES256"},
        {"PSS", R"({"alg":"PS256","kid":"k"})", claims, "RS256 or ES256"},
        {"a number", R"({"alg":256,"kid":"k"})", claims, "RS256 or ES256"},
        {"two algorithms", R"({"alg":["RS256"],"kid":"k"})", claims, "RS256 or ES256"},
        {"alg twice", R"({"alg":"RS256","kid":"k","alg":"HS256"})", claims, "twice"},
        {"alg twice in disguise", R"({"alg":"RS256","kid":"k","\u0061lg":"ES256"})", claims, "twice"
        },
        {"kid twice", R"({"alg":"RS256","kid":"k","kid":"l"})", claims, "twice"},
        {"no kid", R"({"alg":"RS256"})", claims, "kid"},
        {"an empty kid", R"({"alg":"RS256","kid":""})", claims, "kid"},
        {"a numeric kid", R"({"alg":"RS256","kid":1})", claims, "kid"},
        {"a kid without end",
         fmt::format(R"({{"alg":"RS256","kid":"{}"}})", std::string(257, 'k')),
         claims,
         "kid"},
        {"crit", R"({"alg":"RS256","kid":"k","crit":["b64"],"b64":false})", claims, "crit"},
        {"an empty crit", R"({"alg":"RS256","kid":"k","crit":null})", claims, "crit"},
        {"an access token", R"({"alg":"RS256","kid":"k","typ":"at+jwt"})", claims, "typ"},
        {"bytes behind the header", R"({"alg":"RS256","kid":"k"}{})", claims, "header"},
    };
}

std::vector<BadCase> bad_claims() {
    const std::string header(kHeader);
    return {
        {"no JSON", header, "iss", "claims"},
        {"a text", header, R"("iss")", "claims"},
        {"cut off", header, R"({"iss":"i")", "claims"},
        {"broken UTF-8", header, "{\"iss\":\"\xff\"}", "claims"},
        {"too deep",
         header,
         R"({"iss":"i","exp":1,"x":)" + std::string(70, '[') + std::string(70, ']') + "}",
         "claims"},
        {"iss twice", header, R"({"iss":"i","exp":1,"iss":"j"})", "twice"},
        {"a name twice inside", header, claims_with(R"("exp":1,"x":{"y":[{"z":1,"z":2}]})"), "twice"
        },
        {"no iss", header, R"({"exp":1})", "iss"},
        {"iss a number", header, R"({"iss":1,"exp":1})", "iss"},
        {"no exp", header, R"({"iss":"i"})", "exp"},
        {"exp null", header, claims_with(R"("exp":null)"), "exp"},
        {"exp as text", header, claims_with(R"("exp":"1800000300")"), "exp"},
        {"exp a fraction", header, claims_with(R"("exp":1800000300.5)"), "exp"},
        {"exp a whole fraction", header, claims_with(R"("exp":1800000300.0)"), "exp"},
        {"exp with a power", header, claims_with(R"("exp":18e8)"), "exp"},
        {"exp negative", header, claims_with(R"("exp":-1)"), "exp"},
        {"exp in the year 10000", header, claims_with(R"("exp":253402300800)"), "exp"},
        {"exp huge", header, claims_with(R"("exp":9223372036854775807)"), "exp"},
        {"exp beyond 63 bits", header, claims_with(R"("exp":18446744073709551615)"), "exp"},
        {"exp beyond 64 bits", header, claims_with(R"("exp":99999999999999999999999)"), "claims"},
        {"exp a list", header, claims_with(R"("exp":[1])"), "exp"},
        {"exp true", header, claims_with(R"("exp":true)"), "exp"},
        {"nbf as text", header, claims_with(R"("exp":1,"nbf":"1")"), "nbf"},
        {"iat as text", header, claims_with(R"("exp":1,"iat":"1")"), "iat"},
        {"iat null", header, claims_with(R"("exp":1,"iat":null)"), "iat"},
        {"aud a number", header, R"({"iss":"i","exp":1,"aud":1})", "aud"},
        {"aud an object", header, R"({"iss":"i","exp":1,"aud":{"relay":1}})", "aud"},
        {"aud a list with a number", header, R"({"iss":"i","exp":1,"aud":["relay",1]})", "aud"},
        {"aud null", header, R"({"iss":"i","exp":1,"aud":null})", "aud"},
    };
}

TEST(IdentityToken, IsRefusedForItsForm) {
    for (const auto& cases : {bad_headers(), bad_claims()}) {
        for (const auto& one : cases) {
            SCOPED_TRACE(one.name);
            const auto token = read_identity_token(token_of(one.header, one.claims));
            ASSERT_FALSE(token);
            EXPECT_EQ(token.error().code, Errc::unauthenticated);
            EXPECT_THAT(token.error().detail, HasSubstr(one.why));
        }
    }
    EXPECT_TRUE(read_identity_token(token_of(kHeader, kClaims)));
}

TEST(IdentityToken, IsRefusedWhenItIsNoTokenAtAll) {
    const std::string huge = token_of(kHeader, std::string(crypto::kJwsBytesMax, 'x'));
    for (const auto& text : {std::string(), std::string("x"), std::string("a.b"), huge}) {
        const auto token = read_identity_token(text);
        ASSERT_FALSE(token);
        EXPECT_EQ(token.error().code, Errc::unauthenticated);
        EXPECT_THAT(token.error().detail, HasSubstr("malformed"));
    }
}

TEST(IdentityToken, IsNeverRepeatedInTheRefusal) {
    const auto text = token_of(R"({"alg":"secret-alg","kid":"secret-kid"})", "secret-claims");
    const auto token = read_identity_token(text);
    ASSERT_FALSE(token);
    EXPECT_THAT(token.error().detail, Not(HasSubstr("secret")));
}

} // namespace
} // namespace baton::wire
