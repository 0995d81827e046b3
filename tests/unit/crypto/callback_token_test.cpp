#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/callback_token.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace baton::crypto {
namespace {

const TimePoint kNow = from_ms(1'800'000'000'000);
const TimePoint kExpiry = kNow + kCallbackTokenLife;
const TokenKey kKey{.id = 7, .secret = std::string(32, 'k')};
const std::vector<TokenKey> kKeys{{.id = 8, .secret = std::string(32, 'n')}, kKey};

CallbackClaims claims() {
    return {
        .dispatch = DispatchId{42},
        .generation = 0,
        .delivery = DeliveryId("72d3162e-cc78-11e3-81ab-4c9367dc0958"),
        .downstream = RepoName::parse("Org/Backend").value(),
        .pr = PrNumber{123},
        .head = HeadSha(std::string(40, 'a')),
    };
}

TEST(CallbackToken, IsGoodForWhatItWasMintedFor) {
    EXPECT_EQ(verify(mint(claims(), kExpiry, kKey), claims(), kKeys, kNow), TokenVerdict::good);
}

TEST(CallbackToken, IsPrintableAndShort) {
    auto widest = claims();
    widest.dispatch = DispatchId{std::numeric_limits<std::int64_t>::max()};
    const TokenKey wide_key{.id = std::numeric_limits<std::int64_t>::max(), .secret = "s"};
    const auto token = mint(widest, from_ms(std::numeric_limits<std::int64_t>::max()), wide_key);
    EXPECT_LE(token.size(), kCallbackTokenBytesMax);
    EXPECT_TRUE(std::ranges::all_of(token, [](char c) {
        return c > ' ' && c < '\x7f' && c != '"' && c != '\\';
    }));
    EXPECT_EQ(verify(token, widest, std::vector{wide_key}, kNow), TokenVerdict::good);
}

TEST(CallbackToken, IsBoundToEveryClaim) {
    const auto token = mint(claims(), kExpiry, kKey);

    const struct {
        const char* name;
        std::function<void(CallbackClaims&)> change;
    } cases[] = {
        {"another dispatch", [](auto& c) { c.dispatch = DispatchId{43}; }},
        {"another generation", [](auto& c) { c.generation = 1; }},
        {"another delivery", [](auto& c) { c.delivery = DeliveryId("x"); }},
        {"another repository", [](auto& c) { c.downstream = RepoName::parse("org/other").value(); }
        },
        {"another pull request", [](auto& c) { c.pr = PrNumber{124}; }},
        {"no pull request", [](auto& c) { c.pr.reset(); }},
        {"another commit", [](auto& c) { c.head = HeadSha(std::string(40, 'b')); }},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto other = claims();
        c.change(other);
        EXPECT_EQ(verify(token, other, kKeys, kNow), TokenVerdict::mismatch);
    }
}

TEST(CallbackToken, TheRepositorysSpellingDoesNotMatter) {
    auto spelled = claims();
    spelled.downstream = RepoName::parse("org/BACKEND").value();
    EXPECT_EQ(verify(mint(claims(), kExpiry, kKey), spelled, kKeys, kNow), TokenVerdict::good);
}

TEST(CallbackToken, TextCannotMoveFromOneClaimToTheNext) {
    auto a = claims();
    a.delivery = DeliveryId("ab");
    a.head = HeadSha("c");
    auto b = claims();
    b.delivery = DeliveryId("a");
    b.head = HeadSha("bc");
    EXPECT_EQ(verify(mint(a, kExpiry, kKey), b, kKeys, kNow), TokenVerdict::mismatch);
}

TEST(CallbackToken, EndsAtItsExpiryAndNotBefore) {
    const auto token = mint(claims(), kExpiry, kKey);
    EXPECT_EQ(verify(token, claims(), kKeys, kExpiry - Millis(1)), TokenVerdict::good);
    EXPECT_EQ(verify(token, claims(), kKeys, kExpiry), TokenVerdict::expired);
}

TEST(CallbackToken, ALaterExpiryCannotBeWrittenIn) {
    auto token = mint(claims(), kNow, kKey);
    const auto old_expiry = std::to_string(to_ms(kNow));
    token.replace(token.find(old_expiry), old_expiry.size(), std::to_string(to_ms(kExpiry)));
    EXPECT_EQ(verify(token, claims(), kKeys, kNow), TokenVerdict::mismatch);
}

TEST(CallbackToken, OldKeysVerifyAndForgottenOnesDoNot) {
    const auto token = mint(claims(), kExpiry, kKey);
    EXPECT_EQ(verify(token, claims(), kKeys, kNow), TokenVerdict::good);
    EXPECT_EQ(verify(token, claims(), std::vector{kKeys[0]}, kNow), TokenVerdict::unknown_key);
    const TokenKey impostor{.id = kKey.id, .secret = "guessed"};
    EXPECT_EQ(
        verify(mint(claims(), kExpiry, impostor), claims(), kKeys, kNow), TokenVerdict::mismatch
    );
}

TEST(CallbackToken, WhatWasNeverOursIsMalformed) {
    const auto good = mint(claims(), kExpiry, kKey);
    const auto mac = good.substr(good.rfind('.') + 1);
    const std::string cases[] = {
        "",
        "....",
        "bt1",
        "bt1.7.1800000000000",
        "bt2.7.1800000000000." + mac,
        "bt1.07.1800000000000." + mac,
        "bt1.-7.1800000000000." + mac,
        "bt1.+7.1800000000000." + mac,
        "bt1.7.." + mac,
        "bt1.7.99999999999999999999." + mac,
        "bt1.7.1800000000000." + mac.substr(1),
        "bt1.7.1800000000000." + mac + "=",
        "bt1.7.1800000000000." + mac + ".x",
        good + std::string(kCallbackTokenBytesMax, 'A'),
    };
    for (const auto& token : cases) {
        SCOPED_TRACE(token);
        EXPECT_EQ(verify(token, claims(), kKeys, kNow), TokenVerdict::malformed);
    }
}

RC_GTEST_PROP(CallbackToken, NoChangedTokenIsGood, (std::uint32_t where, char with)) {
    auto token = mint(claims(), kExpiry, kKey);
    auto& byte = token[where % token.size()];
    RC_PRE(byte != with);
    byte = with;
    RC_ASSERT(verify(token, claims(), kKeys, kNow) != TokenVerdict::good);
}

} // namespace
} // namespace baton::crypto
