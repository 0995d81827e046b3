#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/http_date.hpp"
#include "baton/github/redirect.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace baton::github {
namespace {

using domain::Outcome;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

const TimePoint kNow = from_ms(1'800'000'000'000);
const std::string kNowSeconds = "1800000000";

Asked asked(Ask ask = Ask::dispatch) {
    return {.ask = ask, .repo = RepoName::parse("org/backend").value(), .now = kNow};
}

net::ClientReply reply(int status, std::string message = "", net::Headers headers = {}) {
    return {
        .status = status,
        .headers = std::move(headers),
        .body = R"({"message":")" + std::move(message) + R"("})"
    };
}

struct Row {
    const char* name;
    net::ClientReply reply;
    Outcome dispatch;
    Outcome before; // the same reply while looking up the installation
};

const Row kTable[] = {
    {"a dispatch is answered 204", reply(204), Outcome::accepted, Outcome::accepted},
    {"any success counts", reply(200), Outcome::accepted, Outcome::accepted},
    {"not modified", reply(304), Outcome::refused, Outcome::refused},
    {"a redirect nobody followed", reply(301), Outcome::refused, Outcome::refused},
    {"a malformed request", reply(400, "Problems parsing JSON"), Outcome::refused, Outcome::refused
    },
    {"a token that does not work",
     reply(401, "Bad credentials"),
     Outcome::unauthenticated,
     Outcome::unauthenticated},
    {"no permission",
     reply(403, "Resource not accessible by integration"),
     Outcome::refused,
     Outcome::refused},
    {"a permission with requests left",
     reply(403, "no", {{"X-RateLimit-Remaining", "17"}}),
     Outcome::refused,
     Outcome::refused},
    {"the primary limit",
     reply(403, "x", {{"x-ratelimit-remaining", "0"}}),
     Outcome::throttled,
     Outcome::throttled},
    {"the primary limit in words",
     reply(403, "API rate limit exceeded"),
     Outcome::throttled,
     Outcome::throttled},
    {"the secondary limit",
     reply(403, "You have exceeded a SECONDARY rate limit"),
     Outcome::throttled,
     Outcome::throttled},
    {"the abuse limit",
     reply(403, "You have triggered an abuse detection mechanism"),
     Outcome::throttled,
     Outcome::throttled},
    {"a time to wait",
     reply(403, "x", {{"Retry-After", "30"}}),
     Outcome::throttled,
     Outcome::throttled},
    {"too many requests", reply(429), Outcome::throttled, Outcome::throttled},
    {"nobody knows it", reply(404, "Not Found"), Outcome::refused, Outcome::refused},
    {"gone", reply(410), Outcome::refused, Outcome::refused},
    {"the server did not get all of it", reply(408), Outcome::not_sent, Outcome::not_sent},
    {"too large", reply(422, "client_payload is too large."), Outcome::too_large, Outcome::refused},
    {"too large for a proxy", reply(413), Outcome::too_large, Outcome::refused},
    {"invalid for another reason",
     reply(422, "No more than 10 properties are allowed"),
     Outcome::refused,
     Outcome::refused},
    {"blocked for legal reasons", reply(451), Outcome::refused, Outcome::refused},
    {"an internal error", reply(500), Outcome::unknown, Outcome::not_sent},
    {"a bad gateway", reply(502), Outcome::unknown, Outcome::not_sent},
    {"unavailable", reply(503), Outcome::unknown, Outcome::not_sent},
    {"a gateway that waited in vain", reply(504), Outcome::unknown, Outcome::not_sent},
};

TEST(Answer, FollowsTheTable) {
    for (const auto& c : kTable) {
        SCOPED_TRACE(c.name);
        const auto answer = answer_of(c.reply, asked());
        EXPECT_EQ(answer.outcome, c.dispatch);
        EXPECT_EQ(answer.status, c.reply.status);
        EXPECT_EQ(answer.not_before.has_value(), c.dispatch == Outcome::throttled);
        EXPECT_EQ(answer_of(c.reply, asked(Ask::installation)).outcome, c.before);
    }
}

TEST(Answer, OnlyADispatchThatMayHaveLeftUsIsUnknown) {
    EXPECT_EQ(answer_of(net::ClientFailure{.maybe_sent = true}, asked()).outcome, Outcome::unknown);
    EXPECT_EQ(
        answer_of(net::ClientFailure{.maybe_sent = false}, asked()).outcome, Outcome::not_sent
    );
    for (const auto ask : {Ask::app, Ask::installation, Ask::token, Ask::file, Ask::permission}) {
        EXPECT_EQ(
            answer_of(net::ClientFailure{.maybe_sent = true}, asked(ask)).outcome, Outcome::not_sent
        );
    }
}

TEST(Answer, TellsTheOwnerWhatToDo) {
    EXPECT_THAT(
        answer_of(reply(404, "Not Found"), asked(Ask::installation)).detail,
        HasSubstr("the App is not installed there: install it and redeliver")
    );
    const auto answer = answer_of(reply(403, "Resource not accessible by integration"), asked());
    EXPECT_THAT(answer.detail, HasSubstr("org/backend"));
    EXPECT_THAT(answer.detail, HasSubstr("Resource not accessible by integration"));
    EXPECT_THAT(answer.detail, HasSubstr("may write its contents"));
    EXPECT_THAT(answer_of(reply(301), asked()).detail, HasSubstr("new name"));
}

TEST(Answer, MakesGithubsWordsInert) {
    const auto answer = answer_of(reply(422, R"(bad\u001b[31m\nnews)"), asked());
    EXPECT_THAT(answer.detail, Not(HasSubstr("\x1b")));
    EXPECT_THAT(answer.detail, Not(HasSubstr("\n")));
    const auto page = answer_of({.status = 422, .headers = {}, .body = "<html>"}, asked());
    EXPECT_THAT(page.detail, Not(HasSubstr("html")));
}

TEST(Limit, WaitsAsToldWhenGithubNamesATime) {
    const struct {
        const char* name;
        net::Headers headers;
        Millis wait;
    } cases[] = {
        {"seconds", {{"Retry-After", "90"}}, 90s},
        {"seconds win over the reset",
         {{"Retry-After", "5"}, {"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1800001000"}
         },
         5s},
        {"the reset", {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1800001000"}}, 1000s},
        {"a date", {{"Retry-After", "Fri, 15 Jan 2027 08:02:00 GMT"}}, 120s},
        {"nothing", {}, 60s},
        {"a reset that does not bind",
         {{"x-ratelimit-remaining", "9"}, {"x-ratelimit-reset", "1800001000"}},
         60s},
        {"rubbish", {{"Retry-After", "soon"}}, 60s},
        {"a negative time", {{"Retry-After", "-5"}}, 60s},
        {"no time at all", {{"Retry-After", "0"}}, 1s},
        {"a reset in the past",
         {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1700000000"}},
         1s},
        {"for ever", {{"Retry-After", "9223372036854775807"}}, 24h},
        {"a reset beyond all years",
         {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "9223372036854775807"}},
         60s},
        {"a reset far away",
         {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "99999999999"}},
         24h},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto until = limited_until(reply(429, "", c.headers), kNow);
        ASSERT_TRUE(until);
        EXPECT_EQ(*until - kNow, c.wait);
    }
}

TEST(Limit, AClockThatIsOffDoesNoHarm) {
    // GitHub's clock is an hour ahead of ours; the limit lasts ten minutes.
    const auto limited = reply(
        403,
        "",
        {{"Date", "Fri, 15 Jan 2027 09:00:00 GMT"},
         {"x-ratelimit-remaining", "0"},
         {"x-ratelimit-reset", std::to_string(1'800'000'000 + 3600 + 600)}}
    );
    EXPECT_EQ(limited_until(limited, kNow), kNow + 600s);
}

TEST(Limit, OrdinaryRepliesAnnounceNone) {
    EXPECT_FALSE(limited_until(reply(204, "", {{"x-ratelimit-remaining", "0"}}), kNow));
    EXPECT_FALSE(limited_until(reply(422, "rate limit"), kNow));
    EXPECT_FALSE(limited_until(reply(403, "no"), kNow));
}

RC_GTEST_PROP(
    Answer, NoReplyMakesItStumble, (std::uint16_t status, std::string body, std::string value)
) {
    const net::ClientReply any{
        .status = status,
        .headers =
            {{"Retry-After", value},
             {"x-ratelimit-remaining", "0"},
             {"x-ratelimit-reset", value},
             {"Date", value}},
        .body = body,
    };
    const auto answer = answer_of(any, asked());
    if (answer.not_before) {
        RC_ASSERT(*answer.not_before > kNow);
        RC_ASSERT(*answer.not_before <= kNow + kLimitWaitMax);
    }
}

TEST(ErrorOf, NamesWhatTheReaderDoesNext) {
    const auto code = [](int status) {
        return error_of(answer_of(reply(status), asked(Ask::file))).code;
    };
    EXPECT_EQ(code(404), Errc::not_found);
    EXPECT_EQ(code(403), Errc::forbidden);
    EXPECT_EQ(code(401), Errc::unauthenticated);
    EXPECT_EQ(code(429), Errc::throttled);
    EXPECT_EQ(code(502), Errc::unavailable);
    EXPECT_EQ(code(422), Errc::invalid);
    EXPECT_EQ(error_of(answer_of(net::ClientFailure{}, asked(Ask::file))).code, Errc::unavailable);
}

TEST(HttpDate, TakesTheOneFormThatServersWrite) {
    EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), from_ms(784'111'777'000));
    for (const auto* text : {
             "",
             "Sun, 06 Nov 1994 08:49:37",
             "Sunday, 06-Nov-94 08:49:37 GMT",
             "Sun Nov  6 08:49:37 1994",
             "Sun, 31 Feb 1994 08:49:37 GMT",
             "Sun, 06 Nov 1994 24:49:37 GMT",
             "Sun, 06 Nov 1994 08:60:37 GMT",
             "Sun, 06 Nox 1994 08:49:37 GMT",
             "Sun, 6 Nov 1994 08:49:37 GMT ",
         }) {
        SCOPED_TRACE(text);
        EXPECT_FALSE(parse_http_date(text));
    }
}

TEST(Redirect, FollowsANumberedRepositoryOnTheSameHostOnly) {
    const auto api = net::parse_url("https://ghe.example/api/v3").value();

    const struct {
        const char* name;
        std::string_view location;
        std::optional<std::int64_t> to;
    } cases[] = {
        {"the same thing by number", "https://ghe.example/api/v3/repositories/42/dispatches", 42},
        {"upper case in the host", "https://GHE.example/api/v3/repositories/42/dispatches", 42},
        {"the usual port, spelled out",
         "https://ghe.example:443/api/v3/repositories/42/dispatches",
         42},
        {"a path alone", "/api/v3/repositories/42/dispatches", 42},
        {"with a query", "/api/v3/repositories/42/dispatches?x=1", 42},
        {"nothing", "", std::nullopt},
        {"another host", "https://evil.example/api/v3/repositories/42/dispatches", std::nullopt},
        {"another host, no scheme", "//evil.example/api/v3/repositories/42/dispatches", std::nullopt
        },
        {"the host as a user name",
         "https://ghe.example@evil.example/api/v3/repositories/42/dispatches",
         std::nullopt},
        {"another port", "https://ghe.example:444/api/v3/repositories/42/dispatches", std::nullopt},
        {"plain http", "http://ghe.example/api/v3/repositories/42/dispatches", std::nullopt},
        {"outside the API", "https://ghe.example/repositories/42/dispatches", std::nullopt},
        {"a repository by name",
         "https://ghe.example/api/v3/repos/new/name/dispatches",
         std::nullopt},
        {"another thing of it", "https://ghe.example/api/v3/repositories/42/hooks", std::nullopt},
        {"more of it",
         "https://ghe.example/api/v3/repositories/42/dispatches/../hooks",
         std::nullopt},
        {"no number", "https://ghe.example/api/v3/repositories//dispatches", std::nullopt},
        {"a negative number", "https://ghe.example/api/v3/repositories/-1/dispatches", std::nullopt
        },
        {"too long a number",
         "https://ghe.example/api/v3/repositories/99999999999999999999/dispatches",
         std::nullopt},
        {"a host alone", "https://ghe.example", std::nullopt},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(moved_to(c.location, api, "/dispatches"), c.to);
    }
    EXPECT_EQ(
        moved_to("/api/v3/repositories/7/contents/a.yml?ref=x", api, "/contents/a.yml?ref=main"), 7
    );
}

RC_GTEST_PROP(Redirect, NoLocationMakesItStumble, (std::string noise)) {
    const auto api = net::parse_url("https://api.github.com").value();
    static_cast<void>(moved_to(noise, api, "/dispatches"));
    RC_ASSERT(!moved_to("https://" + noise, api, "/dispatches"));
}

} // namespace
} // namespace baton::github
