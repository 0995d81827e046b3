#include "baton/crypto/base64url.hpp"
#include "baton/crypto/jws.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace json = boost::json;
using testing::kStart;

std::string part(const std::string& token, std::size_t which) {
    auto begin = std::size_t{0};
    for (; which > 0; --which) {
        begin = token.find('.', begin) + 1;
    }
    const auto end = token.find('.', begin);
    return crypto::from_base64url(std::string_view(token).substr(begin, end - begin)).value();
}

std::int64_t seconds(TimePoint when) {
    return to_ms(when) / 1000;
}

crypto::RsaPublicKey some_key() {
    static const auto pair = crypto::make_rsa_key_pair();
    return crypto::RsaPublicKey::parse(pair.public_pem).value();
}

struct Oidc : ::testing::Test {
    Oidc() {
        testing::furnish(world.model);
        world.move_to("http://127.0.0.1:4000");
    }

    ApiReply ask(std::string path, std::string query = {}, const std::string& secret = {}) {
        ApiRequest request{.path = std::move(path), .query = std::move(query)};
        if (!secret.empty()) {
            request.headers.add("Authorization", "Bearer " + secret);
        }
        return world.hear(request, kStart).reply;
    }

    json::value order(std::string path, std::string body) {
        const ApiRequest request{
            .method = "POST", .path = "/_sim" + std::move(path), .body = std::move(body)
        };
        const auto reply = control(world, request, kStart);
        EXPECT_EQ(reply.status, 200) << reply.body;
        return json::parse(reply.body);
    }

    json::array keys() {
        const auto reply = ask("/_oidc/.well-known/jwks");
        EXPECT_EQ(reply.status, 200);
        return json::parse(reply.body).at("keys").as_array();
    }

    /// As a job of a run that was just begun asks for it.
    std::string token(const std::string& audience = "relay") {
        const auto run = order("/runs", R"({"repo":"down/one","workflow":"nightly","attempt":2})");
        const std::string secret(run.at("request_token").as_string());
        const auto reply = ask("/_oidc/token", "run=1&audience=" + audience, secret);
        EXPECT_EQ(reply.status, 200) << reply.body;
        return std::string(json::parse(reply.body).at("value").as_string());
    }

    SimWorld world{{.site = {}}, some_key()};
};

TEST_F(Oidc, SaysWhereItsKeysAre) {
    const auto document = json::parse(ask("/_oidc/.well-known/openid-configuration").body);
    EXPECT_EQ(document.at("issuer").as_string(), "http://127.0.0.1:4000/_oidc");
    EXPECT_EQ(document.at("jwks_uri").as_string(), "http://127.0.0.1:4000/_oidc/.well-known/jwks");
    EXPECT_EQ(ask("/_oidc/elsewhere").status, 404);
}

TEST_F(Oidc, TellsOfARunWhatGithubTells) {
    const auto text = token();
    const auto claims = json::parse(part(text, 1));
    const auto* const repo = world.model.repo(testing::repo("down/one"));
    const auto repo_id = std::to_string(static_cast<std::int64_t>(repo->id));
    const std::pair<std::string_view, std::string> expected[] = {
        {"iss", "http://127.0.0.1:4000/_oidc"},
        {"aud", "relay"},
        {"sub", "repo:down/one:ref:refs/heads/main"},
        {"repository", "down/one"},
        {"repository_id", repo_id},
        {"repository_owner", "down"},
        {"repository_owner_id", std::to_string(repo->owner.id)},
        {"run_attempt", "2"},
        {"run_number", "1"},
        {"workflow", "nightly"},
        {"job_workflow_ref", "down/one/.github/workflows/nightly.yml@refs/heads/main"},
        {"ref", "refs/heads/main"},
        {"sha", repo->refs.at("refs/heads/main").head.text()},
        {"event_name", "repository_dispatch"},
        {"actor", "baton[bot]"},
    };
    for (const auto& [name, value] : expected) {
        SCOPED_TRACE(name);
        EXPECT_EQ(claims.at(name).as_string(), value);
    }
    EXPECT_EQ(claims.at("iat").as_int64(), seconds(kStart));
    EXPECT_EQ(claims.at("nbf").as_int64(), seconds(kStart));
    EXPECT_EQ(claims.at("exp").as_int64(), seconds(kStart + std::chrono::minutes{5}));
    EXPECT_NE(claims.at("jti"), json::parse(part(token(), 1)).at("jti"));
}

TEST_F(Oidc, PublishesTheKeyThatSigns) {
    const auto text = token();
    const auto published = keys();
    ASSERT_EQ(published.size(), 1U);
    const auto& key = published[0];
    EXPECT_EQ(json::parse(part(text, 0)).at("kid"), key.at("kid"));
    const auto modulus = crypto::from_base64url(key.at("n").as_string()).value();
    const auto exponent = crypto::from_base64url(key.at("e").as_string()).value();
    const auto verifier = crypto::VerificationKey::rsa({.modulus = modulus, .exponent = exponent});
    const auto jws = crypto::take_apart(text).value();
    EXPECT_TRUE(verifier.value().verifies(jws.signed_part, jws.signature));
}

TEST_F(Oidc, KeepsOldKeysInTheSetUntilTheyAreDropped) {
    const auto old_id = json::parse(part(token(), 0)).at("kid");
    order("/oidc", R"({"rotate":true})");
    const auto new_id = json::parse(part(token(), 0)).at("kid");
    EXPECT_NE(old_id, new_id);
    EXPECT_EQ(keys().size(), 2U);
    const auto after = order("/oidc", R"({"drop":true})");
    EXPECT_EQ(after.at("keys").as_int64(), 1);
    EXPECT_EQ(keys()[0].at("kid"), new_id);
    order("/oidc", R"({"rotate":true,"algorithm":"ES256"})");
    EXPECT_EQ(keys()[1].at("kty").as_string(), "EC");
}

TEST_F(Oidc, HidesItsKeysInAnOutageAndStillGivesTokens) {
    order("/oidc", R"({"outage":true})");
    EXPECT_EQ(ask("/_oidc/.well-known/jwks").status, 503);
    EXPECT_EQ(ask("/_oidc/.well-known/openid-configuration").status, 503);
    EXPECT_FALSE(token().empty());
    order("/oidc", R"({"outage":false})");
    EXPECT_EQ(keys().size(), 1U);
}

TEST_F(Oidc, TellsTheTimeByAClockThatIsOff) {
    order("/oidc", R"({"skew_s":-90})");
    const auto claims = json::parse(part(token(), 1));
    EXPECT_EQ(claims.at("iat").as_int64(), seconds(kStart) - 90);
    EXPECT_EQ(claims.at("exp").as_int64(), seconds(kStart) - 90 + 300);
}

TEST_F(Oidc, GivesATokenOnlyToAJobThatRuns) {
    EXPECT_EQ(ask("/_oidc/token", "audience=relay").status, 401);
    EXPECT_EQ(ask("/_oidc/token", "audience=relay", "guessed").status, 401);
    EXPECT_EQ(json::parse(part(token(""), 1)).at("aud").as_string(), "https://github.com/down");
}

TEST_F(Oidc, MeetsFaultsAndCountsLikeTheRestOfGithub) {
    world.faults.add({.route = "oidc_keys", .fault = Fault::server_error(502), .times = 1});
    EXPECT_EQ(ask("/_oidc/.well-known/jwks").status, 502);
    EXPECT_EQ(keys().size(), 1U);
    EXPECT_EQ(world.requests.at("oidc_keys"), 2U);
}

TEST_F(Oidc, BeginsRunsOfKnownRepositoriesOnly) {
    for (const auto* const body :
         {R"({"repo":"no/where"})", R"({"repo":"down/one","attempt":0})"}) {
        const ApiRequest request{.method = "POST", .path = "/_sim/runs", .body = body};
        EXPECT_GE(control(world, request, kStart).status, 400);
    }
    const auto first = order("/runs", R"({"repo":"down/one"})");
    const auto second = order("/runs", R"({"repo":"down/one"})");
    EXPECT_NE(first.at("run_id"), second.at("run_id"));
    EXPECT_EQ(second.at("run_number").as_int64(), 2);
}

} // namespace
} // namespace baton::sim
