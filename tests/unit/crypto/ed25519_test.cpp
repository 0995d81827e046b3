#include "baton/crypto/ed25519.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/crypto/sha256.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace baton::crypto {

namespace {

using testing::HasSubstr;

std::string private_pem(std::string_view base64) {
    return fmt::format("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", base64);
}

std::string public_pem(std::string_view base64) {
    return fmt::format("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", base64);
}

/// RFC 8032, section 7.1. Keys are PKCS#8 and SubjectPublicKeyInfo of the numbers there.
struct KnownAnswer {
    const char* name;
    std::string_view private_key;
    std::string_view public_key;
    std::string message;
    std::string_view signature;
};

const KnownAnswer kKnownAnswers[] = {
    {"TEST 1",
     "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g",
     "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
     "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9"
     "b46bd25bf5f0595bbe24655141438e7a100b"},
    {"TEST 2",
     "MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7",
     "MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=",
     "\x72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f1"
     "1d8c387b2eaeb4302aeeb00d291612bb0c00"},
    {"TEST 3",
     "MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3",
     "MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=",
     "\xaf\x82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984d"
     "c6594a7c15e9716ed28dc027beceea1ec40a"},
};

TEST(Ed25519, GivesTheAnswersOfRfc8032) {
    for (const auto& c : kKnownAnswers) {
        SCOPED_TRACE(c.name);
        const auto signer = Ed25519PrivateKey::parse(private_pem(c.private_key));
        const auto checker = Ed25519PublicKey::parse(public_pem(c.public_key));
        ASSERT_TRUE(signer) << signer.error().detail;
        ASSERT_TRUE(checker) << checker.error().detail;
        const auto signature = signer->sign(c.message);
        EXPECT_EQ(to_hex(signature), c.signature);
        EXPECT_TRUE(checker->verifies(c.message, signature));
        EXPECT_TRUE(signer->public_key().verifies(c.message, signature));
    }
}

TEST(Ed25519, TakesNoSignatureOfAnotherKey) {
    const auto mine = Ed25519PrivateKey::parse(private_pem(kKnownAnswers[0].private_key)).value();
    const auto theirs = Ed25519PublicKey::parse(public_pem(kKnownAnswers[1].public_key)).value();
    EXPECT_FALSE(theirs.verifies("digests", mine.sign("digests")));
}

RC_GTEST_PROP(Ed25519, OneByteOffIsNoSignature, (std::string message)) {
    const auto key = Ed25519PrivateKey::parse(private_pem(kKnownAnswers[0].private_key)).value();
    auto signature = key.sign(message);
    RC_ASSERT(signature.size() == kEd25519SignatureBytes);
    RC_ASSERT(key.public_key().verifies(message, signature));
    RC_ASSERT(!key.public_key().verifies(message + "x", signature));
    RC_ASSERT(!key.public_key().verifies(message, signature + "x"));
    RC_ASSERT(!key.public_key().verifies(message, signature.substr(1)));
    auto& byte = signature.at(*rc::gen::inRange<std::size_t>(0, signature.size()));
    byte = static_cast<char>(byte ^ (1 << *rc::gen::inRange(0, 8)));
    RC_ASSERT(!key.public_key().verifies(message, signature));
}

TEST(Ed25519, SaysWhatElseItWasGiven) {
    const auto good_private = private_pem(kKnownAnswers[0].private_key);
    const auto good_public = public_pem(kKnownAnswers[0].public_key);
    const auto rsa = make_rsa_key_pair();
    constexpr bool kPrivate = true;
    constexpr bool kPublic = false;

    const struct {
        const char* name;
        bool is_private;
        std::string pem;
        const char* says;
    } cases[] = {
        {"nothing", kPrivate, "", "the private key cannot be used: it is not in PEM form"},
        {"nothing", kPublic, "", "the public key cannot be used: it is not in PEM form"},
        {"some text", kPublic, "hello", "not in PEM form"},
        {"the other half", kPrivate, good_public, "it is a public key: the private one signs"},
        {"the other half", kPublic, good_private, "openssl pkey -pubout"},
        {"an RSA key", kPrivate, rsa.private_pem, "it is an RSA key: make one with `openssl"},
        {"an RSA key", kPublic, rsa.public_pem, "it is an RSA key"},
        {"an encrypted key",
         kPrivate,
         "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n",
         "remove the passphrase"},
        {"an SSH key", kPrivate, "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "SSH key"},
        {"an SSH key", kPublic, "ssh-ed25519 AAAA me@here", "SSH key"},
        {"a certificate", kPublic, "-----BEGIN CERTIFICATE-----\nAAAA\n", "certificate"},
        {"a key cut off", kPrivate, good_private.substr(0, 60), "damaged or cut off"},
        {"a key cut off", kPublic, good_public.substr(0, 60), "damaged or cut off"},
        {"a novel", kPublic, "-----BEGIN " + std::string(100'000, 'x'), "PEM"},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(fmt::format("{} for the {} one", c.name, c.is_private ? "private" : "public"));
        std::string said;
        if (c.is_private) {
            const auto parsed = Ed25519PrivateKey::parse(c.pem);
            ASSERT_FALSE(parsed);
            said = parsed.error().detail;
        } else {
            const auto parsed = Ed25519PublicKey::parse(c.pem);
            ASSERT_FALSE(parsed);
            said = parsed.error().detail;
        }
        EXPECT_THAT(said, HasSubstr(c.says));
        EXPECT_EQ(ERR_peek_error(), 0U) << "an error was left for the next TLS call";
    }
}

} // namespace
} // namespace baton::crypto
