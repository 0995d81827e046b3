#include "baton/crypto/app_jwt.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/sim/github_api.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/sim/api_support.hpp"
#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace json = boost::json;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::app_key;
using testing::header;
using testing::kPush;
using testing::kStart;
using testing::message;
using testing::repo;

const crypto::AppKey& foreign_key() {
    static const auto key = crypto::AppKey::parse(crypto::make_rsa_key_pair().private_pem).value();
    return key;
}

using Api = testing::ApiTest;

TEST_F(Api, KnowsTheAppByItsToken) {
    const auto reply = call("GET", "/app", jwt());
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(json::parse(reply.body).at("id").as_int64(), 12345);
}

TEST_F(Api, RefusesAppTokensThatAreNotInOrder) {
    const struct {
        const char* name;
        std::string token;
        int status;
        const char* message;
    } cases[] = {
        {"none", "", 401, "Requires authentication"},
        {"no token at all", "x", 401, "could not be decoded"},
        {"signed with another key",
         crypto::make_app_jwt(foreign_key(), 12345, now).token,
         401,
         "could not be decoded"},
        {"of another App",
         crypto::make_app_jwt(app_key(), 999, now).token,
         404,
         "Integration not found"},
        {"run out",
         crypto::make_app_jwt(app_key(), 12345, now - minutes{10}).token,
         401,
         "('exp') must be"},
        {"issued in the future",
         crypto::make_app_jwt(app_key(), 12345, now + minutes{2}).token,
         401,
         "('iat')"},
        {"too long",
         crypto::make_app_jwt(app_key(), 12345, now + seconds{50}).token,
         401,
         "too far in the future"},
    };

    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        const auto reply = call("GET", "/app", each.token);
        EXPECT_EQ(reply.status, each.status);
        EXPECT_NE(message(reply).find(each.message), std::string::npos) << reply.body;
        EXPECT_TRUE(json::parse(reply.body).as_object().contains("documentation_url"));
    }
}

TEST_F(Api, FindsTheInstallationOfARepository) {
    const auto reply = call("GET", "/repos/down/one/installation", jwt());
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(json::parse(reply.body).at("id").as_int64(), installation("down/one"));
    EXPECT_EQ(installation("down/one"), installation("down/two")) << "one per owner";
    EXPECT_EQ(call("GET", "/repos/down/absent/installation", jwt()).status, 404);
    EXPECT_EQ(call("GET", "/repos/no/where/installation", jwt()).status, 404);
}

TEST_F(Api, ListsInstallations) {
    const auto reply = call("GET", "/app/installations", jwt());
    EXPECT_EQ(json::parse(reply.body).as_array().size(), 2U);
}

TEST_F(Api, HandsOutTokensThatLastAnHour) {
    const auto reply = ask_token("down/one");
    ASSERT_EQ(reply.status, 201);
    EXPECT_EQ(json::parse(reply.body).at("expires_at").as_string(), "2026-11-15T14:40:00Z");
    const std::string token(json::parse(reply.body).at("token").as_string());
    now += minutes{59};
    EXPECT_EQ(call("POST", "/repos/down/one/dispatches", token, kPush).status, 204);
    now += minutes{1};
    const auto late = call("POST", "/repos/down/one/dispatches", token, kPush);
    EXPECT_EQ(late.status, 401);
    EXPECT_EQ(message(late), "Bad credentials");
}

TEST_F(Api, NarrowsTokensToRepositories) {
    const auto narrow = token("down/one", R"({"repositories":["one"]})");
    EXPECT_EQ(call("POST", "/repos/down/one/dispatches", narrow, kPush).status, 204);
    EXPECT_EQ(call("POST", "/repos/down/two/dispatches", narrow, kPush).status, 404);
    const auto id = static_cast<std::int64_t>(model.repo(repo("down/two"))->id);
    const auto by_id = token("down/one", fmt::format(R"({{"repository_ids":[{}]}})", id));
    EXPECT_EQ(call("POST", "/repos/down/two/dispatches", by_id, kPush).status, 204);
    EXPECT_EQ(call("POST", "/repos/up/stream/dispatches", token("down/one"), kPush).status, 404);
    EXPECT_EQ(ask_token("down/one", R"({"repositories":["absent"]})").status, 422);
}

TEST_F(Api, NarrowsTokensToPermissions) {
    const auto reader = token("down/one", R"({"permissions":{"contents":"read"}})");
    const auto refused = call("POST", "/repos/down/one/dispatches", reader, kPush);
    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(message(refused), "Resource not accessible by integration");
    EXPECT_EQ(call("GET", "/repos/down/one", reader).status, 200);
    EXPECT_EQ(ask_token("down/one", R"({"permissions":{"secrets":"write"}})").status, 422);
    EXPECT_EQ(ask_token("down/one", R"({"permissions":{"metadata":"write"}})").status, 422);
    EXPECT_EQ(ask_token("down/one", "{").status, 400);
}

TEST_F(Api, KeepsAppAndInstallationApart) {
    EXPECT_EQ(call("POST", "/repos/down/one/dispatches", jwt(), kPush).status, 401);
    EXPECT_EQ(call("GET", "/app", token("down/one")).status, 401);
    EXPECT_EQ(
        call_with(
            "GET", "/repos/down/one", {{"Authorization", "token " + token("down/one")}}
        ).status,
        200
    );
}

TEST_F(Api, DispatchesAndAnswersWithoutABody) {
    const auto reply = call("POST", "/repos/down/one/dispatches", token("down/one"), kPush);
    EXPECT_EQ(reply.status, 204);
    EXPECT_TRUE(reply.body.empty());
    EXPECT_EQ(model.dispatches().count({.repo = repo("down/one")}), 1U);
    const auto bad = call("POST", "/repos/down/one/dispatches", token("down/one"), "{}");
    EXPECT_EQ(bad.status, 422);
    EXPECT_EQ(message(bad), "Invalid request.\n\n\"event_type\" wasn't supplied.");
}

TEST_F(Api, ForgetsARepositoryThatTheAppLeft) {
    const auto held = token("down/one");
    ASSERT_TRUE(model.set_installed(repo("down/one"), false, now));
    EXPECT_EQ(call("POST", "/repos/down/one/dispatches", held, kPush).status, 404);
}

TEST_F(Api, ServesFilesRawAndAsJson) {
    const auto credential = token("up/stream");
    const auto as_json = call("GET", "/repos/up/stream/contents/dir/list.yml?ref=main", credential);
    ASSERT_EQ(as_json.status, 200);
    const auto file = json::parse(as_json.body);
    EXPECT_EQ(file.at("content").as_string(), "TDE6IFtd\n");
    EXPECT_EQ(file.at("encoding").as_string(), "base64");
    EXPECT_EQ(file.at("name").as_string(), "list.yml");
    const auto raw = call_with(
        "GET",
        "/repos/up/stream/contents/dir/list.yml",
        {{"Authorization", "Bearer " + credential}, {"Accept", "application/vnd.github.raw+json"}}
    );
    EXPECT_EQ(raw.body, "L1: []");
    EXPECT_NE(header(raw, "ETag"), header(as_json, "ETag"));
    EXPECT_EQ(call("GET", "/repos/up/stream/contents/none?ref=main", credential).status, 404);
    EXPECT_EQ(
        call("GET", "/repos/up/stream/contents/dir/list.yml?ref=gone", credential).status, 404
    );
}

TEST_F(Api, AnswersAnUnchangedFileForFree) {
    const auto credential = token("up/stream");
    const auto first = call("GET", "/repos/up/stream/contents/dir/list.yml", credential);
    const net::Headers again{
        {"Authorization", "Bearer " + credential}, {"If-None-Match", header(first, "ETag")}
    };
    const auto second = call_with("GET", "/repos/up/stream/contents/dir/list.yml", again);
    EXPECT_EQ(second.status, 304);
    EXPECT_TRUE(second.body.empty());
    EXPECT_EQ(header(second, "X-RateLimit-Used"), header(first, "X-RateLimit-Used"));
    ASSERT_TRUE(model.put_file({.repo = repo("up/stream"), .path = "dir/list.yml", .text = "{}"}));
    EXPECT_EQ(call_with("GET", "/repos/up/stream/contents/dir/list.yml", again).status, 200);
}

TEST_F(Api, NamesRolesThatTheOldWordsHide) {
    ASSERT_TRUE(model.set_permission(repo("up/stream"), Login("tri"), domain::Permission::triage));
    const auto reply =
        call("GET", "/repos/up/stream/collaborators/tri/permission", token("up/stream"));
    EXPECT_EQ(json::parse(reply.body).at("permission").as_string(), "read");
    EXPECT_EQ(json::parse(reply.body).at("role_name").as_string(), "triage");
    EXPECT_EQ(
        call("GET", "/repos/up/stream/collaborators/nobody/permission", token("up/stream")).status,
        404
    );
}

TEST_F(Api, RedirectsToTheIdOfARenamedRepository) {
    const auto id = static_cast<std::int64_t>(model.repo(repo("down/one"))->id);
    ASSERT_TRUE(model.rename(repo("down/one"), repo("down/uno")));
    const auto credential = token("down/two");
    const auto read = call("GET", "/repos/down/one/contents/x?ref=main", credential);
    EXPECT_EQ(read.status, 301);
    EXPECT_EQ(
        header(read, "Location"),
        fmt::format("https://api.github.com/repositories/{}/contents/x?ref=main", id)
    );
    const auto write = call("POST", "/repos/down/one/dispatches", credential, kPush);
    EXPECT_EQ(write.status, 307);
    EXPECT_EQ(message(write), "Moved Permanently");
    EXPECT_EQ(
        call("POST", fmt::format("/repositories/{}/dispatches", id), credential, kPush).status, 204
    );
    EXPECT_EQ(model.dispatches().count({.repo = repo("down/uno")}), 1U);
}

TEST_F(Api, CountsCallsAndStopsAtTheLimit) {
    const auto credential = token("down/one");
    auto& limit = model.rate_limit(InstallationId{installation("down/one")}, now);
    limit.limit = 2;
    const auto first = call("POST", "/repos/down/one/dispatches", credential, kPush);
    EXPECT_EQ(header(first, "X-RateLimit-Remaining"), "1");
    EXPECT_EQ(call("POST", "/repos/down/one/dispatches", credential, kPush).status, 204);
    const auto over = call("POST", "/repos/down/one/dispatches", credential, kPush);
    EXPECT_EQ(over.status, 403);
    EXPECT_EQ(header(over, "X-RateLimit-Remaining"), "0");
    EXPECT_EQ(header(over, "X-RateLimit-Reset"), std::to_string(to_ms(kStart + hours{1}) / 1000));
    EXPECT_NE(message(over).find("API rate limit exceeded"), std::string::npos);
    EXPECT_EQ(model.dispatches().count({}), 2U);
    const auto free = call("GET", "/rate_limit", credential);
    EXPECT_EQ(free.status, 200);
    EXPECT_EQ(json::parse(free.body).at_pointer("/resources/core/remaining").as_int64(), 0);
}

TEST_F(Api, ShowsTheDeliveryLogInPages) {
    const auto webhook =
        model.open_pull({.repo = repo("up/stream"), .author = Login("ann"), .now = now}).value();
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(model.hooks().record({.delivery = webhook.id, .at = now, .status_code = 500 + i}
        ));
    }
    const auto first = call("GET", "/app/hook/deliveries?per_page=3", jwt());
    const auto lines = json::parse(first.body).as_array();
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].at("status_code").as_int64(), 504);
    EXPECT_EQ(lines[0].at("guid").as_string(), webhook.id.text());
    const auto link = header(first, "Link");
    const auto cursor = link.substr(link.find("cursor="), link.find('>') - link.find("cursor="));
    const auto second = call("GET", "/app/hook/deliveries?per_page=3&" + cursor, jwt());
    EXPECT_EQ(json::parse(second.body).as_array().size(), 2U);
    EXPECT_EQ(header(second, "Link"), "");
    EXPECT_EQ(call("GET", "/app/hook/deliveries?cursor=nonsense", jwt()).status, 422);
}

TEST_F(Api, TellsDeliveriesThatFailedFromThoseThatDidNot) {
    const auto webhook =
        model.open_pull({.repo = repo("up/stream"), .author = Login("ann"), .now = now}).value();
    for (const int code : {202, 502, 504, 200}) {
        ASSERT_TRUE(model.hooks().record({.delivery = webhook.id, .at = now, .status_code = code}));
    }
    const auto page = call("GET", "/app/hook/deliveries?status=failure&per_page=1", jwt());
    EXPECT_EQ(json::parse(page.body).at(0).at("status_code").as_int64(), 504);
    EXPECT_NE(header(page, "Link").find("&status=failure"), std::string::npos);
    const auto fine = call("GET", "/app/hook/deliveries?status=success", jwt());
    EXPECT_EQ(json::parse(fine.body).as_array().size(), 2U);
    EXPECT_EQ(call("GET", "/app/hook/deliveries?status=so-so", jwt()).status, 422);
}

TEST_F(Api, ListsInstallationsInPages) {
    const auto first = call("GET", "/app/installations?per_page=1", jwt());
    EXPECT_EQ(json::parse(first.body).as_array().size(), 1U);
    EXPECT_NE(header(first, "Link").find("per_page=1&page=2>; rel=\"next\""), std::string::npos);
    EXPECT_EQ(json::parse(call("GET", "/app/installations", jwt()).body).as_array().size(), 2U);
}

TEST_F(Api, RedeliversOnRequest) {
    const auto webhook =
        model.open_pull({.repo = repo("up/stream"), .author = Login("ann"), .now = now}).value();
    const auto attempt =
        model.hooks().record({.delivery = webhook.id, .at = now, .status_code = 502}).value();
    const auto shown = call("GET", fmt::format("/app/hook/deliveries/{}", attempt), jwt());
    EXPECT_EQ(json::parse(shown.body).at_pointer("/request/payload/action").as_string(), "opened");
    EXPECT_EQ(
        call("POST", fmt::format("/app/hook/deliveries/{}/attempts", attempt), jwt()).status, 202
    );
    EXPECT_EQ(model.take_redeliveries(), std::vector{webhook.id});
    EXPECT_EQ(call("POST", "/app/hook/deliveries/77/attempts", jwt()).status, 404);
    now += HookLog::kKept;
    EXPECT_EQ(
        call("POST", fmt::format("/app/hook/deliveries/{}/attempts", attempt), jwt()).status, 404
    );
}

TEST_F(Api, NamesRoutesBeforeCarryingThemOut) {
    const ApiRequest dispatch{.method = "POST", .path = "/repos/Down/One/dispatches"};
    EXPECT_EQ(api.route_of(dispatch).name, "dispatches");
    EXPECT_EQ(api.route_of(dispatch).repo, repo("down/one"));
    const auto id = static_cast<std::int64_t>(model.repo(repo("down/two"))->id);
    const ApiRequest by_id{
        .method = "POST", .path = fmt::format("/repositories/{}/dispatches", id)
    };
    EXPECT_EQ(api.route_of(by_id).repo, repo("down/two"));
    EXPECT_EQ(api.route_of({.method = "GET", .path = "/app"}).name, "app");
    EXPECT_EQ(api.route_of({.method = "DELETE", .path = "/app"}).name, "unknown");
}

TEST_F(Api, AnswersUnknownPathsAsGithubDoes) {
    for (const auto* path :
         {"",
          "/",
          "/nothing",
          "/repos",
          "/repos/a",
          "/repos/a/../b",
          "/repositories/x/dispatches",
          "/app/"}) {
        SCOPED_TRACE(path);
        const auto reply = call("GET", path, jwt());
        EXPECT_EQ(reply.status, 404);
        EXPECT_EQ(message(reply), "Not Found");
    }
}

} // namespace
} // namespace baton::sim
