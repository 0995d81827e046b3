#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/retry.hpp"
#include "baton/net/http.hpp"

#include <boost/asio/awaitable.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unit/github/rest_github_fixture.hpp"

namespace baton::github {
namespace {

using domain::Outcome;
using namespace std::chrono_literals;

constexpr std::string_view kDispatch = "POST /repos/org/backend/dispatches";
constexpr std::string_view kLog = "GET /app/hook/deliveries?per_page=100";
constexpr std::string_view kPermission = "GET /repos/org/backend/collaborators/al%2Fice/permission";

TEST_F(RestGithubTest, SendsNothingWhileALimitLasts) {
    server.answer(kDispatch, {status(429, "secondary rate limit", {{"Retry-After", "30"}})});
    EXPECT_EQ(dispatch().outcome, Outcome::throttled);
    clock.advance(29s);
    const auto held = dispatch();
    EXPECT_EQ(held.outcome, Outcome::throttled);
    EXPECT_EQ(held.not_before, clock.now() + 1s);
    EXPECT_EQ(permission().error().code, Errc::throttled);
    EXPECT_EQ(server.count(kDispatch), 1U);
    clock.advance(1s);
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    EXPECT_EQ(server.count(kDispatch), 2U);
}

TEST_F(RestGithubTest, SendsNothingFasterThanItsPace) {
    connect(server.url(), 1s, 60); // points a minute: six at once
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    const auto held = dispatch();
    EXPECT_EQ(held.outcome, Outcome::throttled);
    EXPECT_EQ(held.not_before, clock.now() + 1s);
    EXPECT_EQ(permission().error().code, Errc::throttled);
    EXPECT_EQ(server.count(kDispatch), 1U);
    clock.advance(10s);
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
}

TEST_F(RestGithubTest, AnotherAccountIsNotHeldByTheFirst) {
    server.answer(kDispatch, {status(429, "", {{"Retry-After", "30"}})});
    EXPECT_EQ(dispatch().outcome, Outcome::throttled);
    repo = RepoName::parse("elsewhere/backend").value();
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
}

TEST_F(RestGithubTest, KnowsWhatIsLeftOfAnAccountsRequests) {
    const auto reset = std::chrono::floor<std::chrono::seconds>(clock.now() + 30min);
    net::Response response{.status = 204};
    response.headers.add("X-RateLimit-Limit", "5000");
    response.headers.add("X-RateLimit-Remaining", "4321");
    response.headers.add("X-RateLimit-Reset", std::to_string(reset.time_since_epoch().count()));
    response.headers.add("Date", "Mon, 01 Jan 2001 00:00:00 GMT");
    server.answer(kDispatch, {response});
    EXPECT_EQ(dispatch().outcome, Outcome::accepted);
    const auto* const quota = github->quotas().find("org");
    ASSERT_NE(quota, nullptr);
    const auto view = quota->view("org", clock.now());
    EXPECT_EQ(view.limit, 5000);
    EXPECT_EQ(view.remaining, 4321);
    EXPECT_EQ(view.in_flight, 0U);
}

TEST_F(RestGithubTest, ReadsTheDeliveryLogPageByPage) {
    net::Response first{
        .body = R"([{"id":12,"guid":"g-1","delivered_at":"2026-11-15T10:00:00Z","redelivery":false,
            "status":"OK","status_code":202,"event":"pull_request","action":"opened"},
            {"id":11,"guid":"g-2","delivered_at":"2026-11-15T09:00:00.5Z","redelivery":true,
            "status":"timed out","status_code":504,"event":"push","action":null}])"
    };
    first.headers.add(
        "Link", R"(<https://api/app/hook/deliveries?per_page=100&cursor=v1_11>; rel="next")"
    );
    server.answer(kLog, {first});
    server.answer("GET /app/hook/deliveries?per_page=100&cursor=v1_11", {{.body = "[]"}});

    const auto page = test::run(loop, github->hook_log("")).value();
    ASSERT_TRUE(page) << page.error().detail;
    ASSERT_EQ(page->tries.size(), 2U);
    const domain::HookTry expected{
        .id = 11,
        .delivery = DeliveryId("g-2"),
        .event = "push",
        .action = "",
        .at = *parse_rfc3339("2026-11-15T09:00:00.5Z"),
        .status = 504,
        .redelivery = true,
    };
    EXPECT_EQ(page->tries[1], expected);
    EXPECT_EQ(page->next, "v1_11");
    const auto last_page = test::run(loop, github->hook_log(page->next)).value();
    ASSERT_TRUE(last_page) << last_page.error().detail;
    EXPECT_EQ(last_page->next, "");
}

TEST_F(RestGithubTest, ALogThatIsNotUnderstoodIsNoEmptyLog) {
    server.answer(kLog, {{.body = "{}"}, {.body = R"([{"id":1}])"}, {.body = "["}});
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(test::run(loop, github->hook_log("")).value().error().code, Errc::unavailable);
    }
}

TEST_F(RestGithubTest, AsksForARedelivery) {
    server.answer("POST /app/hook/deliveries/12/attempts", {{.status = 202, .body = "{}"}});
    EXPECT_TRUE(test::run(loop, github->ask_again(12)).value());
    EXPECT_EQ(test::run(loop, github->ask_again(13)).value().error().code, Errc::not_found);
}

TEST_F(RestGithubTest, ListsOpenPullRequests) {
    net::Response page{
        .body =
            R"([{"number":7,"state":"open","head":{"sha":"abc"},"updated_at":"2026-11-15T10:00:00Z"}])"
    };
    page.headers.add("Link", R"(<https://api/x?page=2>; rel="next")");
    server.answer(
        "GET /repos/org/backend/pulls?state=open&sort=created&per_page=100&page=1", {page}
    );
    const auto pulls = test::run(loop, github->open_pulls({.repo = repo, .page = 1})).value();
    ASSERT_TRUE(pulls) << pulls.error().detail;
    ASSERT_EQ(pulls->pulls.size(), 1U);
    EXPECT_EQ(pulls->pulls[0].number, PrNumber{7});
    EXPECT_EQ(pulls->pulls[0].head, HeadSha("abc"));
    EXPECT_TRUE(pulls->more);
    EXPECT_EQ(
        server.seen()[1].body,
        R"({"repositories":["backend"],"permissions":{"pull_requests":"read"}})"
    );
}

TEST_F(RestGithubTest, AnAnswerThatStaysTheSameIsNotSentAgain) {
    server.answer(
        kPermission,
        {{.headers = {{"ETag", "\"p\""}}, .body = R"({"role_name":"triage"})"}, {.status = 304}}
    );
    EXPECT_EQ(permission(), domain::Permission::triage);
    EXPECT_EQ(permission(), domain::Permission::triage);
    EXPECT_EQ(last().headers.find("if-none-match"), "\"p\"");
}

TEST_F(RestGithubTest, QuestionsAskedTogetherAreOneRequest) {
    server.answer(kPermission, {{.body = R"({"role_name":"write"})"}});
    std::vector<Result<domain::Permission>> answers;
    async::TaskGroup together(loop.get_executor(), [](const std::string& surprise) {
        ADD_FAILURE() << surprise;
    });
    const auto ask = [&]() -> boost::asio::awaitable<void> {
        ports::PermissionQuery query{.repo = repo, .login = Login("al/ice")};
        auto answer = co_await github->permission(std::move(query));
        answers.push_back(std::move(answer));
    };
    for (int i = 0; i < 5; ++i) {
        together.spawn(ask());
    }
    loop.restart();
    while (answers.size() < 5 && loop.run_one() > 0) {
    }
    EXPECT_EQ(server.count(kPermission), 1U);
    for (const auto& answer : answers) {
        EXPECT_EQ(answer, domain::Permission::write);
    }
}

} // namespace
} // namespace baton::github
