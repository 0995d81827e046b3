#include "baton/base/ids.hpp"
#include "baton/net/http.hpp"
#include "baton/sim/github_model.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "unit/sim/api_support.hpp"
#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace json = boost::json;
using std::chrono::seconds;
using testing::header;
using testing::message;
using testing::repo;

struct PullsApi : testing::ApiTest {
    void open(int count) {
        for (int i = 0; i < count; ++i) {
            now += seconds{1};
            static_cast<void>(
                model.open_pull({.repo = repo("up/stream"), .author = Login("ann"), .now = now})
                    .value()
            );
        }
    }

    void close(std::int64_t number) {
        now += seconds{1};
        ASSERT_TRUE(model.act(
            {.repo = repo("up/stream"),
             .number = PrNumber{number},
             .verb = PullVerb::closed,
             .by = Login("ann"),
             .now = now}
        ));
    }

    std::vector<std::int64_t> numbers(const std::string& query) {
        const auto reply = call("GET", "/repos/up/stream/pulls?" + query, token("up/stream"));
        EXPECT_EQ(reply.status, 200) << reply.body;
        std::vector<std::int64_t> out;
        const auto parsed = json::parse(reply.body);
        for (const auto& pull : parsed.as_array()) {
            out.push_back(pull.at("number").as_int64());
        }
        return out;
    }
};

TEST_F(PullsApi, ListsThemByStateAndOrder) {
    open(4);
    close(2);

    const struct {
        const char* query;
        std::vector<std::int64_t> numbers;
    } cases[] = {
        {"", {4, 3, 1}},
        {"state=closed", {2}},
        {"state=all", {4, 3, 2, 1}},
        {"state=all&sort=updated", {2, 4, 3, 1}},
        {"state=all&direction=asc", {1, 2, 3, 4}},
        {"base=main", {4, 3, 1}},
        {"base=other", {}},
        {"head=ann:change", {4, 3, 1}},
        {"head=bob:change", {}},
        {"per_page=2", {4, 3}},
        {"per_page=2&page=2", {1}},
        {"per_page=2&page=9", {}},
    };

    for (const auto& c : cases) {
        EXPECT_EQ(numbers(c.query), c.numbers) << c.query;
    }
    EXPECT_EQ(call("GET", "/repos/up/stream/pulls?state=ajar", token("up/stream")).status, 422);
}

TEST_F(PullsApi, LinksThePagesToEachOther) {
    open(5);
    const auto credential = token("up/stream");
    const auto id = static_cast<std::int64_t>(model.repo(repo("up/stream"))->id);
    const auto links = [&](int page) {
        const auto target =
            fmt::format("/repos/up/stream/pulls?state=all&per_page=2&page={}", page);
        return header(call("GET", target, credential), "Link");
    };
    const auto url =
        fmt::format("https://api.github.com/repositories/{}/pulls?state=all&per_page=2&page=", id);
    EXPECT_EQ(links(1), fmt::format("<{0}2>; rel=\"next\", <{0}3>; rel=\"last\"", url));
    EXPECT_EQ(
        links(2),
        fmt::format(
            "<{0}1>; rel=\"prev\", <{0}3>; rel=\"next\", <{0}3>; rel=\"last\", <{0}1>; "
            "rel=\"first\"",
            url
        )
    );
    EXPECT_EQ(links(3), fmt::format("<{0}2>; rel=\"prev\", <{0}1>; rel=\"first\"", url));
    EXPECT_EQ(header(call("GET", "/repos/up/stream/pulls", credential), "Link"), "");
}

TEST_F(PullsApi, ShowsOne) {
    open(1);
    const auto credential = token("up/stream");
    const auto reply = call("GET", "/repos/up/stream/pulls/1", credential);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(json::parse(reply.body).at_pointer("/head/sha").as_string().size(), 40U);
    EXPECT_EQ(call("GET", "/repos/up/stream/pulls/2", credential).status, 404);
    EXPECT_EQ(call("GET", "/repos/up/stream/pulls/x", credential).status, 404);
}

TEST_F(PullsApi, SaysWhenNothingChangedSinceTheyWereRead) {
    open(1);
    const auto credential = token("up/stream");
    const auto first = call("GET", "/repos/up/stream/pulls", credential);
    const net::Headers again{
        {"Authorization", "Bearer " + credential}, {"If-None-Match", header(first, "ETag")}
    };
    const auto unchanged = call_with("GET", "/repos/up/stream/pulls", again);
    EXPECT_EQ(unchanged.status, 304);
    EXPECT_EQ(unchanged.body, "");
    EXPECT_EQ(header(unchanged, "X-RateLimit-Used"), header(first, "X-RateLimit-Used"));
    open(1);
    EXPECT_EQ(call_with("GET", "/repos/up/stream/pulls", again).status, 200);
}

TEST_F(PullsApi, FindsCommitsByWhateverNamesThem) {
    open(1);
    const auto credential = token("up/stream");
    const auto& upstream = *model.repo(repo("up/stream"));
    const auto main = upstream.refs.at("refs/heads/main").head.text();
    const auto head = upstream.pulls.at(PrNumber{1}).head.text();

    const struct {
        std::string ref;
        std::string sha;
    } cases[] = {
        {"main", main},
        {"heads/main", main},
        {"refs%2Fheads%2Fmain", main},
        {main, main},
        {head, head},
        {"pull/1/head", head},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.ref);
        const auto reply = call("GET", "/repos/up/stream/commits/" + c.ref, credential);
        ASSERT_EQ(reply.status, 200) << reply.body;
        EXPECT_EQ(std::string(json::parse(reply.body).at("sha").as_string()), c.sha);
    }
    const auto short_form = call_with(
        "GET",
        "/repos/up/stream/commits/main",
        {{"Authorization", "Bearer " + credential}, {"Accept", "application/vnd.github.sha"}}
    );
    EXPECT_EQ(short_form.body, main);
    const auto unknown = call("GET", "/repos/up/stream/commits/nowhere", credential);
    EXPECT_EQ(unknown.status, 422);
    EXPECT_EQ(message(unknown), "No commit found for SHA: nowhere");
}

TEST_F(PullsApi, ShowsABranch) {
    const auto credential = token("up/stream");
    const auto reply = call("GET", "/repos/up/stream/branches/main", credential);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(
        std::string(json::parse(reply.body).at_pointer("/commit/sha").as_string()),
        model.repo(repo("up/stream"))->refs.at("refs/heads/main").head.text()
    );
    const auto unknown = call("GET", "/repos/up/stream/branches/none", credential);
    EXPECT_EQ(unknown.status, 404);
    EXPECT_EQ(message(unknown), "Branch not found");
}

TEST_F(PullsApi, AsksForTheRightToReadThem) {
    const auto narrow = token("up/stream", R"({"permissions":{"contents":"read"}})");
    EXPECT_EQ(call("GET", "/repos/up/stream/pulls", narrow).status, 403);
    EXPECT_EQ(call("GET", "/repos/up/stream/commits/main", narrow).status, 200);
}

} // namespace
} // namespace baton::sim
