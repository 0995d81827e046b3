#include "baton/crypto/app_jwt.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/app_client.hpp"
#include "baton/net/http.hpp"

#include <boost/asio/co_spawn.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unit/github/rest_github_fixture.hpp"

namespace baton::github {
namespace {

namespace asio = boost::asio;
using domain::Answer;
using domain::Outcome;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kInstallation = "GET /repos/org/backend/installation";
constexpr std::string_view kTokens = "POST /app/installations/5/access_tokens";
constexpr std::string_view kDispatches = "POST /repos/org/backend/dispatches";

TEST_F(RestGithubTest, InSteadyStateADispatchIsOneRequest) {
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    EXPECT_THAT(requests(), ElementsAre(kInstallation, kTokens, kDispatches));
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    }
    EXPECT_EQ(requests().size(), 13U);
}

TEST_F(RestGithubTest, SpeaksAsGithubWantsIt) {
    EXPECT_EQ(dispatch(R"({"event_type":"push"})").status, 204);
    const auto seen = server.seen();
    for (const auto& request : seen) {
        EXPECT_EQ(request.headers.find("x-github-api-version"), "2022-11-28");
        EXPECT_EQ(request.headers.find("accept"), "application/vnd.github+json");
        EXPECT_TRUE(request.headers.find("user-agent"));
    }
    const auto key = crypto::RsaPublicKey::parse(key_pair().public_pem).value();
    const auto claims = crypto::verify_rs256(seen[0].authorization.substr(7), key);
    ASSERT_TRUE(claims) << claims.error().detail;
    EXPECT_EQ(claims->issuer, "12345");
    EXPECT_EQ(seen[0].authorization, seen[1].authorization); // one JWT for both
    EXPECT_EQ(seen[1].body, R"({"repositories":["backend"],"permissions":{"contents":"write"}})");
    EXPECT_EQ(seen[2].authorization, "Bearer t1");
    EXPECT_EQ(seen[2].body, R"({"event_type":"push"})");
    EXPECT_EQ(seen[2].headers.find("content-type"), "application/json");
}

TEST_F(RestGithubTest, ManyDispatchesAtOnceGetOneToken) {
    std::vector<Outcome> outcomes;
    const auto done = [&](const std::exception_ptr& /*thrown*/, const Answer& answer) {
        outcomes.push_back(answer.outcome);
    };
    for (int i = 0; i < 30; ++i) {
        asio::co_spawn(loop, github->dispatch({.downstream = repo, .body = "{}"}), done);
    }
    loop.run();
    EXPECT_EQ(outcomes, std::vector<Outcome>(30, Outcome::accepted));
    EXPECT_EQ(server.count(kInstallation), 1U);
    EXPECT_EQ(server.count(kTokens), 1U);
    EXPECT_EQ(server.count(kDispatches), 30U);
}

TEST_F(RestGithubTest, RenewsATokenBeforeItExpires) {
    dispatch();
    clock.advance(57min);
    dispatch();
    EXPECT_EQ(server.count(kTokens), 1U);
    clock.advance(1min);
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    EXPECT_EQ(server.count(kTokens), 2U);
    EXPECT_EQ(last().authorization, "Bearer t2");
}

TEST_F(RestGithubTest, RenewsARefusedTokenOnce) {
    dispatch();
    server.answer(kDispatches, {status(401, "Bad credentials")});
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    EXPECT_EQ(last().authorization, "Bearer t2");
    EXPECT_EQ(server.count(kTokens), 2U);
}

TEST_F(RestGithubTest, ASecondRefusalOfTheTokenIsAnAnswer) {
    server.answer(kDispatches, {status(401), status(401, "Bad credentials")});
    const auto answer = dispatch();
    EXPECT_EQ(answer.outcome, Outcome::unauthenticated);
    EXPECT_EQ(server.count(kDispatches), 2U);
}

TEST_F(RestGithubTest, ARefusedJwtIsRenewedOnceAndThenAnAnswer) {
    server.answer(kInstallation, {status(401), status(401, "'Issued at' is in the future")});
    const auto answer = dispatch();
    EXPECT_EQ(answer.outcome, Outcome::unauthenticated);
    EXPECT_THAT(answer.detail, HasSubstr("Issued at"));
    EXPECT_THAT(requests(), ElementsAre(kInstallation, kInstallation));
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
}

TEST_F(RestGithubTest, OneJwtServesNineMinutes) {
    ASSERT_TRUE(check_access());
    const auto first = last().authorization;
    clock.advance(9min - 1ms);
    ASSERT_TRUE(check_access());
    EXPECT_EQ(last().authorization, first);
    clock.advance(1min + 1ms);
    ASSERT_TRUE(check_access());
    EXPECT_NE(last().authorization, first);
}

TEST_F(RestGithubTest, SaysThatTheAppIsNotInstalledAndLooksAgainSoon) {
    server.answer(kInstallation, {status(404, "Not Found")});
    const auto answer = dispatch();
    EXPECT_EQ(answer.outcome, Outcome::refused);
    EXPECT_THAT(
        answer.detail, AllOf(HasSubstr("org/backend"), HasSubstr("install it and redeliver"))
    );
    EXPECT_EQ(dispatch().outcome, Outcome::refused);
    EXPECT_EQ(server.count(kInstallation), 1U);
    clock.advance(10s);
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
}

TEST_F(RestGithubTest, AnAppThatWasInstalledAnewIsFoundAgain) {
    dispatch();
    server.answer(kDispatches, {status(401)});
    server.answer(kTokens, {status(404, "Integration not found")});
    server.answer(kInstallation, {{.body = R"({"id":6})"}});
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    EXPECT_EQ(server.count("POST /app/installations/6/access_tokens"), 1U);
}

TEST_F(RestGithubTest, TroubleBeforeTheDispatchIsNeverUnknown) {
    const struct {
        const char* name;
        std::string_view where;
        net::Response response;
        Outcome outcome;
    } cases[] = {
        {"no installation now", kInstallation, status(500), Outcome::not_sent},
        {"the reply about it got lost", kInstallation, {.abort = true}, Outcome::not_sent},
        {"it is not understood", kInstallation, {.body = "[]"}, Outcome::not_sent},
        {"a limit", kInstallation, status(403, "API rate limit exceeded"), Outcome::throttled},
        {"no token now", kTokens, status(502), Outcome::not_sent},
        {"the token got lost", kTokens, {.abort = true}, Outcome::not_sent},
        {"the token is not understood",
         kTokens,
         {.status = 201, .body = R"({"token":1})"},
         Outcome::not_sent},
        {"no such permission",
         kTokens,
         status(422, "The permissions requested are not granted"),
         Outcome::refused},
        {"a limit on tokens", kTokens, status(429, "", {{"Retry-After", "7"}}), Outcome::throttled},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        connect(server.url(), limits::kGithubCallWait); // nothing remembered
        server.answer(c.where, {c.response});
        const auto before = server.count(kDispatches);
        EXPECT_EQ(dispatch().outcome, c.outcome);
        EXPECT_EQ(server.count(kDispatches), before);
    }
}

TEST_F(RestGithubTest, AnswersAsTheTableSays) {
    dispatch();

    const struct {
        const char* name;
        net::Response response;
        Outcome outcome;
    } cases[] = {
        {"too large", status(422, "client_payload is too large."), Outcome::too_large},
        {"a limit", status(403, "secondary rate limit", {{"Retry-After", "60"}}), Outcome::throttled
        },
        {"forbidden", status(403, "Resource not accessible by integration"), Outcome::refused},
        {"not found", status(404, "Not Found"), Outcome::refused},
        {"an internal error", status(500), Outcome::unknown},
        {"a lost reply", {.abort = true}, Outcome::unknown},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        server.answer(kDispatches, {c.response});
        const auto answer = dispatch();
        EXPECT_EQ(answer.outcome, c.outcome);
        EXPECT_EQ(
            answer.not_before,
            c.outcome == Outcome::throttled ? std::optional(clock.now() + 60s) : std::nullopt
        );
        EXPECT_THAT(answer.detail, Not(HasSubstr("t1"))) << "a token was told";
        clock.advance(1min); // past the limit
    }
}

TEST_F(RestGithubTest, WithoutAServerNothingWasSent) {
    server.stop();
    EXPECT_EQ(dispatch().outcome, Outcome::not_sent);
}

TEST_F(RestGithubTest, WithoutTimeNothingIsSent) {
    connect(server.url(), 0ms);
    EXPECT_EQ(dispatch().outcome, Outcome::not_sent);
    EXPECT_EQ(read_file().error().code, Errc::unavailable);
    EXPECT_EQ(check_access().error().code, Errc::unavailable);
    EXPECT_THAT(requests(), testing::IsEmpty());
}

TEST_F(RestGithubTest, FollowsARenamedRepositoryByItsNumber) {
    dispatch();
    server.answer(
        kDispatches, {status(307, "", {{"Location", server.url() + "/repositories/42/dispatches"}})}
    );
    EXPECT_EQ(dispatch(R"({"a":1})").outcome, Outcome::accepted);
    EXPECT_EQ(last().what, "POST /repositories/42/dispatches");
    EXPECT_EQ(last().body, R"({"a":1})");
    EXPECT_EQ(last().authorization, "Bearer t1");
}

TEST_F(RestGithubTest, ARenamedRepositoryGetsItsTokenByNumberToo) {
    const auto moved = [&](std::string_view tail, int code) {
        return status(
            code, "", {{"Location", fmt::format("{}/repositories/42{}", server.url(), tail)}}
        );
    };
    server.answer(kInstallation, {moved("/installation", 301)});
    server.answer(kDispatches, {moved("/dispatches", 307)});
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    EXPECT_EQ(
        server.seen()[2].body, R"({"repository_ids":[42],"permissions":{"contents":"write"}})"
    );
}

TEST_F(RestGithubTest, ARedirectElsewhereIsNotFollowed) {
    dispatch();
    const auto before = requests().size();
    const std::string locations[] = {
        "https://evil.example/repositories/42/dispatches",
        server.url() + "/repos/somebody/else/dispatches",
        server.url() + "/repositories/42/hooks",
        "",
    };
    for (const auto& location : locations) {
        SCOPED_TRACE(location);
        server.answer(kDispatches, {status(307, "", {{"Location", location}})});
        connect(server.url(), limits::kGithubCallWait);
        const auto answer = dispatch();
        EXPECT_EQ(answer.outcome, Outcome::refused);
        EXPECT_THAT(answer.detail, HasSubstr("moved"));
    }
    EXPECT_EQ(requests().size(), before + (3 * std::size(locations)));
}

TEST_F(RestGithubTest, RedirectsInACircleEnd) {
    const auto again =
        status(307, "", {{"Location", server.url() + "/repositories/42/dispatches"}});
    server.answer(kDispatches, {again});
    server.answer("POST /repositories/42/dispatches", {again, again, again, again, again});
    EXPECT_EQ(dispatch().outcome, Outcome::refused);
    EXPECT_EQ(server.count("POST /repositories/42/dispatches"), 3U);
}

TEST_F(RestGithubTest, ARedirectOnToAnotherRepositoryIsNotFollowed) {
    server.answer(kDispatches, {status(307, "", {{"Location", "/repositories/42/dispatches"}})});
    server.answer(
        "POST /repositories/42/dispatches",
        {status(307, "", {{"Location", "/repositories/43/dispatches"}})}
    );
    EXPECT_EQ(dispatch().outcome, Outcome::refused);
    EXPECT_EQ(server.count("POST /repositories/43/dispatches"), 0U);
}

TEST_F(RestGithubTest, OnlyUrlsThatBatonMayTalkTo) {
    const auto made = [&](std::string url) {
        return RestGithub::make(
            loop.get_executor(),
            {.api_url = std::move(url)},
            {.app_id = 1, .key = crypto::AppKey::parse(key_pair().private_pem).value()},
            clock
        );
    };
    EXPECT_EQ(made("not a url").error().code, Errc::invalid);
    EXPECT_EQ(made("http://api.github.com").error().code, Errc::invalid);
    EXPECT_TRUE(made("https://api.github.com"));
}

} // namespace
} // namespace baton::github
