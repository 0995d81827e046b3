#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/jws.hpp"
#include "baton/crypto/signing_key.hpp"
#include "baton/domain/caller.hpp"
#include "baton/oidc/token_identities.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/manual_clock.hpp"
#include "support/memory_journal.hpp"
#include "unit/oidc/issuer_stage.hpp"

namespace baton::oidc {
namespace {

using crypto::base64url;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

/// A relay that believes one issuer of Actions tokens with an RSA key "r" and an elliptic one "e",
/// and one of GitLab's.
class TokenIdentitiesTest : public testing::Test {
protected:
    TokenIdentitiesTest() {
        auto actions_keys = std::make_unique<ScriptedKeys>(
            std::vector{rsa_key().public_jwk("r"), elliptic_key().public_jwk("e")}
        );
        keys = actions_keys.get();
        std::vector<TrustedIssuer> issuers;
        issuers.push_back(
            {.issuer = kIssuer,
             .provider = domain::Provider::github_actions,
             .keys = std::move(actions_keys),
             .pipelines = nullptr,
             .projects = {}}
        );
        issuers.push_back(
            {.issuer = "https://gitlab.example",
             .provider = domain::Provider::gitlab,
             .keys = std::make_unique<ScriptedKeys>(std::vector{other_rsa_key().public_jwk("g")}),
             .pipelines = nullptr,
             .projects = {{"group/project", RepoName::parse("org/lab").value()}}}
        );
        identities = std::make_unique<TokenIdentities>(
            kAudience,
            std::move(issuers),
            TokenIdentities::Surroundings{.clock = clock, .journal = journal}
        );
        identities->start(loop.tasks());
        loop.settle();
    }

    Result<domain::Caller> identify(std::string token) {
        return loop.run(identities->identify(std::move(token)));
    }

    std::string good() const { return rsa_key().token("r", actions_claims(clock)); }

    void expect_refused(const std::string& token, const std::string& why) {
        const auto caller = identify(token);
        ASSERT_FALSE(caller);
        EXPECT_EQ(caller.error().code, Errc::unauthenticated) << caller.error().detail;
        EXPECT_THAT(caller.error().detail, HasSubstr(why));
        EXPECT_THAT(caller.error().detail, Not(HasSubstr(token.substr(0, 40))));
    }

    test::ManualClock clock;
    test::MemoryJournal journal;
    ScriptedKeys* keys{nullptr};
    std::unique_ptr<TokenIdentities> identities;
    Loop loop;
};

TEST_F(TokenIdentitiesTest, KnowsWhoIsBehindAGoodToken) {
    for (const auto& token : {good(), elliptic_key().token("e", actions_claims(clock))}) {
        const auto caller = identify(token);
        ASSERT_TRUE(caller) << caller.error().detail;
        EXPECT_EQ(caller->repo.text(), "org/backend");
        EXPECT_EQ(caller->ids, (domain::ImmutableIds{.repository = 42, .owner = 7}));
        EXPECT_EQ(caller->run_id, "1001");
        EXPECT_EQ(caller->run_attempt, 1);
    }
    EXPECT_FALSE(identities->trouble());
}

TEST_F(TokenIdentitiesTest, TakesATokenAgainUntilItExpires) {
    const auto token = good();
    EXPECT_TRUE(identify(token));
    EXPECT_TRUE(identify(token));
    clock.advance(seconds(359));
    EXPECT_TRUE(identify(token));
    clock.advance(seconds(1));
    expect_refused(token, "expired");
}

TEST_F(TokenIdentitiesTest, RefusesTheRsaKeyAsTheSecretOfAnHmac) {
    const auto forged =
        base64url(R"({"alg":"HS256","kid":"r"})") + "." + base64url(actions_claims(clock));
    const crypto::HmacKey secret(rsa_key().public_jwk("r"));
    const auto mac = secret.sign(forged);
    expect_refused(forged + "." + base64url(crypto::view_of(mac)), "RS256 or ES256");
}

TEST_F(TokenIdentitiesTest, RefusesAnAlgorithmThatTheKeyIsNotFor) {
    const auto claims = actions_claims(clock);
    expect_refused(rsa_key().token("e", claims), "is for ES256");
    expect_refused(elliptic_key().token("r", claims), "is for RS256");
    const auto signed_part = base64url(R"({"alg":"RS256","kid":"e"})") + "." + base64url(claims);
    expect_refused(signed_part + "." + base64url(elliptic_key().sign(signed_part)), "is for ES256");
}

TEST_F(TokenIdentitiesTest, RefusesAnUnsignedToken) {
    const auto claims = base64url(actions_claims(clock));
    for (const auto* algorithm : {"none", "None", "NONE", ""}) {
        const auto header = base64url(fmt::format(R"({{"alg":"{}","kid":"r"}})", algorithm));
        expect_refused(header + "." + claims + ".", "no signature");
        expect_refused(header + "." + claims + ".AA", "RS256 or ES256");
    }
}

TEST_F(TokenIdentitiesTest, RefusesAnotherIssuersSignature) {
    expect_refused(other_rsa_key().token("r", actions_claims(clock)), "signature is wrong");
    expect_refused(other_rsa_key().token("g", actions_claims(clock)), "does not publish");
}

TEST_F(TokenIdentitiesTest, BelievesOnlyTheConfiguredIssuersByteForByte) {
    for (const auto* other :
         {"https://issuer.example/",
          "https://ISSUER.example",
          "http://issuer.example",
          "https://issuer.example.evil",
          "https://evil.example",
          ""}) {
        auto claims = actions_claims(clock);
        claims.replace(claims.find(kIssuer), std::string_view(kIssuer).size(), other);
        expect_refused(rsa_key().token("r", claims), "issuer");
    }
    EXPECT_EQ(keys->fetches(), 1) << "and asks nobody else for keys";
}

TEST_F(TokenIdentitiesTest, DoesNotReadKeysFromTheToken) {
    const auto header = fmt::format(
        R"({{"alg":"RS256","kid":"mine","jwk":{},"jku":"https://evil.example/k"}})",
        other_rsa_key().public_jwk("mine")
    );
    const auto signed_part = base64url(header) + "." + base64url(actions_claims(clock));
    expect_refused(
        signed_part + "." + base64url(other_rsa_key().sign(signed_part)), "does not publish"
    );
}

TEST_F(TokenIdentitiesTest, ChecksAudienceAndTimesAfterTheSignature) {
    auto claims = actions_claims(clock);
    claims.replace(claims.find(R"("aud":"relay")"), 13, R"("aud":"other")");
    expect_refused(rsa_key().token("r", claims), "audience");
    auto forged = rsa_key().token("r", claims);
    forged.back() = forged.back() == 'A' ? 'Q' : 'A';
    expect_refused(forged, "signature");
    const auto token = good();
    clock.advance(-std::chrono::hours(24));
    expect_refused(token, "not valid before");
}

TEST_F(TokenIdentitiesTest, KeepsEachIssuerToItsOwnWayOfNaming) {
    auto claims = actions_claims(
        clock, R"(,"project_path":"group/project","project_id":"3","namespace_id":"4")"
    );
    claims.replace(
        claims.find(kIssuer), std::string_view(kIssuer).size(), "https://gitlab.example"
    );
    const auto caller = identify(other_rsa_key().token("g", claims));
    ASSERT_TRUE(caller) << caller.error().detail;
    EXPECT_EQ(caller->repo.text(), "org/lab") << "whatever repository it claims to be";
    EXPECT_EQ(caller->ids, (domain::ImmutableIds{.repository = 3, .owner = 4}));
}

TEST_F(TokenIdentitiesTest, IsUnavailableWhileAnIssuersKeysCannotBeHad) {
    keys->fail_with({.code = Errc::unavailable, .detail = "connection refused"});
    const auto caller = identify(rsa_key().token("new", actions_claims(clock)));
    ASSERT_FALSE(caller);
    EXPECT_EQ(caller.error().code, Errc::unavailable);
    EXPECT_TRUE(identify(good())) << "a known key goes on verifying";
}

/// Draws from a seed, the same everywhere.
class Draws {
public:
    explicit Draws(std::uint64_t seed)
        : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}

    std::size_t below(std::size_t limit) {
        state_ ^= state_ << 13U;
        state_ ^= state_ >> 7U;
        state_ ^= state_ << 17U;
        return static_cast<std::size_t>(state_ % limit);
    }

private:
    std::uint64_t state_;
};

/// One change of the text, whatever it means.
std::string text_changed(std::string text, Draws& draws) {
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\"{}[],:";
    const auto at = draws.below(text.size() + 1);
    const char drawn = kAlphabet[draws.below(kAlphabet.size())];
    switch (text.empty() ? 3 : draws.below(5)) {
    case 0:
        text[at % text.size()] = drawn;
        break;
    case 1:
        text[at % text.size()] ^= static_cast<char>(1U << draws.below(8));
        break;
    case 2:
        text.erase(at, 1 + draws.below(20));
        break;
    case 3:
        text.insert(at, 1, drawn);
        break;
    default:
        text.insert(at, text.substr(draws.below(text.size()), draws.below(100)));
        break;
    }
    return text;
}

/// A change inside one part, spelt well: what a forger would do.
std::string part_changed(const std::string& token, Draws& draws) {
    const auto parts = crypto::take_apart(token);
    if (!parts) {
        return text_changed(token, draws);
    }
    std::string all[] = {parts->header, parts->payload, parts->signature};
    auto& part = all[draws.below(3)];
    part = text_changed(part, draws);
    return base64url(all[0]) + "." + base64url(all[1]) + "." + base64url(all[2]);
}

/// Another header over the same claims and signature.
std::string header_changed(const std::string& token, Draws& draws) {
    const auto* const algorithm = std::array{"RS256", "ES256", "HS256", "none"}[draws.below(4)];
    const auto* const key_id = std::array{"r", "e", "g", "unknown"}[draws.below(4)];
    return base64url(fmt::format(R"({{"alg":"{}","kid":"{}"}})", algorithm, key_id)) +
           token.substr(std::min(token.find('.'), token.size()));
}

std::string mutated(std::string token, std::uint64_t seed) {
    Draws draws(seed);
    for (auto changes = 1 + draws.below(3); changes > 0; --changes) {
        const auto kind = draws.below(10);
        token = kind < 3   ? text_changed(token, draws)
                : kind < 9 ? part_changed(token, draws)
                           : header_changed(token, draws);
    }
    return token;
}

TEST_F(TokenIdentitiesTest, AcceptsNoneOfTenThousandMutatedTokens) {
    const std::string originals[] = {good(), elliptic_key().token("e", actions_claims(clock))};
    int changed = 0;
    for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
        const auto& original = originals[seed % 2];
        const auto token = mutated(original, seed);
        if (token == original) {
            continue;
        }
        ++changed;
        const auto caller = identify(token);
        ASSERT_FALSE(caller) << "seed " << seed << " was accepted";
        ASSERT_EQ(caller.error().code, Errc::unauthenticated) << "seed " << seed;
    }
    EXPECT_GT(changed, 9'900);
    EXPECT_EQ(keys->fetches(), 2) << "unknown keys among them cost one fetch";
    for (const auto& original : originals) {
        EXPECT_TRUE(identify(original));
    }
}

} // namespace
} // namespace baton::oidc
