#include "baton/api/admins.hpp"
#include "baton/api/pages.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/run_awaitable.hpp"

namespace baton::api {
namespace {

constexpr std::array kAssets{
    Asset{.path = "/index.html", .plain = "<html>", .packed = "packed", .tag = "one"},
    Asset{.path = "/assets/core-1a.js", .plain = "code", .packed = "", .tag = "two"},
};

net::Response ask(std::string_view path, net::Headers headers = {}) {
    for (const auto& route : page_routes(kAssets)) {
        if (route.path == path) {
            net::Request request;
            request.head.headers = std::move(headers);
            return test::run_awaitable(route.handler(std::move(request)));
        }
    }
    return {.status = 404};
}

TEST(Pages, AreOneFileUnderEachOfTheirPaths) {
    for (const auto* path :
         {"/", "/pulls", "/pr/{}/{}/{}", "/b/{}/{}", "/deliveries/{}", "/help"}) {
        const auto page = ask(path);
        EXPECT_EQ(page.status, 200) << path;
        EXPECT_EQ(page.body, "<html>");
        EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
        EXPECT_EQ(page.headers.find("Cache-Control"), "no-cache");
    }
    EXPECT_EQ(ask("/elsewhere").status, 404);
}

TEST(Pages, MayRunNothingThatIsNotTheirOwn) {
    const auto page = ask("/");
    const std::string policy(page.headers.find("Content-Security-Policy").value_or(""));
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
    EXPECT_NE(policy.find("require-trusted-types-for 'script'"), std::string::npos);
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    EXPECT_EQ(page.headers.find("Referrer-Policy"), "no-referrer");
}

TEST(Pages, KeepFilesWithAHashInTheirNameForEver) {
    const auto code = ask("/assets/core-1a.js");
    EXPECT_EQ(code.body, "code");
    EXPECT_EQ(code.content_type, "text/javascript; charset=utf-8");
    EXPECT_EQ(code.headers.find("Cache-Control"), "public, max-age=31536000, immutable");
}

TEST(Pages, ArePackedForWhoUnderstandsIt) {
    const auto packed = ask("/", {{"Accept-Encoding", "br, gzip"}});
    EXPECT_EQ(packed.body, "packed");
    EXPECT_EQ(packed.headers.find("Content-Encoding"), "gzip");
    const auto plain = ask("/assets/core-1a.js", {{"Accept-Encoding", "gzip"}});
    EXPECT_EQ(plain.body, "code") << "there is no packed one";
    EXPECT_FALSE(plain.headers.find("Content-Encoding"));
}

TEST(Pages, AreNotSentTwiceToWhoHasThem) {
    const auto again = ask("/", {{"If-None-Match", "\"one\""}});
    EXPECT_EQ(again.status, 304);
    EXPECT_TRUE(again.body.empty());
}

TEST(Pages, BringTheDescriptionOfTheApiAlong) {
    bool there = false;
    for (const auto& asset : embedded_pages()) {
        there = there || (asset.path == "/api/v1/openapi.json" && asset.plain.starts_with('{'));
    }
    EXPECT_TRUE(there);
}

net::RequestHead shown(std::vector<std::string> headers) {
    net::RequestHead head;
    for (auto& header : headers) {
        head.headers.add("Authorization", std::move(header));
    }
    return head;
}

TEST(Admins, ActWithOneOfTheTokensAndNothingElse) {
    const Admins admins({"first", "second"});
    EXPECT_TRUE(admins.holder(shown({"Bearer first"})));
    EXPECT_TRUE(admins.holder(shown({"Bearer second"})));
    for (const auto& headers : std::vector<std::vector<std::string>>{
             {},
             {""},
             {"Bearer "},
             {"Bearer third"},
             {"Bearer firs"},
             {"first"},
             {"Basic first"},
             {"Bearer first", "Bearer first"},
         }) {
        EXPECT_FALSE(admins.holder(shown(headers))) << testing::PrintToString(headers);
    }
}

TEST(Admins, AreNamedApartWithoutTellingTheirTokens) {
    const Admins admins({"first", "second"});
    const auto one = admins.holder(shown({"Bearer first"}));
    EXPECT_EQ(one, "admin token a7937b64"); // of SHA-256
    EXPECT_NE(one, admins.holder(shown({"Bearer second"})));
}

TEST(Admins, AreOthersOnceTheTokensAre) {
    Admins admins({"leaked"});
    admins.replace({"fresh"});
    EXPECT_FALSE(admins.holder(shown({"Bearer leaked"})));
    EXPECT_TRUE(admins.holder(shown({"Bearer fresh"})));
}

TEST(Admins, AreNobodyWithoutTokens) {
    const Admins nobody({});
    EXPECT_TRUE(nobody.empty());
    EXPECT_FALSE(nobody.holder(shown({"Bearer "})));
}

/// What the last resort answers.
net::Response lost(std::string path, net::Headers headers) {
    for (const auto& route : page_routes(kAssets)) {
        if (route.path == "/{*}") {
            net::Request request;
            request.head.method = "GET";
            request.head.path = std::move(path);
            request.head.headers = std::move(headers);
            return test::run_awaitable(route.handler(std::move(request)));
        }
    }
    return {};
}

TEST(Pages, SayThatThereIsNoSuchPageInTheWayThatTheAskerReads) {
    const auto page = lost("/no/such/page", {{"Accept", "text/html,*/*"}});
    EXPECT_EQ(page.status, 404);
    EXPECT_EQ(page.body, "<html>");
    EXPECT_TRUE(page.headers.find("Content-Security-Policy"));
    const auto program = lost("/no/such/page", {});
    EXPECT_EQ(program.status, 404);
    EXPECT_EQ(program.content_type, "application/json");
    const auto api = lost("/api/v1/nothing", {{"Accept", "text/html"}});
    EXPECT_EQ(api.status, 404);
    EXPECT_EQ(api.content_type, "application/problem+json");
}

} // namespace
} // namespace baton::api
