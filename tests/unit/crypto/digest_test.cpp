#include "baton/crypto/base64url.hpp"
#include "baton/crypto/constant_time.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/random.hpp"
#include "baton/crypto/sha256.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace baton::crypto {
namespace {

std::string hmac_hex(std::string_view key, std::string_view message) {
    const auto mac = HmacKey(key).sign(message);
    return to_hex(view_of(mac));
}

TEST(Sha256, GivesThePublishedDigests) {
    EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(
        sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

TEST(Hmac, GivesTheVectorsOfRfc4231) {
    EXPECT_EQ(
        hmac_hex(std::string(20, '\x0b'), "Hi There"),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    );
    EXPECT_EQ(
        hmac_hex("Jefe", "what do ya want for nothing?"),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    );
    EXPECT_EQ(
        hmac_hex(
            std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"
        ),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    );
}

TEST(Hmac, OneKeySignsManyMessagesAtOnce) {
    const HmacKey key("secret");
    auto first = key.start();
    auto second = key.start();
    first.update(std::string_view("one"));
    second.update(std::string_view("two"));
    EXPECT_EQ(first.finish(), key.sign("one"));
    EXPECT_EQ(second.finish(), key.sign("two"));
    EXPECT_NE(key.sign("one"), key.sign("two"));
}

TEST(Sha256, FromHexTakesItsOwnSpellingOnly) {
    const auto digest = sha256("x");
    EXPECT_EQ(sha256_from_hex(to_hex(view_of(digest))), digest);
    EXPECT_FALSE(sha256_from_hex(""));
    EXPECT_FALSE(sha256_from_hex(std::string(64, 'A')));
    EXPECT_FALSE(sha256_from_hex(std::string(63, 'a')));
    EXPECT_FALSE(sha256_from_hex(std::string(65, 'a')));
}

TEST(ConstantTime, ComparesLikeEquality) {
    EXPECT_TRUE(equal_in_constant_time("", ""));
    EXPECT_TRUE(equal_in_constant_time("token", "token"));
    EXPECT_FALSE(equal_in_constant_time("token", "tokem"));
    EXPECT_FALSE(equal_in_constant_time("token", "toke"));
    EXPECT_FALSE(equal_in_constant_time("token", ""));
}

TEST(Base64url, GivesTheVectorsOfRfc4648WithoutPadding) {
    EXPECT_EQ(base64url(""), "");
    EXPECT_EQ(base64url("f"), "Zg");
    EXPECT_EQ(base64url("fo"), "Zm8");
    EXPECT_EQ(base64url("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64url("\xfb\xff"), "-_8");
}

TEST(Base64url, EachValueHasOneSpelling) {
    for (const std::string_view text :
         {"A", "Zg=", "Zg==", "Zh", "Zm9", "+/8", "Zm 8", "Zm8\n", "Zmé"}) {
        SCOPED_TRACE(text);
        EXPECT_FALSE(from_base64url(text));
    }
}

RC_GTEST_PROP(Base64url, ComesBackAsItWent, (std::string bytes)) {
    RC_ASSERT(from_base64url(base64url(bytes)) == bytes);
}

RC_GTEST_PROP(Base64url, WhatDecodesEncodesToItself, (std::string text)) {
    if (const auto bytes = from_base64url(text)) {
        RC_ASSERT(base64url(*bytes) == text);
    }
}

TEST(Random, GivesAsManyBytesAsAskedAndNeverTheSameTwice) {
    EXPECT_EQ(random_bytes(0).value(), "");
    const auto first = random_bytes(32).value();
    EXPECT_EQ(first.size(), 32U);
    EXPECT_NE(first, random_bytes(32).value());
}

TEST(Base64, IsPaddedAndReadOnAnyNumberOfLines) {
    const struct {
        const char* bytes;
        const char* text;
    } cases[] = {{"", ""}, {"L", "TA=="}, {"L1", "TDE="}, {"L1:", "TDE6"}, {"\xfb\xff", "+/8="}};

    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(base64(c.bytes), c.text);
        EXPECT_EQ(from_base64(c.text), c.bytes);
    }
    EXPECT_EQ(from_base64("TDE6\nTDE6\n"), "L1:L1:");
    for (const auto* bad : {"T", "TA", "TA=", "TA===", "-_8=", "TD E6", "=TA="}) {
        SCOPED_TRACE(bad);
        EXPECT_EQ(from_base64(bad), std::nullopt);
    }
}

} // namespace
} // namespace baton::crypto
