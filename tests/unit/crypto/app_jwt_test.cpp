#include "baton/base/time.hpp"
#include "baton/crypto/app_jwt.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/flat_json.hpp"
#include "baton/crypto/rsa_key.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace baton::crypto {
namespace {

using testing::HasSubstr;

const TimePoint kNow = from_ms(1'800'000'000'123);

const RsaKeyPair& pair() { // making one takes a while: all tests share it
    static const auto made = make_rsa_key_pair();
    return made;
}

AppKey key() {
    return AppKey::parse(pair().private_pem).value();
}

template <class Write> std::string pem_of(EVP_PKEY* pkey, Write write) {
    const std::unique_ptr<BIO, decltype(&BIO_free_all)> bio(BIO_new(BIO_s_mem()), BIO_free_all);
    EXPECT_EQ(write(bio.get(), pkey), 1);
    char* data = nullptr;
    const auto size = BIO_get_mem_data(bio.get(), &data);
    EVP_PKEY_free(pkey);
    return {data, static_cast<std::size_t>(size)};
}

int write_plain(BIO* bio, EVP_PKEY* pkey) {
    return PEM_write_bio_PKCS8PrivateKey(bio, pkey, nullptr, nullptr, 0, nullptr, nullptr);
}

int write_traditional(BIO* bio, EVP_PKEY* pkey) {
    return PEM_write_bio_PrivateKey_traditional(bio, pkey, nullptr, nullptr, 0, nullptr, nullptr);
}

int write_encrypted(BIO* bio, EVP_PKEY* pkey) {
    return PEM_write_bio_PKCS8PrivateKey(bio, pkey, EVP_aes_128_cbc(), "pass", 4, nullptr, nullptr);
}

int write_encrypted_traditional(BIO* bio, EVP_PKEY* pkey) {
    const auto* pass = reinterpret_cast<const unsigned char*>("pass");
    return PEM_write_bio_PrivateKey_traditional(
        bio, pkey, EVP_aes_128_cbc(), pass, 4, nullptr, nullptr
    );
}

EVP_PKEY* same_key() {
    const std::unique_ptr<BIO, decltype(&BIO_free_all)> bio(
        BIO_new_mem_buf(pair().private_pem.data(), static_cast<int>(pair().private_pem.size())),
        BIO_free_all
    );
    return PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr);
}

TEST(AppKey, TakesBothFormsOfAPrivateKey) {
    const auto traditional = pem_of(same_key(), write_traditional);
    ASSERT_THAT(traditional, HasSubstr("BEGIN RSA PRIVATE KEY"));
    ASSERT_THAT(pair().private_pem, HasSubstr("BEGIN PRIVATE KEY"));
    const auto a = AppKey::parse(traditional);
    const auto b = AppKey::parse("Bag Attributes\n\n" + pair().private_pem);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->sign("x"), b->sign("x"));
}

TEST(AppKey, SaysWhatElseItWasGiven) {
    const auto& good = pair().private_pem;
    auto damaged = good;
    damaged[damaged.size() / 2] = '!';

    const struct {
        const char* name;
        std::string pem;
        const char* says;
    } cases[] = {
        {"nothing", "", "not in PEM form"},
        {"some text", "hello", "not in PEM form"},
        {"a public key", pair().public_pem, "public key"},
        {"an encrypted key", pem_of(same_key(), write_encrypted), "encrypted"},
        {"an encrypted key of the old form",
         pem_of(same_key(), write_encrypted_traditional),
         "encrypted"},
        {"an elliptic key", pem_of(EVP_EC_gen("P-256"), write_plain), "not an RSA key"},
        {"an elliptic key of the old form",
         pem_of(EVP_EC_gen("P-256"), write_traditional),
         "elliptic-curve"},
        {"a short key", pem_of(EVP_RSA_gen(1024), write_plain), "fewer than 2048 bits"},
        {"a key cut off", good.substr(0, good.size() / 2), "damaged or cut off"},
        {"a damaged key", damaged, "damaged"},
        {"the first line only", "-----BEGIN RSA PRIVATE KEY-----\n", "damaged or cut off"},
        {"an SSH key", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "SSH key"},
        {"a certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n", "certificate"},
        {"a novel", "-----BEGIN " + std::string(100'000, 'x'), "PEM"},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto parsed = AppKey::parse(c.pem);
        ASSERT_FALSE(parsed);
        EXPECT_EQ(parsed.error().code, Errc::invalid);
        EXPECT_THAT(parsed.error().detail, HasSubstr(c.says));
        EXPECT_EQ(ERR_peek_error(), 0U) << "an error was left for the next TLS call";
    }
}

TEST(AppJwt, SaysWhoAndWhenAsGithubWants) {
    const auto jwt = make_app_jwt(key(), 12345, kNow);
    const auto claims = verify_rs256(jwt.token, RsaPublicKey::parse(pair().public_pem).value());
    ASSERT_TRUE(claims) << claims.error().detail;
    EXPECT_EQ(claims->issuer, "12345");
    EXPECT_EQ(claims->issued_at, from_ms(1'800'000'000'000 - 60'000));
    EXPECT_GT(claims->expires_at, jwt.use_until);
    EXPECT_LE(claims->expires_at, kNow + std::chrono::minutes(10));
    EXPECT_EQ(jwt.use_until, kNow + std::chrono::minutes(9));
}

std::string signed_token(std::string_view header, std::string_view claims) {
    const auto part = base64url(header) + "." + base64url(claims);
    return part + "." + base64url(key().sign(part));
}

TEST(VerifyRs256, TakesNumbersForTheIssuer) {
    const auto token =
        signed_token(R"({"typ":"JWT","alg":"RS256"})", R"( { "iss" : 12 , "iat":1,"exp" : 2 } )");
    const auto claims = verify_rs256(token, key().public_key());
    ASSERT_TRUE(claims) << claims.error().detail;
    EXPECT_EQ(claims->issuer, "12");
    EXPECT_EQ(claims->expires_at, from_ms(2000));
}

TEST(VerifyRs256, TurnsAwayEverythingElse) {
    constexpr std::string_view kHead = R"({"alg":"RS256"})";
    constexpr std::string_view kClaims = R"({"iss":"1","iat":1,"exp":2})";
    const auto good = signed_token(kHead, kClaims);
    ASSERT_TRUE(verify_rs256(good, key().public_key()));

    const struct {
        const char* name;
        std::string token;
    } cases[] = {
        {"nothing", ""},
        {"two parts", good.substr(0, good.rfind('.'))},
        {"four parts", good + ".x"},
        {"no signature", good.substr(0, good.rfind('.') + 1)},
        {"no algorithm", signed_token("{}", kClaims)},
        {"alg none", signed_token(R"({"alg":"none"})", kClaims)},
        {"alg HS256", signed_token(R"({"alg":"HS256"})", kClaims)},
        {"claims of another token",
         good.substr(0, good.find('.')) + "." + base64url("{}") + good.substr(good.rfind('.'))},
        {"no expiry", signed_token(kHead, R"({"iss":"1","iat":1})")},
        {"nested claims", signed_token(kHead, R"({"iss":{"a":1},"iat":1,"exp":2})")},
        {"doubled claims", signed_token(kHead, R"({"iss":"1","iss":"2","iat":1,"exp":2})")},
        {"a time that overflows",
         signed_token(kHead, R"({"iss":"1","iat":1,"exp":9223372036854775807})")},
        {"an array", signed_token(kHead, "[]")},
        {"padding", good + "="},
        {"very long", std::string(10'000, 'a') + "." + "b.c"},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto claims = verify_rs256(c.token, key().public_key());
        ASSERT_FALSE(claims);
        EXPECT_EQ(claims.error().code, Errc::unauthenticated);
    }
}

TEST(VerifyRs256, AnotherKeyDoesNotFit) {
    const auto stranger = AppKey::parse(make_rsa_key_pair().private_pem).value();
    EXPECT_FALSE(verify_rs256(make_app_jwt(stranger, 1, kNow).token, key().public_key()));
}

TEST(RsaPublicKey, TakesPublicRsaKeysOnly) {
    EXPECT_TRUE(RsaPublicKey::parse(pair().public_pem));
    EXPECT_FALSE(RsaPublicKey::parse(pair().private_pem));
    EXPECT_FALSE(RsaPublicKey::parse(""));
    EXPECT_FALSE(RsaPublicKey::parse(pem_of(EVP_EC_gen("P-256"), [](BIO* bio, EVP_PKEY* pkey) {
        return PEM_write_bio_PUBKEY(bio, pkey);
    })));
}

RC_GTEST_PROP(FlatJson, NoInputMakesItStumble, (std::string noise)) {
    static_cast<void>(FlatJson::parse(noise));
    static_cast<void>(FlatJson::parse("{\"a\":" + noise));
    static_cast<void>(FlatJson::parse("{" + noise + "}"));
}

} // namespace
} // namespace baton::crypto
