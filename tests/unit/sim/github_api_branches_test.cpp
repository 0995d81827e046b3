#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/net/http.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "unit/sim/api_support.hpp"
#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace json = boost::json;
using testing::message;
using testing::repo;

struct BranchesApi : testing::ApiTest {
    ApiReply write(const std::string& method, const std::string& tail, const std::string& body) {
        return call(method, "/repos/up/stream" + tail, token("up/stream"), body);
    }

    const Repo& upstream() const { return *model.repo(repo("up/stream")); }

    std::string head() const { return upstream().refs.at("refs/heads/main").head.text(); }

    ApiReply make_ref(const std::string& name, const std::string& sha) {
        return write("POST", "/git/refs", fmt::format(R"({{"ref":"{}","sha":"{}"}})", name, sha));
    }

    ApiReply put(const std::string& text, const std::string& sha, const std::string& branch) {
        return write(
            "PUT",
            "/contents/dir/list.yml",
            fmt::format(
                R"({{"message":"m","content":"{}","sha":"{}","branch":"{}"}})",
                crypto::base64(text),
                sha,
                branch
            )
        );
    }

    ApiReply open(const std::string& head_branch, const std::string& base) {
        return write(
            "POST",
            "/pulls",
            fmt::format(R"({{"title":"t","head":"{}","base":"{}","body":"b"}})", head_branch, base)
        );
    }
};

TEST_F(BranchesApi, ABranchIsMadeOnceFromACommitThatIsThere) {
    const auto made = make_ref("refs/heads/a/b", head());
    ASSERT_EQ(made.status, 201) << made.body;
    EXPECT_EQ(json::parse(made.body).at("object").at("sha").as_string(), head());

    const struct {
        const char* ref;
        std::string sha;
        const char* message;
    } cases[] = {
        {"refs/heads/a/b", head(), "Reference already exists"},
        {"refs/heads/c", std::string(40, 'a'), "Object does not exist"},
        {"heads/c", head(), "Reference name is invalid"},
        {"refs/heads/a..b", head(), "Reference name is invalid"},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.ref);
        const auto refused = make_ref(c.ref, c.sha);
        EXPECT_EQ(refused.status, 422);
        EXPECT_EQ(message(refused), c.message);
    }
}

TEST_F(BranchesApi, AFileIsReplacedOnlyByWhoKnowsItAndOnThatBranchAlone) {
    ASSERT_EQ(make_ref("refs/heads/change", head()).status, 201);
    const auto known = blob_sha("L1: []");
    EXPECT_EQ(put("L2: []", std::string(40, '0'), "change").status, 409);
    EXPECT_EQ(put("L2: []", known, "nowhere").status, 404);
    const auto written = put("L2: []", known, "change");
    ASSERT_EQ(written.status, 200) << written.body;
    EXPECT_EQ(json::parse(written.body).at("content").at("sha").as_string(), blob_sha("L2: []"));
    EXPECT_EQ(upstream().refs.at("refs/heads/change").files.at("dir/list.yml"), "L2: []");
    EXPECT_EQ(upstream().refs.at("refs/heads/main").files.at("dir/list.yml"), "L1: []");
    const auto nobodys = write(
        "PUT", "/contents/dir/list.yml", R"({"message":"m","content":"TA==","branch":"change"})"
    );
    EXPECT_EQ(nobodys.status, 422) << "what it replaces has to be said";
    EXPECT_EQ(
        write("PUT", "/contents/x", R"({"message":"m","content":"*","branch":"change"})").status,
        422
    );
}

TEST_F(BranchesApi, APullRequestIsOpenedOnceFromABranchWithCommits) {
    ASSERT_EQ(make_ref("refs/heads/change", head()).status, 201);
    EXPECT_EQ(
        message(open("change", "main")), "Validation Failed: No commits between main and change"
    );
    ASSERT_EQ(put("L2: []", blob_sha("L1: []"), "change").status, 200);
    EXPECT_EQ(open("nowhere", "main").status, 422);
    const auto made = open("change", "main");
    ASSERT_EQ(made.status, 201) << made.body;
    const auto pull = json::parse(made.body);
    EXPECT_EQ(pull.at("user").at("login").as_string(), "baton[bot]");
    EXPECT_EQ(
        pull.at("head").at("sha").as_string(), upstream().refs.at("refs/heads/change").head.text()
    );
    EXPECT_EQ(
        message(open("change", "main")),
        "Validation Failed: A pull request already exists for up:change."
    );
}

TEST_F(BranchesApi, NothingIsWrittenWithoutTheRight) {
    const auto reading = token("up/stream", R"({"permissions":{"contents":"read"}})");
    for (const auto& [method, tail] :
         {std::pair("POST", "/git/refs"),
          std::pair("PUT", "/contents/x"),
          std::pair("POST", "/pulls")}) {
        SCOPED_TRACE(tail);
        EXPECT_EQ(call(method, std::string("/repos/up/stream") + tail, reading, "{}").status, 403);
    }
}

TEST_F(BranchesApi, CommentsOnIssuesWantTheRightToIssuesAndAreListedByTime) {
    const auto number = static_cast<std::int64_t>(model.open_issue(repo("up/stream")).value());
    const auto target = fmt::format("/repos/up/stream/issues/{}/comments", number);
    const auto pulls = token("up/stream", R"({"permissions":{"pull_requests":"write"}})");
    const auto issues = token("up/stream", R"({"permissions":{"issues":"write"}})");
    EXPECT_EQ(call("POST", target, pulls, R"({"body":"hi"})").status, 403);
    EXPECT_EQ(call("POST", target, issues, R"({"body":"old"})").status, 201);
    now += std::chrono::minutes{10};
    EXPECT_EQ(call("POST", target, issues, R"({"body":"new"})").status, 201);
    const auto listed = call("GET", target + "?since=" + to_rfc3339(now), issues);
    const auto comments = json::parse(listed.body);
    ASSERT_EQ(comments.as_array().size(), 1U);
    EXPECT_EQ(comments.at(0).at("body").as_string(), "new");
}

} // namespace
} // namespace baton::sim
