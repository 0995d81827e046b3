#include "baton/base/result.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/signing_key.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/wire/key_set.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {
namespace {

using crypto::Algorithm;
using crypto::SigningKey;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

const SigningKey& rsa() {
    static const auto made = SigningKey::make(Algorithm::rs256);
    return made;
}

const SigningKey& elliptic() {
    static const auto made = SigningKey::make(Algorithm::es256);
    return made;
}

std::string set_of(const std::vector<std::string>& keys) {
    return fmt::format(R"({{"keys":[{}]}})", fmt::join(keys, ","));
}

/// A good RSA key with these members instead of, or besides, its own.
std::string rsa_with(std::string_view from, std::string_view to) {
    auto jwk = rsa().public_jwk("k1");
    const auto at = jwk.find(from);
    EXPECT_NE(at, std::string::npos);
    return jwk.replace(at, from.size(), to);
}

TEST(KeySet, GivesKeysThatVerifyWhatTheirOwnersSigned) {
    const auto set = read_key_set(set_of({rsa().public_jwk("r"), elliptic().public_jwk("e")}));
    ASSERT_TRUE(set) << set.error().detail;
    EXPECT_THAT(set->keys, ElementsAre(Key("e"), Key("r")));
    EXPECT_THAT(set->remarks, IsEmpty());
    EXPECT_TRUE(set->keys.at("r").verifies("message", rsa().sign("message")));
    EXPECT_TRUE(set->keys.at("e").verifies("message", elliptic().sign("message")));
    EXPECT_FALSE(set->keys.at("r").verifies("message", elliptic().sign("message")));
    EXPECT_FALSE(set->keys.at("e").verifies("message", rsa().sign("message")));
    EXPECT_EQ(set->keys.at("r").algorithm(), Algorithm::rs256);
    EXPECT_EQ(set->keys.at("e").algorithm(), Algorithm::es256);
}

TEST(KeySet, TakesAKeyThatSaysNothingOfItsUse) {
    for (const auto& bare : {rsa_with(R"("use":"sig",)", ""), rsa_with(R"("alg":"RS256",)", "")}) {
        EXPECT_TRUE(read_key_set(set_of({bare}))) << bare;
    }
    EXPECT_TRUE(read_key_set(set_of({rsa_with("\"use\"", R"("key_ops":["verify"],"use")")})));
    EXPECT_TRUE(read_key_set(set_of({rsa_with("\"use\"", R"("x5t":"?","x5c":[],"use")")})));
}

TEST(KeySet, PassesOverWhatIsForSomethingElse) {
    const std::vector<std::string> others{
        R"({"kty":"OKP","crv":"Ed25519","kid":"o","x":"AA"})",
        R"({"kty":"EC","crv":"P-384","kid":"o","x":"AA","y":"AA"})",
        R"({"kty":"EC","crv":"secp256k1","kid":"o","x":"AA","y":"AA"})",
        R"({"kty":"oct","kid":"o","k":"c2VjcmV0"})",
        R"({"kty":7,"kid":"o"})",
        R"({"kid":"o"})",
        R"({})",
        R"(null)",
        R"("key")",
        rsa_with(R"("use":"sig")", R"("use":"enc")"),
        rsa_with(R"("use":"sig")", R"("use":7)"),
        rsa_with(R"("alg":"RS256")", R"("alg":"RS512")"),
        rsa_with(R"("alg":"RS256")", R"("alg":"HS256")"),
        rsa_with(R"("use":"sig")", R"("key_ops":["encrypt"])"),
        rsa_with(R"("use":"sig")", R"("key_ops":[])"),
        rsa_with(R"("use":"sig")", R"("key_ops":"verify")"),
        rsa_with(R"("kid":"k1")", R"("kid":"")"),
        rsa_with(R"("kid":"k1",)", ""),
    };
    for (const auto& other : others) {
        SCOPED_TRACE(other);
        EXPECT_FALSE(read_key_set(set_of({other})));
        const auto set = read_key_set(set_of({other, elliptic().public_jwk("e")}));
        ASSERT_TRUE(set) << set.error().detail;
        EXPECT_THAT(set->keys, ElementsAre(Key("e")));
        EXPECT_THAT(set->remarks, IsEmpty());
    }
}

TEST(KeySet, RemarksOnKeysThatAreWeakBrokenOrPrivate) {
    struct Case {
        std::string jwk;
        const char* why;
    };

    const Case cases[] = {
        {rsa_with(R"("e":)", R"("d":"AA","e":)"), "private"},
        {rsa_with(R"("e":"AQAB")", R"("e":"AQ")"), "exponent"},
        {rsa_with(R"("e":"AQAB")", R"("e":"A+AB")"), "base64url"},
        {rsa_with(R"("e":"AQAB")", R"("e":65537)"), "base64url"},
        {R"({"kty":"RSA","kid":"k1","n":"AQAB","e":"AQAB"})", "bits"},
        {R"({"kty":"EC","crv":"P-256","kid":"k1","x":"AA","y":"AA"})", "32 bytes"},
        {fmt::format(
             R"({{"kty":"EC","crv":"P-256","kid":"k1","x":"{0}","y":"{0}"}})",
             crypto::base64url(std::string(32, '\1'))
         ),
         "curve"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.jwk);
        const auto set = read_key_set(set_of({one.jwk, elliptic().public_jwk("e")}));
        ASSERT_TRUE(set) << set.error().detail;
        EXPECT_THAT(set->keys, ElementsAre(Key("e")));
        EXPECT_THAT(set->remarks, ElementsAre(HasSubstr(one.why)));
        const auto alone = read_key_set(set_of({one.jwk}));
        ASSERT_FALSE(alone);
        EXPECT_THAT(alone.error().detail, HasSubstr(one.why));
    }
}

TEST(KeySet, KeepsTheFirstOfTwoKeysWithOneIdAndSaysSo) {
    const auto set = read_key_set(set_of({rsa().public_jwk("k"), elliptic().public_jwk("k")}));
    ASSERT_TRUE(set) << set.error().detail;
    EXPECT_EQ(set->keys.at("k").algorithm(), Algorithm::rs256);
    EXPECT_THAT(set->remarks, ElementsAre(HasSubstr("stands twice")));
}

TEST(KeySet, IsRefusedWhenItIsNone) {
    std::vector<std::string> many;
    for (std::size_t i = 0; i <= kPublishedKeysMax; ++i) {
        many.push_back(fmt::format(R"({{"kid":"{}"}})", i));
    }

    struct Case {
        std::string json;
        const char* why;
    };

    const Case cases[] = {
        {"", "not JSON"},
        {"<html>", "not JSON"},
        {"[]", "not a JSON object"},
        {"{}", "no list"},
        {R"({"keys":{}})", "no list"},
        {R"({"keys":[]})", "no key"},
        {R"({"keys":[],"keys":[]})", "twice"},
        {set_of({R"({"kid":"a","kid":"b"})"}), "twice"},
        {set_of(many), "more than 100"},
        {std::string(kKeySetBytesMax + 1, ' '), "larger than"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.json.substr(0, 60));
        const auto set = read_key_set(one.json);
        ASSERT_FALSE(set);
        EXPECT_EQ(set.error().code, Errc::invalid);
        EXPECT_THAT(set.error().detail, HasSubstr(one.why));
    }
}

TEST(IssuerMetadata, HasAnIssuerAndAKeySet) {
    const auto good =
        read_issuer_metadata(R"({"issuer":"https://i","jwks_uri":"https://i/k","x":1})");
    ASSERT_TRUE(good) << good.error().detail;
    EXPECT_EQ(good->issuer, "https://i");
    EXPECT_EQ(good->jwks_uri, "https://i/k");
    for (const auto* bad :
         {"",
          "[]",
          R"({"issuer":"https://i"})",
          R"({"jwks_uri":"https://i/k"})",
          R"({"issuer":1,"jwks_uri":"https://i/k"})",
          R"({"issuer":"https://i","jwks_uri":["https://i/k"]})",
          R"({"issuer":"https://i","issuer":"https://j","jwks_uri":"https://i/k"})"}) {
        EXPECT_FALSE(read_issuer_metadata(bad)) << bad;
    }
}

} // namespace
} // namespace baton::wire
