#include "baton/sim/sim_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/sim/control_support.hpp"
#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace json = boost::json;
using testing::kStart;
using testing::repo;

struct Control : testing::ControlTest {};

TEST_F(Control, BuildsAWorldAndOpensAPullRequest) {
    furnish();
    ok("POST", "/permissions", R"({"repo":"up/stream","login":"bob","permission":"triage"})");
    ok("POST", "/files", R"({"repo":"up/stream","path":"list.yml","text":"L1: [down/one]"})");
    const auto pull =
        ok("POST", "/pulls", R"({"repo":"up/stream","author":"ann","labels":["x"],"draft":true})");
    EXPECT_EQ(pull.at("number").as_int64(), 1);
    EXPECT_EQ(pull.at("head_sha").as_string().size(), 40U);
    EXPECT_EQ(world.outbox.waiting(), 1U);
    const auto* const stored = world.model.pull(repo("up/stream"), PrNumber{1});
    ASSERT_NE(stored, nullptr);
    EXPECT_EQ(stored->labels, std::vector<std::string>{"x"});
    EXPECT_TRUE(stored->draft);
    EXPECT_EQ(
        world.model.permission(*world.model.repo(repo("up/stream")), Login("bob")),
        domain::Permission::triage
    );
    const auto closed =
        ok("POST", "/pulls/act", R"({"repo":"up/stream","number":1,"action":"closed","by":"bob"})");
    EXPECT_EQ(closed.at("action").as_string(), "closed");
    const auto pushed = ok(
        "POST", "/pushes", R"({"repo":"up/stream","files":{"a.txt":"A","b.txt":null},"commits":2})"
    );
    EXPECT_EQ(pushed.at("event").as_string(), "push");
    EXPECT_EQ(world.outbox.waiting(), 3U);
}

TEST_F(Control, RefusesWithAReason) {
    furnish();

    const struct {
        const char* name;
        const char* method;
        const char* path;
        const char* body;
        int status;
    } cases[] = {
        {"unknown call", "POST", "/nonsense", "{}", 404},
        {"unknown method", "PUT", "/repos", "{}", 404},
        {"no JSON", "POST", "/repos", "nonsense", 400},
        {"no object", "POST", "/repos", "[]", 400},
        {"bad name", "POST", "/repos", R"({"repo":"alone"})", 400},
        {"taken name", "POST", "/repos", R"({"repo":"Up/Stream"})", 409},
        {"wrong type", "POST", "/repos", R"({"repo":"a/b","private":"yes"})", 400},
        {"unknown repository", "POST", "/pulls", R"({"repo":"no/where"})", 404},
        {"unknown pull request",
         "POST",
         "/pulls/act",
         R"({"repo":"up/stream","number":9,"action":"closed"})",
         404},
        {"unknown action",
         "POST",
         "/pulls/act",
         R"({"repo":"up/stream","number":1,"action":"eaten"})",
         400},
        {"unknown fault", "POST", "/faults", R"({"kind":"gremlin"})", 400},
        {"bad probability", "POST", "/faults", R"({"kind":"reset","probability":2})", 400},
        {"bad webhook address", "POST", "/webhooks", R"({"url":"nonsense"})", 400},
        {"unknown algorithm", "POST", "/oidc", R"({"algorithm":"none"})", 400},
        {"run of nobody", "POST", "/runs", R"({"repo":"no/where"})", 404},
        {"unknown script",
         "POST",
         "/scripts",
         R"({"repo":"down/one","script":"dance","callback_url":"http://127.0.0.1:1/x"})",
         400},
        {"script of nobody",
         "POST",
         "/scripts",
         R"({"repo":"no/where","script":"pass","callback_url":"http://127.0.0.1:1/x"})",
         404},
        {"script without a relay", "POST", "/scripts", R"({"repo":"down/one","script":"pass"})", 400
        },
        {"nightly of nothing",
         "POST",
         "/scripts",
         R"({"repo":"down/one","script":"nightly","callback_url":"http://127.0.0.1:1/x"})",
         400},
        {"going back in time",
         "POST",
         "/scripts",
         R"({"repo":"down/one","script":"pass","callback_url":"http://127.0.0.1:1/x","work_ms":-1})",
         400},
        {"unknown delivery", "POST", "/webhooks/redeliver", R"({"delivery":"d"})", 404},
    };

    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        const auto reply = call(each.method, each.path, each.body);
        EXPECT_EQ(reply.status, each.status) << reply.body;
        EXPECT_TRUE(json::parse(reply.body).as_object().contains("detail"));
    }
    EXPECT_TRUE(world.faults.rules().empty());
}

TEST_F(Control, SetsFaults) {
    ok("POST",
       "/faults",
       R"({"route":"dispatches","repo":"down/one","kind":"status","status":503,"times":2})");
    const auto fault = world.faults.decide("dispatches", repo("down/one"));
    EXPECT_EQ(fault.status, 503);
    EXPECT_FALSE(fault.perform);
    const auto listed = ok("GET", "/faults");
    EXPECT_EQ(listed.at_pointer("/faults/0/fired").as_int64(), 1);
    ok("DELETE", "/faults");
    ok("POST", "/faults", R"({"kind":"throttle","retry_after_s":7})");
    EXPECT_EQ(world.faults.decide("app", std::nullopt).retry_after, std::chrono::seconds{7});
    ok("DELETE", "/faults");
    ok("POST", "/faults", R"({"kind":"lost_reply","delay_ms":30})");
    const auto lost = world.faults.decide("app", std::nullopt);
    EXPECT_TRUE(lost.perform);
    EXPECT_EQ(lost.ending, Fault::Ending::reset);
    EXPECT_EQ(lost.delay, Millis{30});
}

TEST_F(Control, CountsWhatDownstreamsReceived) {
    furnish();
    const auto id = world.model.repo(repo("down/one"))->id;
    const std::string body = R"({"event_type":"push","client_payload":{"delivery_id":"d-1"}})";
    world.model.dispatch(id, body, kStart);
    world.model.dispatch(id, body, kStart);
    const auto lines = ok("GET", "/dispatches", "", "repo=down%2Fone&delivery=d-1&bodies=1");
    EXPECT_EQ(lines.at("count").as_int64(), 2);
    EXPECT_EQ(lines.at_pointer("/dispatches/1/body/client_payload/delivery_id").as_string(), "d-1");
    EXPECT_EQ(ok("GET", "/dispatches", "", "delivery=other").at("count").as_int64(), 0);
    const auto downstreams = ok("GET", "/downstreams");
    EXPECT_EQ(downstreams.at_pointer("/downstreams/down~1one/repeats").as_int64(), 1);
    ok("DELETE", "/dispatches");
    EXPECT_EQ(ok("GET", "/dispatches").at("count").as_int64(), 0);
}

TEST_F(Control, RefusesArgumentsThatNoCallKnows) {
    const struct {
        const char* method;
        const char* path;
        const char* body;
        const char* query;
        const char* sentence;
    } cases[] = {
        {"POST", "/repos", R"({"repo":"a/b","instaled":true})", "", "did you mean \"installed\"?"},
        {"POST", "/repos/rename", R"({"repo":"a/b","zebra":1})", "", "this call takes: repo, to"},
        {"GET", "/dispatches", "", "delivry=1", "did you mean \"delivery\"?"},
        {"GET", "/health", "", "x", "this call takes none"},
    };

    for (const auto& c : cases) {
        const auto reply = call(c.method, c.path, c.body, c.query);
        EXPECT_EQ(reply.status, 400) << c.path;
        const auto detail = json::parse(reply.body).at("detail").as_string();
        EXPECT_NE(detail.find(c.sentence), std::string::npos) << detail;
    }
    EXPECT_EQ(world.model.repo(repo("a/b")), nullptr) << "nothing was done";
}

TEST_F(Control, EndsEveryBodyWithANewLine) {
    EXPECT_TRUE(call("GET", "/health").body.ends_with("}\n"));
    EXPECT_TRUE(call("GET", "/nonsense").body.ends_with("}\n"));
}

TEST_F(Control, SetsShowsAndLiftsLimits) {
    ok("POST", "/limits", R"({"published":true,"concurrent":7,"content_routes":["dispatches"]})");
    const auto shown = ok("GET", "/limits");
    EXPECT_EQ(shown.at("per_hour").as_int64(), 5000);
    EXPECT_EQ(shown.at("concurrent").as_int64(), 7);
    EXPECT_EQ(shown.at("points_per_minute").as_int64(), 900);
    EXPECT_EQ(shown.at("content_per_minute").as_int64(), 80);
    EXPECT_EQ(shown.at("content_per_hour").as_int64(), 500);
    EXPECT_EQ(shown.at("content_routes").as_array().size(), 1U);
    EXPECT_EQ(shown.at_pointer("/answers/primary").as_int64(), 0);
    EXPECT_EQ(call("POST", "/limits", R"({"status":418})").status, 400);
    EXPECT_EQ(call("POST", "/limits", R"({"concurrent":0})").status, 400);
    ok("DELETE", "/limits");
    EXPECT_TRUE(ok("GET", "/limits").at("concurrent").is_null());
    EXPECT_EQ(ok("GET", "/limits").at("per_hour").as_int64(), 1'000'000);
}

TEST_F(Control, CountsRequestsByRoute) {
    world.hear({.method = "GET", .path = "/app"}, kStart);
    world.hear({.method = "GET", .path = "/app"}, kStart);
    EXPECT_EQ(ok("GET", "/requests").at_pointer("/requests/app").as_int64(), 2);
    ok("DELETE", "/requests");
    EXPECT_TRUE(ok("GET", "/requests").at("requests").as_object().empty());
}

TEST_F(Control, AnnouncesRateLimits) {
    furnish();
    ok("POST", "/rate_limits", R"({"repo":"down/one","limit":5000,"remaining":0,"reset_in_s":120})"
    );
    const auto& limit = world.model.rate_limit(
        world.model.installation_of(*world.model.repo(repo("down/one"))), kStart
    );
    EXPECT_EQ(limit.remaining(), 0);
    EXPECT_EQ(limit.reset_at, kStart + std::chrono::minutes{2});
}

TEST_F(Control, HoldsAndDisturbsWebhooks) {
    furnish();
    ok("POST",
       "/webhooks",
       R"({"paused":true,"url":"http://127.0.0.1:1/github/webhook","secret":"s"})");
    ok("POST", "/pulls", R"({"repo":"up/stream"})");
    EXPECT_FALSE(world.outbox.take());
    const auto shown = ok("GET", "/webhooks");
    EXPECT_EQ(shown.at("waiting").as_int64(), 1);
    EXPECT_TRUE(shown.at("paused").as_bool());
    ok("POST", "/webhooks", R"({"paused":false})");
    EXPECT_EQ(world.target.secret, "s") << "what is not named stays";
    EXPECT_TRUE(world.outbox.take());
}

TEST(HookOutbox, SendsInOrderUnlessTold) {
    HookOutbox outbox(1);
    for (const auto* id : {"a", "b", "c"}) {
        outbox.put(DeliveryId(id));
    }
    EXPECT_EQ(outbox.take()->delivery.text(), "a");
    EXPECT_EQ(outbox.take()->delivery.text(), "b");
    EXPECT_EQ(outbox.take()->delivery.text(), "c");
    EXPECT_FALSE(outbox.take());
}

TEST(HookOutbox, DuplicatesAndLoses) {
    HookOutbox outbox(1);
    outbox.set({.duplicate = 1.0});
    outbox.put(DeliveryId("a"));
    EXPECT_EQ(outbox.waiting(), 2U);
    outbox.set({.lose = 1.0});
    outbox.put(DeliveryId("b"));
    EXPECT_FALSE(outbox.take()->lost);
    EXPECT_FALSE(outbox.take()->lost);
    EXPECT_TRUE(outbox.take()->lost);
}

std::string order(std::uint64_t seed) {
    HookOutbox outbox(seed);
    outbox.set({.paused = true, .reorder = 0.5});
    for (const auto* id : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
        outbox.put(DeliveryId(id));
    }
    outbox.set({.paused = false, .reorder = 0.5});
    std::string out;
    while (const auto next = outbox.take()) {
        out += next->delivery.text();
    }
    return out;
}

TEST(HookOutbox, ReordersFromTheSeed) {
    EXPECT_EQ(order(2), order(2));
    EXPECT_NE(order(2), "abcdefgh");
    EXPECT_EQ(order(2).size(), 8U);
}

TEST_F(Control, ANightlyReportsTheUpstreamsHeadAtOnce) {
    furnish();
    const auto reply =
        ok("POST",
           "/scripts",
           R"({"repo":"down/one","script":"nightly","callback_url":"http://127.0.0.1:1/x",)"
           R"("upstream":"up/stream","work_ms":0})");
    const auto* const upstream = world.model.repo(repo("up/stream"));
    EXPECT_EQ(
        reply.at("delivery_id").as_string(), upstream->refs.at("refs/heads/main").head.text()
    );
    EXPECT_EQ(ok("GET", "/scripts").at("open").as_int64(), 1);
    ok("DELETE", "/scripts");
    EXPECT_TRUE(ok("GET", "/scripts").at("scripts").as_object().empty());
    ok("DELETE", "/reports");
    EXPECT_EQ(ok("GET", "/reports", "", "repo=down/one&limit=1").at("open").as_int64(), 1);
}

} // namespace
} // namespace baton::sim
