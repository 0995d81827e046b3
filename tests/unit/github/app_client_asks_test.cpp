#include "baton/base/result.hpp"
#include "baton/net/http.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "support/run_coroutine.hpp"
#include "unit/github/rest_github_fixture.hpp"

namespace baton::github {
namespace {

constexpr std::string_view kCommit = "GET /repos/org/backend/commits/release%2F1";
constexpr std::string_view kRepository = "GET /repos/org/backend";

TEST_F(RestGithubTest, KnowsTheCommitThatARefNames) {
    server.answer(kCommit, {{.body = R"({"sha":"abc"})"}, {.body = "[]"}, status(404)});
    const auto ask = [this] { return test::run(loop, github->head_of(repo, "release/1")).value(); };
    const auto head = ask();
    ASSERT_TRUE(head) << head.error().detail;
    EXPECT_EQ(head->text(), "abc");
    EXPECT_EQ(ask().error().code, Errc::unavailable);
    EXPECT_EQ(ask().error().code, Errc::not_found);
}

TEST_F(RestGithubTest, KnowsTheNumbersOfARepositoryAndItsOwner) {
    server.answer(
        kRepository, {{.body = R"({"id":11,"owner":{"id":12}})"}, {.body = R"({"id":11})"}}
    );
    const auto ask = [this] { return test::run(loop, github->ids_of(repo)).value(); };
    const auto ids = ask();
    ASSERT_TRUE(ids) << ids.error().detail;
    EXPECT_EQ(ids->repository, 11);
    EXPECT_EQ(ids->owner, 12);
    EXPECT_EQ(ask().error().code, Errc::unavailable);
}

} // namespace
} // namespace baton::github
