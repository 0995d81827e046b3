#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/github_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

using testing::furnish;
using testing::kStart;
using testing::repo;

struct Dispatches : ::testing::Test {
    Dispatches() { furnish(model); }

    DispatchReply dispatch(std::string body, std::string_view to = "down/one") {
        return model.dispatch(model.repo(repo(to))->id, std::move(body), kStart);
    }

    GithubModel model{{.site = {}}};
};

TEST_F(Dispatches, RemembersWhatItAccepted) {
    const std::string body =
        R"({"event_type":"pull_request","client_payload":{"delivery_id":"d-1","payload":{}}})";
    EXPECT_EQ(dispatch(body).status, 204);
    const auto lines = model.dispatches().find({.repo = repo("DOWN/One")});
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].event_type, "pull_request");
    EXPECT_EQ(lines[0].delivery_id, "d-1");
    EXPECT_EQ(lines[0].body, body);
    EXPECT_EQ(lines[0].at, kStart);
}

std::string with_keys(int count) {
    std::string keys;
    for (int i = 0; i < count; ++i) {
        keys += fmt::format("{}\"k{}\":{}", i == 0 ? "" : ",", i, i);
    }
    return fmt::format(R"({{"event_type":"push","client_payload":{{{}}}}})", keys);
}

/// A client_payload of exactly so many bytes.
std::string of_size(std::size_t bytes) {
    const std::string frame = R"({"p":""})";
    return fmt::format(
        R"({{"event_type":"push","client_payload":{{"p":"{}"}}}})",
        std::string(bytes - frame.size(), 'x')
    );
}

TEST_F(Dispatches, ChecksAsGithubDoes) {
    const struct {
        const char* name;
        std::string body;
        int status;
        const char* message;
    } cases[] = {
        {"an event type alone will do", R"({"event_type":"push"})", 204, ""},
        {"an event type of 100 characters",
         fmt::format(R"({{"event_type":"{}"}})", std::string(100, 'e')),
         204,
         ""},
        {"one of 101",
         fmt::format(R"({{"event_type":"{}"}})", std::string(101, 'e')),
         422,
         "Only 100 characters"},
        {"none", R"({"client_payload":{}})", 422, "\"event_type\" wasn't supplied."},
        {"a number for one", R"({"event_type":7})", 422, "not a string"},
        {"a payload that is no object",
         R"({"event_type":"push","client_payload":[1]})",
         422,
         "not an object"},
        {"ten keys", with_keys(10), 204, ""},
        {"eleven keys",
         with_keys(11),
         422,
         "No more than 10 properties are allowed; 11 were supplied."},
        {"65,535 bytes", of_size(65'535), 204, ""},
        {"65,536 bytes", of_size(65'536), 422, "client_payload is too large"},
        {"no JSON", "event_type=push", 400, "Problems parsing JSON"},
        {"a list", "[]", 400, "Body should be a JSON object"},
    };

    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        const auto before = model.dispatches().count({});
        const auto reply = dispatch(each.body);
        EXPECT_EQ(reply.status, each.status);
        EXPECT_NE(reply.message.find(each.message), std::string::npos) << reply.message;
        EXPECT_EQ(model.dispatches().count({}) - before, each.status == 204 ? 1U : 0U);
    }
    EXPECT_EQ(dispatch(R"({"event_type":"push"})", "down/absent").status, 404);
}

TEST_F(Dispatches, CountsRepeatsPerDownstream) {
    const std::string body = R"({"event_type":"push","client_payload":{"delivery_id":"d-1"}})";
    dispatch(body);
    dispatch(body);
    dispatch(body, "down/two");
    const auto& counts = model.dispatches().downstreams();
    EXPECT_EQ(counts.at(repo("down/one")).received, 2U);
    EXPECT_EQ(counts.at(repo("down/one")).repeats, 1U);
    EXPECT_EQ(counts.at(repo("down/two")).repeats, 0U);
    EXPECT_EQ(model.dispatches().count({.repo = repo("down/one"), .delivery_id = "d-1"}), 2U);
    EXPECT_EQ(model.dispatches().count({.delivery_id = "d-1"}), 3U);
}

TEST(DispatchLog, ForgetsOldBodiesButNoLines) {
    DispatchLog log(2);
    for (int i = 0; i < 5; ++i) {
        log.add({.repo = repo("down/one"), .body = "bytes"});
    }
    const auto lines = log.find({});
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(std::ranges::count(lines, std::string("bytes"), &ReceivedDispatch::body), 2);
    EXPECT_EQ(lines.back().body, "bytes");
}

} // namespace
} // namespace baton::sim
