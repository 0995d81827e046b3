#include "baton/crypto/app_jwt.hpp"
#include "baton/crypto/jws.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/net/client.hpp"
#include "baton/sim/sim_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "support/manual_clock.hpp"
#include "unit/sim/inbox.hpp"
#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using std::chrono::seconds;
using testing::Inbox;
using testing::kStart;
using testing::repo;
using testing::Spawned;

const crypto::AppKey& app_key() {
    static const auto key = crypto::AppKey::parse(crypto::make_rsa_key_pair().private_pem).value();
    return key;
}

using Reply = tl::expected<net::ClientReply, net::ClientFailure>;

asio::awaitable<Reply> sent(net::Client* client, net::ClientRequest request, Millis wait) {
    co_return co_await client->send(std::move(request), wait);
}

/// Talks to the simulator as a relay and as a test would.
class Caller {
public:
    explicit Caller(const std::string& url)
        : client_(net::Client::make(io_.get_executor(), {.base_url = url, .ca_file = {}}).value()) {
    }

    Reply call(
        std::string method, std::string target, std::string body = {}, std::string credential = {}
    ) {
        net::ClientRequest request{
            .method = std::move(method), .target = std::move(target), .body = std::move(body)
        };
        if (!credential.empty()) {
            request.headers.add("Authorization", "Bearer " + credential);
        }
        const auto done = std::make_shared<std::optional<Reply>>();
        asio::co_spawn(
            io_,
            sent(client_.get(), std::move(request), wait),
            [done](const std::exception_ptr&, Reply reply) { *done = std::move(reply); }
        );
        io_.restart();
        while (!*done) {
            io_.run_one();
        }
        return **done;
    }

    Millis wait{seconds{10}};

private:
    asio::io_context io_;
    std::unique_ptr<net::Client> client_;
};

struct Simulator : ::testing::Test {
    Simulator() {
        EXPECT_TRUE(server.start());
        server.with([](SimWorld& world) { testing::furnish(world.model); });
        caller.emplace(server.url());
    }

    std::string token() {
        const auto jwt = crypto::make_app_jwt(app_key(), 12345, kStart).token;
        const auto found = caller->call("GET", "/repos/down/one/installation", "", jwt);
        const auto id = json::parse(found->body).at("id").as_int64();
        const auto reply =
            caller->call("POST", fmt::format("/app/installations/{}/access_tokens", id), "", jwt);
        return std::string(json::parse(reply->body).at("token").as_string());
    }

    Reply dispatch(const std::string& credential) {
        return caller->call(
            "POST", "/repos/down/one/dispatches", R"({"event_type":"push"})", credential
        );
    }

    json::value order(std::string method, std::string path, std::string body = {}) {
        const auto reply = caller->call(std::move(method), "/_sim" + path, std::move(body));
        EXPECT_TRUE(reply && reply->status == 200) << (reply ? reply->body : reply.error().detail);
        return json::parse(reply->body);
    }

    /// Other threads work meanwhile.
    template <class Holds> bool comes_true(Holds holds) {
        for (int i = 0; i < 1'000'000; ++i) {
            if (server.with(holds)) {
                return true;
            }
            std::this_thread::yield();
        }
        return false;
    }

    std::size_t received() {
        return server.with([](SimWorld& world) { return world.model.dispatches().count({}); });
    }

    test::ManualClock clock{kStart};
    SimServer server{
        {.model = {.site = {}}, .drop_hold = seconds{5}}, app_key().public_key(), clock
    };
    std::optional<Caller> caller;
};

TEST_F(Simulator, TakesADispatchFromTheFirstTokenToTheLastByte) {
    const auto credential = token();
    const auto reply = dispatch(credential);
    ASSERT_TRUE(reply) << reply.error().detail;
    EXPECT_EQ(reply->status, 204);
    EXPECT_EQ(received(), 1U);
    const auto seen = order("GET", "/requests");
    EXPECT_EQ(seen.at_pointer("/requests/dispatches").as_int64(), 1);
    EXPECT_EQ(seen.at_pointer("/requests/access_tokens").as_int64(), 1);
}

TEST_F(Simulator, WritesItsOwnAddressIntoItsAnswers) {
    const auto reply = caller->call("GET", "/repos/down/one", "", token());
    const std::string url(json::parse(reply->body).at("url").as_string());
    EXPECT_EQ(url, server.url() + "/repos/down/one");
}

TEST_F(Simulator, LosesARepliesConnectionAfterTheEffect) {
    const auto credential = token();
    order("POST", "/faults", R"({"route":"dispatches","kind":"lost_reply","times":1})");
    const auto lost = dispatch(credential);
    ASSERT_FALSE(lost);
    EXPECT_TRUE(lost.error().maybe_sent);
    EXPECT_EQ(received(), 1U);
    EXPECT_EQ(dispatch(credential)->status, 204);
}

TEST_F(Simulator, ResetsBeforeTheEffect) {
    const auto credential = token();
    order("POST", "/faults", R"({"route":"dispatches","kind":"reset","times":1})");
    EXPECT_FALSE(dispatch(credential));
    EXPECT_EQ(received(), 0U);
}

TEST_F(Simulator, BreaksOffInTheMiddleOfAnAnswer) {
    const auto credential = token();
    order("POST", "/faults", R"({"route":"repo","kind":"cut_body","times":1})");
    const auto cut = caller->call("GET", "/repos/down/one", "", credential);
    ASSERT_FALSE(cut);
    EXPECT_TRUE(cut.error().maybe_sent);
    EXPECT_EQ(caller->call("GET", "/repos/down/one", "", credential)->status, 200);
    order("POST", "/faults", R"({"route":"dispatches","kind":"cut_body","times":1})");
    EXPECT_FALSE(dispatch(credential)) << "an answer without a body is lost as a whole";
    EXPECT_EQ(received(), 1U);
}

TEST_F(Simulator, CountsWhatIsUnderWayUntilItIsAnswered) {
    const auto credential = token();
    order("POST", "/limits", R"({"concurrent":1})");
    EXPECT_EQ(dispatch(credential)->status, 204);
    EXPECT_EQ(dispatch(credential)->status, 204) << "the first one is over";
    order("POST", "/faults", R"({"route":"dispatches","kind":"delay","delay_ms":5000,"times":1})");
    caller->wait = Millis{100};
    EXPECT_FALSE(dispatch(credential)) << "we gave up; GitHub is still at it";
    caller->wait = seconds{10};
    const auto over = dispatch(credential);
    ASSERT_TRUE(over);
    EXPECT_EQ(over->status, 403);
    EXPECT_EQ(over->headers.find("Retry-After"), "60");
    EXPECT_EQ(order("GET", "/limits").at_pointer("/answers/concurrent").as_int64(), 1);
}

TEST_F(Simulator, AnswersLateOrNever) {
    const auto credential = token();
    order("POST", "/faults", R"({"route":"dispatches","kind":"drop","times":1})");
    caller->wait = Millis{100};
    const auto never = dispatch(credential);
    ASSERT_FALSE(never);
    EXPECT_EQ(never.error().code, Errc::timed_out);
    caller->wait = seconds{10};
    order("POST", "/faults", R"({"route":"dispatches","kind":"delay","delay_ms":60,"times":1})");
    EXPECT_EQ(dispatch(credential)->status, 204);
    EXPECT_EQ(received(), 1U);
}

TEST_F(Simulator, ThrottlesWithATime) {
    const auto credential = token();
    order(
        "POST",
        "/faults",
        R"({"route":"dispatches","kind":"throttle","retry_after_s":17,"times":1})"
    );
    const auto reply = dispatch(credential);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 403);
    EXPECT_EQ(reply->headers.find("Retry-After"), "17");
    EXPECT_EQ(received(), 0U);
}

TEST_F(Simulator, SendsSignedWebhooks) {
    Inbox inbox;
    order("POST", "/webhooks", fmt::format(R"({{"url":"{}","secret":"swordfish"}})", inbox.url()));
    const auto pull = order("POST", "/pulls", R"({"repo":"up/stream","author":"ann"})");
    const auto letter = inbox.next();
    EXPECT_EQ(letter.headers.find("X-GitHub-Event"), "pull_request");
    EXPECT_EQ(
        letter.headers.find("X-GitHub-Delivery"),
        std::string_view(pull.at("delivery_id").as_string())
    );
    EXPECT_EQ(letter.headers.find("X-GitHub-Hook-Installation-Target-ID"), "12345");
    EXPECT_EQ(letter.headers.find("Content-Type"), "application/json");
    crypto::SignatureCheck check(crypto::SignatureKeys::make({"swordfish"}).value());
    check.update(letter.body);
    EXPECT_TRUE(check.finish(letter.headers.find("X-Hub-Signature-256").value_or("")));
    EXPECT_EQ(json::parse(letter.body).at("number").as_int64(), 1);
}

TEST_F(Simulator, SendsOneDeliveryAgainOnlyWhenAsked) {
    Inbox inbox;
    order("POST", "/webhooks", fmt::format(R"({{"url":"{}"}})", inbox.url()));
    order("POST", "/pulls", R"({"repo":"up/stream","author":"ann"})");
    const auto first = inbox.next();
    order(
        "POST",
        "/webhooks/redeliver",
        fmt::format(R"({{"delivery":"{}"}})", *first.headers.find("X-GitHub-Delivery"))
    );
    const auto second = inbox.next();
    EXPECT_EQ(second.headers.find("X-GitHub-Delivery"), first.headers.find("X-GitHub-Delivery"));
    EXPECT_EQ(second.body, first.body);
}

TEST_F(Simulator, RedeliversThroughTheApiAndShowsWhatWentOverTheWire) {
    Inbox inbox;
    order("POST", "/webhooks", fmt::format(R"({{"url":"{}","secret":"s"}})", inbox.url()));
    order("POST", "/pulls", R"({"repo":"up/stream","author":"ann"})");
    const auto first = inbox.next();
    const auto jwt = crypto::make_app_jwt(app_key(), 12345, kStart).token;
    const auto log = [&] {
        const auto reply = caller->call("GET", "/app/hook/deliveries", "", jwt);
        return json::parse(reply->body).as_array();
    };
    while (log().empty()
    ) { // the answer to the webhook is on its way; the test's time limit bounds it
    }
    const auto id = log().at(0).at("id").as_int64();
    const auto asked =
        caller->call("POST", fmt::format("/app/hook/deliveries/{}/attempts", id), "", jwt);
    EXPECT_EQ(asked->status, 202);
    const auto second = inbox.next();
    EXPECT_EQ(second.body, first.body);
    EXPECT_EQ(second.headers.find("X-GitHub-Delivery"), first.headers.find("X-GitHub-Delivery"));
    while (log().size() < 2) {
    }
    const auto lines = log();
    EXPECT_TRUE(lines.at(0).at("redelivery").as_bool());
    EXPECT_FALSE(lines.at(1).at("redelivery").as_bool());
    const auto shown = caller->call("GET", fmt::format("/app/hook/deliveries/{}", id), "", jwt);
    const auto detail = json::parse(shown->body);
    EXPECT_EQ(std::string(detail.at("url").as_string()), inbox.url());
    EXPECT_EQ(detail.at_pointer("/request/headers/X-GitHub-Event").as_string(), "pull_request");
    EXPECT_TRUE(detail.at_pointer("/response/payload").is_string());
}

TEST_F(Simulator, HoldsWebhooksWhilePaused) {
    Inbox inbox;
    order("POST", "/webhooks", fmt::format(R"({{"url":"{}","paused":true}})", inbox.url()));
    for (int i = 0; i < 40; ++i) {
        order("POST", "/pulls", R"({"repo":"up/stream","author":"ann"})");
    }
    EXPECT_EQ(order("GET", "/webhooks").at("waiting").as_int64(), 40);
    order("POST", "/webhooks", R"({"paused":false})");
    for (int i = 0; i < 40; ++i) { // more than are sent at a time
        EXPECT_EQ(inbox.next().headers.find("X-GitHub-Event"), "pull_request");
    }
}

/// A dispatch of ours, as far as a downstream reads it.
constexpr auto* kTold = R"({"event_type":"push","client_payload":{"event_type":"push",
    "delivery_id":"d-1","callback_token":"bt1","payload":{"after":"abc"}}})";

TEST_F(Simulator, PlaysADownstreamThatReportsToTheRelayWithATokenOfItsRun) {
    Inbox relay({.status = 200, .path = "/github/callback", .answer = R"({"proceed":true})"});
    order(
        "POST",
        "/scripts",
        fmt::format(
            R"({{"repo":"down/one","script":"pass","callback_url":"{}","audience":"a",)"
            R"("queue_ms":0,"work_ms":0}})",
            relay.url()
        )
    );
    EXPECT_EQ(caller->call("POST", "/repos/down/one/dispatches", kTold, token())->status, 204);
    const auto start = relay.next();
    const auto end = relay.next();
    EXPECT_EQ(json::parse(start.body).at("workflow").at("status").as_string(), "in_progress");
    const auto body = json::parse(end.body);
    EXPECT_EQ(body.at("workflow").at("conclusion").as_string(), "success");
    EXPECT_EQ(body.at("callback_token").as_string(), "bt1");

    std::string bearer(end.headers.find("Authorization").value_or(""));
    const auto jws = crypto::take_apart(bearer.substr(std::string_view("Bearer ").size()));
    ASSERT_TRUE(jws);
    const auto claims = json::parse(jws->payload);
    EXPECT_EQ(claims.at("aud").as_string(), "a");
    EXPECT_EQ(claims.at("run_id"), body.at("workflow").at("run_id"));
    EXPECT_EQ(claims.at("iss").as_string(), server.url() + "/_oidc");

    EXPECT_TRUE(comes_true([](SimWorld& world) { return world.downstreams.open() == 0; }));
    const auto reports = order("GET", "/reports");
    EXPECT_EQ(reports.at("downstreams").at("down/one").at("accepted").as_int64(), 2);
    const auto& newest = reports.at("reports").at(0);
    EXPECT_EQ(newest.at("conclusion").as_string(), "success");
    EXPECT_EQ(newest.at("answer").at("status").as_int64(), 200);
    EXPECT_EQ(order("GET", "/scripts").at("scripts").at("down/one").as_string(), "pass");
}

TEST_F(Simulator, SaysItAgainWhenTheRelayIsAway) {
    Inbox relay({.status = 503, .path = "/github/callback"});
    order(
        "POST",
        "/scripts",
        fmt::format(
            R"({{"repo":"down/one","script":"crash","callback_url":"{}","queue_ms":0}})",
            relay.url()
        )
    );
    EXPECT_EQ(caller->call("POST", "/repos/down/one/dispatches", kTold, token())->status, 204);
    const auto first = relay.next();
    EXPECT_TRUE(comes_true([](SimWorld& world) { return world.downstreams.next_due().has_value(); })
    );
    clock.advance(seconds{1});
    server.with([](SimWorld&) {}); // whoever looks wakes the reporter
    EXPECT_EQ(relay.next().body, first.body);
}

} // namespace
} // namespace baton::sim
