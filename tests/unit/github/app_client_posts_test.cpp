#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/app_client.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/github.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/run_coroutine.hpp"
#include "unit/github/rest_github_fixture.hpp"

namespace baton::github {
namespace {

using domain::Outcome;
using ports::RerunAnswer;

constexpr std::string_view kChecks = "POST /repos/org/backend/check-runs";
constexpr std::string_view kCheck = "PATCH /repos/org/backend/check-runs/44";
constexpr std::string_view kComments = "POST /repos/org/backend/issues/7/comments";
constexpr std::string_view kComment = "PATCH /repos/org/backend/issues/comments/55";
constexpr std::string_view kFindCheck =
    "GET /repos/org/backend/commits/abc/check-runs"
    "?check_name=crcr%2Fgate&filter=latest&app_id=12345&per_page=100";
constexpr std::string_view kRerunFailed =
    "POST /repos/org/backend/actions/runs/9100000001/rerun-failed-jobs";
constexpr std::string_view kRerunAll = "POST /repos/org/backend/actions/runs/9100000001/rerun";

net::Response made(std::int64_t id) {
    return {.status = 201, .body = fmt::format(R"({{"id":{}}})", id)};
}

class RestGithubPosts : public RestGithubTest {
protected:
    ports::Posted post_check(std::optional<std::int64_t> id = std::nullopt) {
        ports::CheckCall call{
            .repo = repo,
            .head = HeadSha("abc"),
            .id = id,
            .check = {.name = "crcr/gate", .title = "waiting", .summary = "for npu"},
        };
        return test::run(loop, github->post_check(std::move(call))).value();
    }

    ports::Posted post_comment(std::optional<std::int64_t> id = std::nullopt) {
        ports::CommentCall call{.repo = repo, .pr = PrNumber{7}, .id = id, .text = "hello"};
        return test::run(loop, github->post_comment(std::move(call))).value();
    }

    Result<std::optional<std::int64_t>> find_check() {
        ports::CheckQuery query{.repo = repo, .head = HeadSha("abc"), .name = "crcr/gate"};
        return test::run(loop, github->find_check(std::move(query))).value();
    }

    Result<std::optional<std::int64_t>> find_comment() {
        ports::CommentQuery query{.repo = repo, .pr = PrNumber{7}, .mark = "<!-- baton -->"};
        return test::run(loop, github->find_comment(std::move(query))).value();
    }

    Result<RerunAnswer> rerun(std::string run_id = "9100000001", bool failed_only = true) {
        ports::RerunCall call{
            .downstream = repo, .run_id = std::move(run_id), .failed_only = failed_only
        };
        return test::run(loop, github->rerun(std::move(call))).value();
    }

    /// A page of comments; `next` says that there is another.
    static net::Response page(std::string body, bool next) {
        net::Headers headers;
        if (next) {
            headers.add("Link", R"(<https://api.github.com/x?page=2>; rel="next")");
        }
        return {.headers = std::move(headers), .body = std::move(body)};
    }

    static std::string comments_page(int number) {
        return fmt::format("GET /repos/org/backend/issues/7/comments?per_page=100&page={}", number);
    }
};

TEST_F(RestGithubPosts, CreatesACheckOnceAndChangesItAfterwards) {
    server.answer(kChecks, {made(44)});
    server.answer(kCheck, {{.body = R"({"id":44})"}});
    const auto created = post_check();
    EXPECT_EQ(created.answer.outcome, Outcome::accepted) << created.answer.detail;
    EXPECT_EQ(created.id, 44);
    EXPECT_EQ(
        server.seen()[1].body, R"({"repositories":["backend"],"permissions":{"checks":"write"}})"
    );
    EXPECT_EQ(
        last().body,
        R"({"name":"crcr/gate","head_sha":"abc","status":"queued",)"
        R"("output":{"title":"waiting","summary":"for npu"}})"
    );
    const auto changed = post_check(44);
    EXPECT_EQ(changed.answer.outcome, Outcome::accepted) << changed.answer.detail;
    EXPECT_EQ(changed.id, 44);
    EXPECT_EQ(server.seen().size(), 4U) << "one call each, once the token is there";
}

TEST_F(RestGithubPosts, WhatGithubSaysToACheckIsJudgedLikeADispatch) {
    const struct {
        const char* name;
        net::Response response;
        Outcome outcome;
    } cases[] = {
        {"a server that stumbles may have done it", status(502), Outcome::unknown},
        {"an answer that says no number", {.status = 201, .body = "{}"}, Outcome::unknown},
        {"a wrong field stays wrong", status(422, "Invalid request."), Outcome::refused},
        {"no right to write checks", status(403, "Resource not accessible"), Outcome::refused},
        {"no such commit", status(404), Outcome::refused},
        {"a limit", status(429), Outcome::throttled},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        server.answer(kChecks, {c.response});
        const auto posted = post_check();
        EXPECT_EQ(posted.answer.outcome, c.outcome) << posted.answer.detail;
        EXPECT_EQ(posted.id, 0);
    }
}

TEST_F(RestGithubPosts, ARefusedTokenIsRenewedOnce) {
    server.answer(kChecks, {status(401), made(44)});
    EXPECT_EQ(post_check().id, 44);
    server.answer(kChecks, {status(401), status(401)});
    EXPECT_EQ(post_check().answer.outcome, Outcome::unauthenticated);
}

TEST_F(RestGithubPosts, CreatesACommentOnceAndChangesItAfterwards) {
    server.answer(kComments, {made(55)});
    server.answer(kComment, {{.body = R"({"id":55})"}});
    EXPECT_EQ(post_comment().id, 55);
    EXPECT_EQ(
        server.seen()[1].body,
        R"({"repositories":["backend"],"permissions":{"pull_requests":"write"}})"
    );
    EXPECT_EQ(last().body, R"({"body":"hello"})");
    EXPECT_EQ(post_comment(55).answer.outcome, Outcome::accepted);
    server.answer(kComment, {status(404)});
    const auto gone = post_comment(55);
    EXPECT_EQ(gone.answer.outcome, Outcome::refused);
    EXPECT_EQ(gone.answer.status, 404) << "somebody deleted it";
}

TEST_F(RestGithubPosts, FindsTheNewestCheckOfOurOwn) {
    server.answer(
        kFindCheck,
        {{.body = R"({"total_count":4,"check_runs":[
            {"id":8,"name":"crcr/gate","app":{"id":12345}},
            {"id":9,"name":"crcr/gate","app":{"id":12345}},
            {"id":10,"name":"crcr/gate","app":{"id":1}},
            {"id":11,"name":"crcr/Gate","app":{"id":12345}},
            {"id":12,"name":"crcr/gate","app":null}]})"},
         {.body = R"({"total_count":0,"check_runs":[]})"},
         {.body = "[]"},
         status(404),
         status(502)}
    );
    EXPECT_EQ(find_check().value(), 9);
    EXPECT_EQ(find_check().value(), std::nullopt);
    EXPECT_EQ(find_check().error().code, Errc::unavailable);
    EXPECT_EQ(find_check().error().code, Errc::not_found);
    EXPECT_EQ(find_check().error().code, Errc::unavailable);
}

TEST_F(RestGithubPosts, FindsItsCommentOnALaterPage) {
    server.answer(
        comments_page(1),
        {page(
            R"([{"id":1,"body":"<!-- baton --> forged","performed_via_github_app":null},
                {"id":2,"body":"<!-- baton --> another App","performed_via_github_app":{"id":1}},
                {"id":3,"body":"see <!-- baton -->","performed_via_github_app":{"id":12345}}])",
            true
        )}
    );
    server.answer(
        comments_page(2),
        {page(
            R"([{"id":4,"body":"<!-- baton -->\nx","performed_via_github_app":{"id":12345}}])", true
        )}
    );
    EXPECT_EQ(find_comment().value(), 4);
    server.answer(comments_page(1), {page("[]", false)});
    EXPECT_EQ(find_comment().value(), std::nullopt);
    server.answer(
        comments_page(1),
        {page(R"([{"body":"<!-- baton -->","performed_via_github_app":{"id":12345}}])", false)}
    );
    EXPECT_EQ(find_comment().value(), std::nullopt) << "without a number it cannot be changed";
    server.answer(comments_page(1), {page("{}", false), status(500)});
    EXPECT_EQ(find_comment().error().code, Errc::unavailable);
    EXPECT_EQ(find_comment().error().code, Errc::unavailable);
}

TEST_F(RestGithubPosts, LooksThroughABoundedNumberOfComments) {
    for (int number = 1; number <= RestGithub::kCommentPagesMax + 1; ++number) {
        server.answer(comments_page(number), {page("[]", true)});
    }
    EXPECT_EQ(find_comment().value(), std::nullopt);
    EXPECT_EQ(server.count(comments_page(RestGithub::kCommentPagesMax)), 1U);
    EXPECT_EQ(server.count(comments_page(RestGithub::kCommentPagesMax + 1)), 0U);
}

TEST_F(RestGithubPosts, AsksForTheFailedJobsOrForAll) {
    server.answer(kRerunFailed, {{.status = 201, .body = "{}"}});
    server.answer(kRerunAll, {{.status = 201, .body = "{}"}});
    EXPECT_EQ(rerun().value(), RerunAnswer::asked);
    EXPECT_EQ(
        server.seen()[1].body, R"({"repositories":["backend"],"permissions":{"actions":"write"}})"
    );
    EXPECT_EQ(rerun("9100000001", false).value(), RerunAnswer::asked);
}

TEST_F(RestGithubPosts, TellsARunThatGoesOnFromOneThatCannotRunAgain) {
    server.answer(
        kRerunFailed,
        {status(403, "This workflow is already running"),
         status(403, "Unable to retry this workflow run because it was created over a month ago"),
         status(404),
         status(410),
         status(422)}
    );
    EXPECT_EQ(rerun().value(), RerunAnswer::already_running);
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(rerun().value(), RerunAnswer::refused);
    }
}

TEST_F(RestGithubPosts, AReRunThatCannotBeAskedForIsAnError) {
    server.answer(kRerunFailed, {status(502), status(429)});
    EXPECT_EQ(rerun().error().code, Errc::unavailable);
    EXPECT_EQ(rerun().error().code, Errc::throttled);
}

TEST_F(RestGithubPosts, ARepositoryWithoutTheAppIsNotOursToRunAgain) {
    server.answer("GET /repos/org/backend/installation", {status(404)});
    EXPECT_EQ(rerun().value(), RerunAnswer::refused);
}

TEST_F(RestGithubPosts, ARunIdThatIsNoNumberIsRefusedWithoutACall) {
    for (const auto* run_id :
         {"",
          "9/../../x",
          "-1",
          "1?x",
          "0198c1e2-aaaa-7bbb-8ccc-1234567890ab",
          "1e3",
          "99999999999999999999"}) {
        SCOPED_TRACE(run_id);
        EXPECT_EQ(rerun(run_id).value(), RerunAnswer::refused);
    }
    EXPECT_TRUE(server.seen().empty());
}

} // namespace
} // namespace baton::github
