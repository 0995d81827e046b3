#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/github_writing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "support/run_coroutine.hpp"
#include "unit/github/rest_github_fixture.hpp"

namespace baton::github {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kRefs = "POST /repos/org/backend/git/refs";
constexpr std::string_view kBranch = "GET /repos/org/backend/commits/heads%2Fbaton%2Fx";
constexpr std::string_view kFile = "PUT /repos/org/backend/contents/.github/list.yml";
constexpr std::string_view kBlob = "GET /repos/org/backend/contents/.github/list.yml?ref=baton%2Fx";
constexpr std::string_view kFind =
    "GET /repos/org/backend/pulls?state=all&head=org%3Abaton%2Fx&per_page=1";
constexpr std::string_view kPulls = "POST /repos/org/backend/pulls";
constexpr std::string_view kComments = "POST /repos/org/backend/issues/7/comments";

class RestGithubWriting : public RestGithubTest {
protected:
    Result<void> make_branch() {
        ports::NewBranch branch{.repo = repo, .name = "baton/x", .at = HeadSha("abc")};
        return test::run(loop, github->make_branch(std::move(branch))).value();
    }

    Result<void> write_blob() {
        ports::NewBlob blob{
            .repo = repo,
            .path = ".github/list.yml",
            .branch = "baton/x",
            .text = "L2: []\n",
            .replaces = "d1",
            .message = "m",
        };
        return test::run(loop, github->write_blob(std::move(blob))).value();
    }

    Result<ports::PullPlace> propose() {
        ports::PullDraft draft{
            .repo = repo, .branch = "baton/x", .onto = "main", .title = "t", .text = "b"
        };
        return test::run(loop, github->propose_pull(std::move(draft))).value();
    }
};

TEST_F(RestGithubWriting, ABranchThatIsThereIsGoodAndOneThatIsRefusedIsNot) {
    server.answer(kRefs, {{.status = 201, .body = "{}"}, status(422, "Reference already exists")});
    EXPECT_TRUE(make_branch());
    EXPECT_EQ(last().body, R"({"ref":"refs/heads/baton/x","sha":"abc"})");
    server.answer(kBranch, {{.body = std::string(40, 'a')}, status(422, "No commit found")});
    EXPECT_TRUE(make_branch());
    server.answer(kRefs, {status(422, "Object does not exist")});
    EXPECT_EQ(make_branch().error().code, Errc::invalid);
}

TEST_F(RestGithubWriting, AFileIsReadWithItsNameInGitAndReplacedByIt) {
    server.answer(
        kBlob, {{.body = R"({"sha":"d1","encoding":"base64","content":"TDE6\nIFtd\n"})"}}
    );
    const auto blob =
        test::run(
            loop, github->read_blob({.repo = repo, .path = ".github/list.yml", .branch = "baton/x"})
        )
            .value();
    ASSERT_TRUE(blob) << blob.error().detail;
    EXPECT_EQ(blob->text, "L1: []");
    EXPECT_EQ(blob->sha, "d1");
    server.answer(kFile, {{.body = "{}"}, status(409, "does not match d1"), status(403, "no")});
    EXPECT_TRUE(write_blob());
    EXPECT_EQ(
        last().body, R"({"message":"m","content":"TDI6IFtdCg==","sha":"d1","branch":"baton/x"})"
    );
    EXPECT_EQ(write_blob().error().code, Errc::conflict);
    const auto refused = write_blob();
    EXPECT_EQ(refused.error().code, Errc::forbidden);
    EXPECT_THAT(refused.error().detail, HasSubstr("let the App write contents there"));
}

TEST_F(RestGithubWriting, APullRequestIsOpenedAndFoundAgainWithItsAddress) {
    const std::string pull = R"({"number":9,"html_url":"https://github.com/org/backend/pull/9"})";
    server.answer(kFind, {{.body = "[]"}, {.body = "[" + pull + "]"}});
    server.answer(kPulls, {{.status = 201, .body = pull}});
    const auto find = [this] {
        return test::run(loop, github->find_pull({.repo = repo, .branch = "baton/x"})).value();
    };
    EXPECT_EQ(find().value(), std::nullopt);
    const ports::PullPlace place{
        .number = PrNumber{9}, .url = "https://github.com/org/backend/pull/9"
    };
    EXPECT_EQ(propose().value(), place);
    EXPECT_EQ(last().body, R"({"title":"t","head":"baton/x","base":"main","body":"b"})");
    EXPECT_EQ(find().value(), place);
    server.answer(kPulls, {{.status = 201, .body = R"({"number":9,"html_url":"javascript:1"})"}});
    EXPECT_EQ(propose().error().code, Errc::unavailable) << "no address of a page";
    server.answer(kPulls, {{.status = 201, .body = R"({"number":9,"html_url":"https://a\nb"})"}});
    EXPECT_EQ(propose().error().code, Errc::unavailable) << "no address that breaks a line";
}

TEST_F(RestGithubWriting, ACommentOnAnIssueAsksForThatRightAlone) {
    server.answer(
        kComments, {{.status = 201, .body = "{}"}, status(403, "Resource not accessible")}
    );
    const auto post = [this] {
        return test::run(
                   loop,
                   github->post_issue_comment({.repo = repo, .issue = PrNumber{7}, .text = "hi"})
        )
            .value();
    };
    EXPECT_TRUE(post());
    EXPECT_EQ(
        server.seen()[1].body, R"({"repositories":["backend"],"permissions":{"issues":"write"}})"
    );
    EXPECT_THAT(post().error().detail, HasSubstr("let the App write issues"));
}

TEST_F(RestGithubWriting, ACommentIsKnownAgainByItsMarkAndWhoWroteIt) {
    const net::Response page{
        .body = R"([{"body":"<!-- m1 --> x","performed_via_github_app":{"id":1}},)"
                R"({"body":"<!-- m2 --> x","performed_via_github_app":{"id":12345}}])"
    };
    server.answer(
        "GET /repos/org/backend/issues/7/comments"
        "?since=2027-01-15T08%3A00%3A00Z&per_page=100&page=1",
        {page, page}
    );
    const auto has = [this](std::string mark) {
        return test::run(
                   loop,
                   github->has_issue_comment(
                       {.repo = repo,
                        .issue = PrNumber{7},
                        .mark = std::move(mark),
                        .since = *parse_rfc3339("2027-01-15T08:00:00Z")}
                   )
        )
            .value();
    };
    EXPECT_FALSE(has("<!-- m1 -->").value()) << "another App's";
    EXPECT_TRUE(has("<!-- m2 -->").value());
}

} // namespace
} // namespace baton::github
