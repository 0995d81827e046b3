#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/report/ci.hpp"
#include "baton/report/token.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/run_awaitable.hpp"
#include "support/scripted_server.hpp"

namespace baton::report {
namespace {

using namespace std::chrono_literals;
using test::says;
using test::ScriptedServer;
using testing::ElementsAre;
using testing::HasSubstr;

Environment made_of(std::map<std::string, std::string> variables) {
    return [variables = std::move(variables)](const std::string& name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
}

RunProgram no_program() {
    return [](const std::vector<std::string>&, Millis) -> Result<std::string> {
        return fail(Errc::unavailable, "not here");
    };
}

TEST(TokenPlan, OnGithubActionsIsTheEndpointThatTheJobMayAsk) {
    const auto plan = token_plan(
        Ci::github_actions,
        made_of(
            {{"ACTIONS_ID_TOKEN_REQUEST_URL", "https://x/y?z=1"},
             {"ACTIONS_ID_TOKEN_REQUEST_TOKEN", "b"}}
        ),
        "aud"
    );
    EXPECT_EQ(std::get<ActionsEndpoint>(plan.value()).bearer, "b");
}

TEST(TokenPlan, SaysWhichLineAJobLacks) {
    const auto actions = token_plan(Ci::github_actions, made_of({}), "aud");
    EXPECT_THAT(actions.error().detail, HasSubstr("id-token: write"));
    const auto gitlab = token_plan(Ci::gitlab, made_of({}), "aud");
    EXPECT_THAT(gitlab.error().detail, HasSubstr("id_tokens: {BATON_ID_TOKEN: {aud: aud}}"));
    const auto jenkins = token_plan(Ci::jenkins, made_of({}), "aud");
    EXPECT_THAT(jenkins.error().detail, HasSubstr("--token-file"));
}

TEST(TokenPlan, OnBuildkiteTheAgentIsAskedAndOnGitlabAVariable) {
    const auto buildkite = token_plan(Ci::buildkite, made_of({}), "aud");
    EXPECT_THAT(
        std::get<TokenCommand>(buildkite.value()).words,
        ElementsAre("buildkite-agent", "oidc", "request-token", "--audience", "aud")
    );
    const auto gitlab = token_plan(Ci::gitlab, made_of({{"BATON_ID_TOKEN", " t.o.k\n"}}), "aud");
    EXPECT_EQ(std::get<GivenToken>(gitlab.value()).token, "t.o.k");
}

TEST(Token, IsOneWordThatFitsIntoAHeader) {
    EXPECT_EQ(checked_token("a.b.c\n").value(), "a.b.c");
    EXPECT_FALSE(checked_token(""));
    EXPECT_FALSE(checked_token("a\r\nX-Evil: 1"));
    EXPECT_FALSE(checked_token("a b"));
    EXPECT_FALSE(checked_token(std::string(20'000, 'a')));
}

TEST(TokenSource, AsksGithubForTheAudienceWithTheJobsBearer) {
    ScriptedServer github({says(200, R"({"value":"t.o.k"})")});
    TokenSource source(
        ActionsEndpoint{.url = github.url() + "/id?api-version=2.0", .bearer = "b"},
        "a b",
        no_program()
    );
    EXPECT_TRUE(source.renews());
    EXPECT_EQ(test::run_awaitable(source.mint(5s)).value(), "t.o.k");
    const auto asked = github.asked();
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0].path, "/id");
    EXPECT_EQ(asked[0].query, "api-version=2.0&audience=a%20b");
    EXPECT_EQ(asked[0].authorization, "Bearer b");
}

TEST(TokenSource, TellsTroubleThatPassesFromTroubleThatStays) {
    struct Case {
        int status;
        const char* body;
        Errc code;
    };

    for (const auto& c : {
             Case{500, "", Errc::unavailable},
             Case{429, "", Errc::unavailable},
             Case{200, "no JSON", Errc::unavailable},
             Case{403, "", Errc::forbidden},
         }) {
        SCOPED_TRACE(c.status);
        ScriptedServer github({says(c.status, c.body)});
        TokenSource source(
            ActionsEndpoint{.url = github.url() + "/id", .bearer = "b"}, "a", no_program()
        );
        const auto token = test::run_awaitable(source.mint(5s));
        ASSERT_FALSE(token);
        EXPECT_EQ(token.error().code, c.code);
    }
}

TEST(TokenSource, DoesNotWaitForEver) {
    ScriptedServer github({{.response = {}, .silent = true}});
    TokenSource source(
        ActionsEndpoint{.url = github.url() + "/id", .bearer = "b"}, "a", no_program()
    );
    EXPECT_EQ(test::run_awaitable(source.mint(50ms)).error().code, Errc::timed_out);
}

TEST(TokenSource, NeverSendsTheBearerInTheClear) {
    TokenSource source(
        ActionsEndpoint{.url = "http://example.org/id", .bearer = "b"}, "a", no_program()
    );
    EXPECT_EQ(test::run_awaitable(source.mint(5s)).error().code, Errc::invalid);
}

TEST(TokenSource, TakesWhatAProgramPrints) {
    const auto prints = [](const std::vector<std::string>& words, Millis) -> Result<std::string> {
        return words.back() + "\n";
    };
    TokenSource source(TokenCommand{.words = {"agent", "t.o.k"}}, "a", prints);
    EXPECT_EQ(test::run_awaitable(source.mint(5s)).value(), "t.o.k");
}

} // namespace
} // namespace baton::report
