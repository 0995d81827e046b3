#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/plan.hpp"
#include "baton/net/http.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "unit/github/rest_github_fixture.hpp"

namespace baton::github {
namespace {

using domain::Permission;
using namespace std::chrono_literals;

constexpr std::string_view kFile =
    "GET /repos/org/backend/contents/.github/allow%20list.yml?ref=main";
constexpr std::string_view kPermission = "GET /repos/org/backend/collaborators/al%2Fice/permission";

TEST_F(RestGithubTest, ReadsAFileWithItsMark) {
    server.answer(
        kFile, {{.content_type = "text/plain", .headers = {{"ETag", "\"v1\""}}, .body = "L1: []\n"}}
    );
    const auto version = read_file();
    ASSERT_TRUE(version) << version.error().detail;
    ASSERT_TRUE(*version);
    EXPECT_EQ((*version)->text, "L1: []\n");
    EXPECT_EQ((*version)->etag, "\"v1\"");
    EXPECT_EQ(last().headers.find("accept"), "application/vnd.github.raw+json");
    EXPECT_EQ(
        server.seen()[1].body, R"({"repositories":["backend"],"permissions":{"contents":"read"}})"
    );
}

TEST_F(RestGithubTest, AnUnchangedFileIsNotReadAgain) {
    server.answer(kFile, {{.status = 304}});
    const auto version = read_file("\"v1\"");
    ASSERT_TRUE(version) << version.error().detail;
    EXPECT_FALSE(*version);
    EXPECT_EQ(last().headers.find("if-none-match"), "\"v1\"");
}

TEST_F(RestGithubTest, AFileThatCannotBeHadIsAnErrorOfTheRightKind) {
    server.answer(
        kFile,
        {{.body = std::string(limits::kAllowlistBytesMax, 'x')},
         {.body = std::string(limits::kAllowlistBytesMax + 1, 'x')},
         status(404),
         status(429),
         status(500)}
    );
    EXPECT_TRUE(read_file());
    EXPECT_EQ(read_file().error().code, Errc::invalid);
    EXPECT_EQ(read_file().error().code, Errc::not_found);
    EXPECT_EQ(read_file().error().code, Errc::throttled);
    clock.advance(1min);
    EXPECT_EQ(read_file().error().code, Errc::unavailable);
    for (const auto* path : {"../x", "a//b", "/a", "./a"}) {
        SCOPED_TRACE(path);
        const auto read =
            test::run(loop, github->read_file({.repo = repo, .path = path, .ref = "main"}));
        EXPECT_EQ(read->error().code, Errc::invalid);
    }
}

TEST_F(RestGithubTest, KnowsPeoplesRights) {
    const struct {
        const char* name;
        net::Response response;
        Permission permission;
    } cases[] = {
        {"the role tells more",
         {.body = R"({"permission":"read","role_name":"triage"})"},
         Permission::triage},
        {"the role alone", {.body = R"({"role_name":"maintain"})"}, Permission::maintain},
        {"an older server", {.body = R"({"permission":"write"})"}, Permission::write},
        {"a role of their own",
         {.body = R"({"permission":"write","role_name":"release-captain"})"},
         Permission::write},
        {"nobody", {.body = R"({"permission":"none","role_name":""})"}, Permission::none},
        {"unknown", status(404), Permission::none},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        server.answer(kPermission, {c.response});
        const auto answer = permission();
        ASSERT_TRUE(answer) << answer.error().detail;
        EXPECT_EQ(*answer, c.permission);
    }
}

TEST_F(RestGithubTest, RightsThatCannotBeAskedAreNoRightsButAnError) {
    server.answer(kPermission, {status(500), {.body = "[]"}, status(403, "no")});
    EXPECT_EQ(permission().error().code, Errc::unavailable);
    EXPECT_EQ(permission().error().code, Errc::unavailable);
    EXPECT_EQ(permission().error().code, Errc::forbidden);
}

TEST_F(RestGithubTest, AsksForAccessOnceAMinute) {
    EXPECT_TRUE(check_access());
    clock.advance(59s);
    EXPECT_TRUE(check_access());
    EXPECT_EQ(server.count("GET /app"), 1U);
    clock.advance(1s);
    server.answer("GET /app", {status(401), status(401, "A JSON web token could not be decoded")});
    EXPECT_EQ(check_access().error().code, Errc::unauthenticated);
    clock.advance(5s);
    EXPECT_TRUE(check_access());
}

} // namespace
} // namespace baton::github
