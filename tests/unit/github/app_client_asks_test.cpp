#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/net/http.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/run_coroutine.hpp"
#include "unit/github/rest_github_fixture.hpp"

namespace baton::github {
namespace {

constexpr std::string_view kRelease = "GET /repos/org/backend/commits/release%2F1";
constexpr std::string_view kSha = "0123456789abcdef0123456789abcdef01234567";
constexpr std::string_view kCommit =
    "GET /repos/org/backend/commits/0123456789abcdef0123456789abcdef01234567";
constexpr std::string_view kRepository = "GET /repos/org/backend";

TEST_F(RestGithubTest, KnowsTheCommitThatARefNames) {
    server.answer(
        kRelease, {{.body = std::string(kSha)}, {.body = "[]"}, status(422), status(404)}
    );
    const auto ask = [this] { return test::run(loop, github->head_of(repo, "release/1")).value(); };
    const auto head = ask();
    ASSERT_TRUE(head) << head.error().detail;
    EXPECT_EQ(head->text(), kSha);
    EXPECT_EQ(last().headers.find("accept"), "application/vnd.github.sha") << "no patches";
    EXPECT_EQ(ask().error().code, Errc::unavailable);
    EXPECT_EQ(ask().error().detail, "org/backend has no commit release/1");
    EXPECT_EQ(ask().error().code, Errc::not_found);
}

TEST_F(RestGithubTest, DeniesACommitOnlyWhenGithubDoes) {
    server.answer(
        kCommit,
        {{.body = std::string(kSha)},
         {.body = std::string(40, 'f')}, // a branch of this name
         status(422, "No commit found for SHA: 0123"),
         status(404, "Not Found"), // not about the commit
         status(502),
         {.body = "<html>"}}
    );
    const auto ask = [this] {
        return test::run(loop, github->has_commit(repo, HeadSha(std::string(kSha)))).value();
    };
    EXPECT_EQ(ask().value(), true);
    EXPECT_EQ(ask().value(), false);
    EXPECT_EQ(ask().value(), false);
    EXPECT_EQ(ask().error().code, Errc::not_found);
    EXPECT_EQ(ask().error().code, Errc::unavailable);
    EXPECT_EQ(ask().error().code, Errc::unavailable);
}

TEST_F(RestGithubTest, KnowsTheNumbersOfARepositoryAndItsOwner) {
    server.answer(
        kRepository,
        {{.body = R"({"id":11,"owner":{"id":12}})"},
         {.body = R"({"id":11})"},
         {.body = R"({"id":0,"owner":{"id":-1}})"}}
    );
    const auto ask = [this] { return test::run(loop, github->repository_ids(repo)).value(); };
    const auto ids = ask();
    ASSERT_TRUE(ids) << ids.error().detail;
    EXPECT_EQ(*ids, (domain::ImmutableIds{.repository = 11, .owner = 12}));
    EXPECT_EQ(ask().error().code, Errc::unavailable);
    EXPECT_EQ(ask().error().code, Errc::unavailable) << "numbers that no repository has";
}

} // namespace
} // namespace baton::github
