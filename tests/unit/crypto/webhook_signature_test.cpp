#include "baton/crypto/hmac.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/crypto/webhook_signature.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace baton::crypto {
namespace {

// The example of GitHub's own documentation.
constexpr std::string_view kSecret = "It's a Secret to Everybody";
constexpr std::string_view kBody = "Hello, World!";
constexpr std::string_view kHex =
    "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

std::shared_ptr<const SignatureKeys> keys(const std::vector<std::string>& secrets) {
    return SignatureKeys::make(secrets).value();
}

std::optional<SignatureProof> checked(
    const std::shared_ptr<const SignatureKeys>& with, std::string_view body, std::string_view header
) {
    SignatureCheck check(with);
    check.update(body);
    return check.finish(header);
}

std::string header_for(std::string_view secret, std::string_view body) {
    const auto mac = HmacKey(secret).sign(body);
    return "sha256=" + to_hex(view_of(mac));
}

TEST(WebhookSignature, AcceptsTheExampleOfGithubsDocumentation) {
    const auto proof = checked(keys({std::string(kSecret)}), kBody, "sha256=" + std::string(kHex));
    ASSERT_TRUE(proof);
    EXPECT_EQ(proof->signed_bytes(), kBody.size());
    EXPECT_EQ(proof->secret_index(), 0U);
}

TEST(WebhookSignature, RefusesEveryOtherFormOfTheHeader) {
    const auto with = keys({std::string(kSecret)});
    std::string upper(kHex);
    std::ranges::transform(upper, upper.begin(), [](char c) {
        return c >= 'a' && c <= 'f' ? char(c - 32) : c;
    });
    const std::string hex(kHex);

    const struct {
        const char* name;
        std::string header;
    } cases[] = {
        {"nothing", ""},
        {"the bare digits", hex},
        {"the prefix alone", "sha256="},
        {"upper-case digits", "sha256=" + upper},
        {"an upper-case prefix", "SHA256=" + hex},
        {"the old algorithm", "sha1=" + hex.substr(0, 40)},
        {"a digit missing", "sha256=" + hex.substr(1)},
        {"a digit more", "sha256=" + hex + "0"},
        {"a blank before", " sha256=" + hex},
        {"a blank after", "sha256=" + hex + " "},
        {"something that is no digit", "sha256=" + hex.substr(0, 63) + "g"},
        {"two signatures", "sha256=" + hex + ",sha256=" + hex},
        {"a zero byte inside", "sha256=" + hex.substr(0, 63) + std::string(1, '\0')},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_FALSE(checked(with, kBody, c.header));
    }
}

TEST(WebhookSignature, WhileRotatingAnySecretMaySignAndTheProofSaysWhich) {
    const auto with = keys({"new", "old", "older"});
    for (const auto& [secret, index] : {std::pair{"new", 0U}, {"old", 1U}, {"older", 2U}}) {
        SCOPED_TRACE(secret);
        const auto proof = checked(with, kBody, header_for(secret, kBody));
        ASSERT_TRUE(proof);
        EXPECT_EQ(proof->secret_index(), index);
    }
    EXPECT_FALSE(checked(with, kBody, header_for("oldest", kBody)));
}

TEST(WebhookSignature, SecretsThatCouldNotProtectAnythingAreRefused) {
    EXPECT_EQ(SignatureKeys::make({}).error().code, Errc::invalid);
    EXPECT_EQ(SignatureKeys::make({"good", ""}).error().code, Errc::invalid);
}

TEST(WebhookSignature, NobodyElseCanMakeAProof) {
    EXPECT_FALSE(std::is_default_constructible_v<SignatureProof>);
    EXPECT_FALSE((std::is_constructible_v<SignatureProof, std::size_t, std::size_t>));
}

TEST(WebhookSignature, AnEmptyBodyIsSignedLikeAnyOther) {
    SignatureCheck check(keys({"s"}));
    EXPECT_TRUE(check.finish(header_for("s", "")));
}

RC_GTEST_PROP(
    WebhookSignature,
    HoldsHoweverTheBodyIsCutIntoPieces,
    (std::string body, std::vector<std::uint8_t> cuts)
) {
    SignatureCheck check(keys({"a", "b"}));
    std::string_view rest = body;
    for (const auto cut : cuts) {
        const auto piece = rest.substr(0, std::min<std::size_t>(cut, rest.size()));
        check.update(piece);
        rest.remove_prefix(piece.size());
    }
    check.update(rest);
    const auto proof = check.finish(header_for("b", body));
    RC_ASSERT(proof.has_value());
    RC_ASSERT(proof->signed_bytes() == body.size());
}

RC_GTEST_PROP(
    WebhookSignature, OneChangedBitAnywhereIsNoticed, (std::string body, std::uint32_t where)
) {
    RC_PRE(!body.empty());
    const auto header = header_for("s", body);
    auto& byte = body[where / 8 % body.size()];
    byte = static_cast<char>(byte ^ (1 << (where % 8)));
    RC_ASSERT(!checked(keys({"s"}), body, header));
}

} // namespace
} // namespace baton::crypto
