#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/post.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "unit/sim/api_support.hpp"

namespace baton::sim {
namespace {

namespace json = boost::json;
using testing::ApiTest;
using testing::header;
using testing::message;
using testing::repo;

struct ApiChecks : ApiTest {
    ApiChecks() {
        const auto opened =
            model.open_pull({.repo = repo("up/stream"), .author = Login("ann"), .now = now});
        head = opened.value().head.text();
        up = token("up/stream");
    }

    std::string body(std::string_view more = "") const {
        return fmt::format(R"({{"name":"crcr/gate","head_sha":"{}"{}}})", head, more);
    }

    ApiReply create(std::string_view more = "") {
        return call("POST", "/repos/up/stream/check-runs", up, body(more));
    }

    std::int64_t created(std::string_view more = "") {
        const auto reply = create(more);
        EXPECT_EQ(reply.status, 201) << reply.body;
        return json::parse(reply.body).at("id").as_int64();
    }

    ApiReply change(std::int64_t id, std::string with) {
        return call(
            "PATCH", fmt::format("/repos/up/stream/check-runs/{}", id), up, std::move(with)
        );
    }

    json::value list(std::string_view what = "check-runs") {
        const auto reply =
            call("GET", fmt::format("/repos/up/stream/commits/{}/{}", head, what), up);
        EXPECT_EQ(reply.status, 200) << reply.body;
        return json::parse(reply.body);
    }

    std::string head;
    std::string up;
};

TEST_F(ApiChecks, ACheckIsCreatedChangedEndedAndOpenedAgain) {
    const auto id = created(R"(,"status":"in_progress","output":{"title":"t","summary":"s"})");
    auto ended = change(id, R"({"conclusion":"failure"})");
    EXPECT_EQ(ended.status, 200);
    auto shown = json::parse(ended.body);
    EXPECT_EQ(shown.at("status").as_string(), "completed") << "a conclusion ends it";
    EXPECT_EQ(shown.at("output").at("title").as_string(), "t");
    EXPECT_TRUE(shown.at("completed_at").is_string());
    shown = json::parse(change(id, R"({"status":"in_progress"})").body);
    EXPECT_TRUE(shown.at("conclusion").is_null());
    EXPECT_TRUE(shown.at("completed_at").is_null());
    const auto one = call("GET", fmt::format("/repos/up/stream/check-runs/{}", id), up);
    EXPECT_EQ(json::parse(one.body).at("status").as_string(), "in_progress");
}

TEST_F(ApiChecks, WhatGithubRefusesIsRefusedInItsWords) {
    const struct {
        const char* name;
        std::string more;
        int status;
        std::string_view says;
    } cases[] = {
        {"an unknown status", R"(,"status":"done")", 422, "For 'properties/status'"},
        {"one that is for Actions", R"(,"status":"waiting")", 422, "For 'properties/status'"},
        {"an unknown conclusion", R"(,"conclusion":"fine")", 422, "For 'properties/conclusion'"},
        {"one that is GitHub's own", R"(,"conclusion":"stale")", 422, "For 'properties/conclusion'"
        },
        {"an end without a conclusion", R"(,"status":"completed")", 422, "\"conclusion\" wasn't"},
        {"no address", R"(,"details_url":"ftp://x")", 422, "details_url must use http or https"},
        {"no time", R"(,"started_at":"noon")", 422, "noon is not a valid date-time"},
        {"output without a summary", R"(,"output":{"title":"t"})", 422, "\"summary\" wasn't"},
        {"a long title",
         fmt::format(R"(,"output":{{"title":"{}","summary":"s"}})", std::string(256, 't')),
         422,
         "Only 255 characters are allowed; 256"},
        {"a long summary",
         fmt::format(R"(,"output":{{"title":"t","summary":"{}"}})", std::string(65'536, 's')),
         422,
         "Only 65535 characters are allowed; 65536"},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto reply = create(c.more);
        EXPECT_EQ(reply.status, c.status);
        EXPECT_NE(message(reply).find(c.says), std::string::npos) << reply.body;
    }
    const auto post = [&](std::string text) {
        return call("POST", "/repos/up/stream/check-runs", up, std::move(text));
    };
    EXPECT_EQ(
        message(post(R"({"name":"x"})")), "Invalid request.\n\n\"head_sha\" wasn't supplied."
    );
    EXPECT_EQ(post(R"({"name":"x","head_sha":"ffff"})").status, 422);
    EXPECT_EQ(post("nonsense").status, 400);
    EXPECT_EQ(call("POST", "/repos/no/body/check-runs", up, body()).status, 404);
    EXPECT_EQ(change(7, "{}").status, 404);
    EXPECT_EQ(list().at("total_count").as_int64(), 0) << "nothing came of any of it";
}

TEST_F(ApiChecks, OnlyWhoMayWriteChecksDoes) {
    up = token("up/stream", R"({"permissions":{"checks":"read"}})");
    EXPECT_EQ(create().status, 403);
    EXPECT_EQ(list().at("total_count").as_int64(), 0);
    up = token("up/stream", R"({"permissions":{"contents":"write"}})");
    const auto comment = call("POST", "/repos/up/stream/issues/1/comments", up, R"({"body":"x"})");
    EXPECT_EQ(comment.status, 403);
}

TEST_F(ApiChecks, TheNewestOfEachNameIsShownUnlessAllAreAskedFor) {
    const auto first = created();
    const auto second = created();
    const auto runs = list().at("check_runs").as_array();
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].at("id").as_int64(), second);
    EXPECT_EQ(list("check-runs?filter=all").at("total_count").as_int64(), 2);
    EXPECT_EQ(list("check-runs?check_name=other").at("total_count").as_int64(), 0);
    EXPECT_EQ(list("check-runs?app_id=1").at("total_count").as_int64(), 0);
    EXPECT_EQ(list("check-runs?app_id=12345").at("total_count").as_int64(), 1);
    EXPECT_LT(first, second);
}

TEST_F(ApiChecks, TheChecksOfOneAppOnOneCommitAreASuite) {
    created(R"(,"conclusion":"success")");
    model.checks().add(
        {.app_id = 1,
         .repo = model.repo(repo("up/stream"))->id,
         .head = HeadSha(head),
         .name = "lint"}
    );
    const auto suites = list("check-suites").at("check_suites").as_array();
    ASSERT_EQ(suites.size(), 2U);
    EXPECT_EQ(suites[0].at("conclusion").as_string(), "success");
    EXPECT_EQ(suites[1].at("status").as_string(), "queued");
    EXPECT_EQ(suites[1].at("app").at("id").as_int64(), 1);
}

TEST_F(ApiChecks, AnotherAppsCheckCannotBeChanged) {
    const auto id = model.checks()
                        .add(
                            {.app_id = 1,
                             .repo = model.repo(repo("up/stream"))->id,
                             .head = HeadSha(head),
                             .name = "lint"}
                        )
                        .id;
    EXPECT_EQ(change(id, R"({"conclusion":"success"})").status, 403);
}

TEST_F(ApiChecks, CommentsAreMadeChangedAndListedByPages) {
    const auto made = call("POST", "/repos/up/stream/issues/1/comments", up, R"({"body":"one"})");
    ASSERT_EQ(made.status, 201) << made.body;
    const auto shown = json::parse(made.body);
    EXPECT_EQ(shown.at("performed_via_github_app").at("id").as_int64(), 12345);
    EXPECT_EQ(shown.at("user").at("login").as_string(), "baton[bot]");
    const auto id = shown.at("id").as_int64();
    ASSERT_TRUE(model.comment(
        {.repo = repo("up/stream"), .number = PrNumber{1}, .by = Login("ann"), .text = "two"}
    ));
    const auto target = fmt::format("/repos/up/stream/issues/comments/{}", id);
    EXPECT_EQ(call("PATCH", target, up, R"({"body":"changed"})").status, 200);
    EXPECT_EQ(call("PATCH", target, up, R"({"body":""})").status, 422);
    EXPECT_EQ(
        call("PATCH", target, up, fmt::format(R"({{"body":"{}"}})", std::string(65'537, 'x')))
            .status,
        422
    );
    const auto page = call("GET", "/repos/up/stream/issues/1/comments?per_page=1", up);
    EXPECT_EQ(json::parse(page.body).at(0).at("body").as_string(), "changed");
    EXPECT_NE(header(page, "Link").find("rel=\"next\""), std::string::npos);
    const auto second = call("GET", "/repos/up/stream/issues/1/comments?per_page=1&page=2", up);
    EXPECT_TRUE(json::parse(second.body).at(0).at("performed_via_github_app").is_null());
    EXPECT_EQ(call("GET", "/repos/up/stream/issues/9/comments", up).status, 404);
    EXPECT_EQ(
        call("POST", "/repos/up/stream/issues/9/comments", up, R"({"body":"x"})").status, 404
    );
}

TEST_F(ApiChecks, ReRunsAreAskedOfWhoeverKnowsTheRuns) {
    const auto down = token("down/one");
    const auto target = "/repos/down/one/actions/runs/5/rerun";
    EXPECT_EQ(call("POST", target, down).status, 404) << "nobody knows any";
    Rerun heard;
    model.on_rerun([&heard](const Rerun& what) {
        heard = what;
        return PostReply{};
    });
    EXPECT_EQ(call("POST", target, down).status, 201);
    EXPECT_FALSE(heard.failed_only);
    EXPECT_EQ(heard.run, 5);
    EXPECT_EQ(call("POST", std::string(target) + "-failed-jobs", down).status, 201);
    EXPECT_TRUE(heard.failed_only);
}

TEST_F(ApiChecks, OnlyNewCommentsCountAsContent) {
    auto rules = LimitRules::published();
    rules.content_per_minute = 1;
    limits.use(rules);
    created();
    created();
    const auto comment = [this] {
        return call("POST", "/repos/up/stream/issues/1/comments", up, R"({"body":"x"})").status;
    };
    EXPECT_EQ(comment(), 201);
    EXPECT_EQ(comment(), 403);
    EXPECT_EQ(limits.counts().answers.at(LimitKind::content), 1U);
}

} // namespace
} // namespace baton::sim
