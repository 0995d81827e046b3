#include "baton/base/result.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/jws.hpp"
#include "baton/crypto/signing_key.hpp"
#include "baton/crypto/verification_key.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace baton::crypto {
namespace {

using testing::HasSubstr;

std::string bytes(std::string_view base64url_text) {
    return from_base64url(base64url_text).value();
}

/// A number of so many bits, ending in the byte given.
std::string number(int bits, unsigned char last) {
    std::string text(static_cast<std::size_t>(bits + 7) / 8, '\x5a');
    text.front() = static_cast<char>(1U << (static_cast<unsigned>(bits - 1) % 8U));
    text.back() = static_cast<char>(last);
    return text;
}

constexpr std::string_view kClaimsOfRfc7515 = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0"
                                              "dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
constexpr std::string_view kX = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
constexpr std::string_view kY = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

TEST(VerificationKey, TakesTheRsaExampleOfRfc7515) {
    const auto key = VerificationKey::rsa(
        {.modulus = bytes(
             "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJ"
             "PMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0"
             "LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uD"
             "Zlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2"
             "PAcDTW9gb54h4FRWyuXpoQ"
         ),
         .exponent = bytes("AQAB")}
    );
    ASSERT_TRUE(key) << key.error().detail;
    EXPECT_EQ(key->algorithm(), Algorithm::rs256);
    const auto message = "eyJhbGciOiJSUzI1NiJ9." + std::string(kClaimsOfRfc7515);
    auto signature =
        bytes("cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt"
              "_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArL"
              "IARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7no"
              "OPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQ"
              "Ge77Rw");
    EXPECT_TRUE(key->verifies(message, signature));
    EXPECT_FALSE(key->verifies(message + "x", signature));
    EXPECT_FALSE(key->verifies(message, signature + '\0'));
    signature.front() = static_cast<char>(signature.front() ^ 1);
    EXPECT_FALSE(key->verifies(message, signature));
}

TEST(VerificationKey, TakesTheEllipticExampleOfRfc7515) {
    const auto key = VerificationKey::p256({.x = bytes(kX), .y = bytes(kY)});
    ASSERT_TRUE(key) << key.error().detail;
    EXPECT_EQ(key->algorithm(), Algorithm::es256);
    const auto message = "eyJhbGciOiJFUzI1NiJ9." + std::string(kClaimsOfRfc7515);
    const auto signature = bytes(
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    );
    EXPECT_TRUE(key->verifies(message, signature));
    EXPECT_FALSE(key->verifies(message + "x", signature));
}

TEST(VerificationKey, RefusesEllipticSignaturesOfAnotherForm) {
    const auto key = VerificationKey::p256({.x = bytes(kX), .y = bytes(kY)}).value();
    EXPECT_FALSE(key.verifies("m", ""));
    EXPECT_FALSE(key.verifies("m", std::string(64, '\0'))) << "r and s of nothing sign nothing";
    EXPECT_FALSE(key.verifies("m", std::string(64, '\xff')));
    EXPECT_FALSE(key.verifies("m", std::string(63, '\1')));
    EXPECT_FALSE(key.verifies("m", std::string(65, '\1')));
}

TEST(VerificationKey, RefusesWeakAndUnheardOfRsaKeys) {
    struct Case {
        const char* name;
        std::string modulus;
        std::string exponent;
        const char* why;
    };

    const std::string usual("\x01\x00\x01", 3);
    const Case cases[] = {
        {"one bit short", number(2047, 1), usual, "2047 bits"},
        {"one bit long", number(8193, 1), usual, "8193 bits"},
        {"nothing", "", usual, "0 bits"},
        {"an enormous one", std::string(1'000'000, '\1'), usual, "far too long"},
        {"an even modulus", number(2048, 2), usual, "even"},
        {"an even exponent", number(2048, 1), std::string("\4"), "exponent"},
        {"exponent one", number(2048, 1), std::string("\1"), "exponent"},
        {"no exponent", number(2048, 1), "", "exponent"},
        {"an exponent that takes for ever", number(2048, 1), number(2048, 1), "exponent"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.name);
        const auto key = VerificationKey::rsa({.modulus = one.modulus, .exponent = one.exponent});
        ASSERT_FALSE(key);
        EXPECT_EQ(key.error().code, Errc::invalid);
        EXPECT_THAT(key.error().detail, HasSubstr(one.why));
    }
    EXPECT_TRUE(VerificationKey::rsa({.modulus = number(2048, 1), .exponent = usual}));
    EXPECT_TRUE(VerificationKey::rsa({.modulus = number(8192, 1), .exponent = "\3"}));
}

TEST(VerificationKey, RefusesPointsThatAreNotOnTheCurve) {
    auto y = bytes(kY);
    y.back() = static_cast<char>(y.back() ^ 1);
    EXPECT_FALSE(VerificationKey::p256({.x = bytes(kX), .y = y}));
    EXPECT_FALSE(VerificationKey::p256({.x = std::string(32, '\0'), .y = std::string(32, '\0')}));
    EXPECT_FALSE(VerificationKey::p256({.x = std::string(32, '\xff'), .y = bytes(kY)}));
    EXPECT_FALSE(VerificationKey::p256({.x = bytes(kX).substr(1), .y = bytes(kY)}));
    EXPECT_FALSE(VerificationKey::p256({.x = "", .y = ""}));
}

TEST(SigningKey, SignsWhatTheOtherSideVerifies) {
    for (const auto algorithm : {Algorithm::rs256, Algorithm::es256}) {
        SCOPED_TRACE(name_of(algorithm));
        const auto key = SigningKey::make(algorithm);
        const auto token = key.token("k1", R"({"iss":"x"})");
        const auto parts = take_apart(token);
        ASSERT_TRUE(parts) << parts.error().detail;
        EXPECT_EQ(parts->payload, R"({"iss":"x"})");
        EXPECT_EQ(algorithm_named(name_of(algorithm)), algorithm);
        EXPECT_THAT(parts->header, HasSubstr(std::string(name_of(algorithm))));
        EXPECT_THAT(key.public_jwk("k1"), HasSubstr(R"("kid":"k1")"));
        EXPECT_EQ(key.public_jwk("k1").find("\"d\""), std::string::npos);
    }
}

TEST(Algorithm, KnowsTwoNamesInOneSpelling) {
    for (const auto* name : {"none", "HS256", "rs256", "RS512", "PS256", "ES256K", "ES384", ""}) {
        EXPECT_EQ(algorithm_named(name), std::nullopt) << name;
    }
}

TEST(Jws, HasThreePartsInTheirOnlySpelling) {
    struct Case {
        const char* name;
        std::string token;
        const char* why;
    };

    const Case cases[] = {
        {"nothing", "", "three parts"},
        {"one part", "e30", "three parts"},
        {"two parts", "e30.e30", "three parts"},
        {"four parts", "e30.e30.e30.e30", "three parts"},
        {"no header", ".e30.e30", "three parts"},
        {"no claims", "e30..e30", "three parts"},
        {"no signature", "e30.e30.", "no signature"},
        {"only dots", "..", "no signature"},
        {"padding", "e30=.e30.e30", "base64url"},
        {"the other alphabet", "e30.+/+/.e30", "base64url"},
        {"left-over bits", "e30.e31.e30", "base64url"},
        {"a blank", "e30.e30.e 30", "base64url"},
        {"a newline at the end", "e30.e30.e30\n", "base64url"},
        {"16 KiB and a byte", "e30.e30." + std::string(kJwsBytesMax - 7, 'A'), "longer than"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.name);
        const auto parts = take_apart(one.token);
        ASSERT_FALSE(parts);
        EXPECT_EQ(parts.error().code, Errc::invalid);
        EXPECT_THAT(parts.error().detail, HasSubstr(one.why));
    }
    EXPECT_TRUE(take_apart("e30.e30." + std::string(kJwsBytesMax - 8, 'A')));
}

} // namespace
} // namespace baton::crypto
