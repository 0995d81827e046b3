#include "baton/crypto/app_jwt.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/net/client.hpp"
#include "baton/net/server.hpp"
#include "baton/sim/sim_server.hpp"
#include "baton/sim/virtual_clock.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using std::chrono::seconds;
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

/// A relay's webhook endpoint that only remembers.
class Inbox {
public:
    struct Letter {
        net::Headers headers;
        std::string body;
    };

    explicit Inbox(int status = 202)
        : server_({.threads = 1, .tls = std::nullopt}, routes(status)) {
        EXPECT_TRUE(server_.start());
    }

    std::string url() const {
        return fmt::format("http://127.0.0.1:{}/github/webhook", server_.port());
    }

    /// Waits until one arrives; the test's own time limit ends a wait in vain.
    Letter next() {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return !letters_.empty(); });
        auto letter = std::move(letters_.front());
        letters_.pop_front();
        return letter;
    }

private:
    std::vector<net::Route> routes(int status) {
        std::vector<net::Route> out;
        out.push_back({
            .method = "POST",
            .path = "/github/webhook",
            .handler = [this,
                        status](net::Request request) { return keep(std::move(request), status); },
            .body_bytes_max = 25U * 1024 * 1024,
        });
        return out;
    }

    asio::awaitable<net::Response> keep(net::Request request, int status) {
        {
            const std::lock_guard lock(mutex_);
            letters_.push_back({.headers = request.head.headers, .body = request.body});
        }
        arrived_.notify_one();
        net::Response response;
        response.status = status;
        response.body = "{}";
        co_return response;
    }

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Letter> letters_;
    net::Server server_;
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

    std::size_t received() {
        return server.with([](SimWorld& world) { return world.model.dispatches().count({}); });
    }

    VirtualClock clock{kStart};
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

/// What the sender reports, one at a time.
class Reports {
public:
    void put(AttemptResult result) {
        {
            const std::lock_guard lock(mutex_);
            results_.push_back(std::move(result));
        }
        arrived_.notify_one();
    }

    AttemptResult next() {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return !results_.empty(); });
        auto result = std::move(results_.front());
        results_.pop_front();
        return result;
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<AttemptResult> results_;
};

struct SenderWorld {
    explicit SenderWorld(HookLetter letter, Millis wait = seconds{10})
        : one(std::move(letter))
        , sender(
              {.next = [this] { return std::exchange(one, std::nullopt); },
               .done = [this](AttemptResult result) { reports.put(std::move(result)); },
               .on_surprise = [](const std::string& what) { ADD_FAILURE() << what; }},
              clock,
              {.wait = wait}
          ) {
        sender.wake();
    }

    VirtualClock clock{kStart};
    Reports reports;
    std::optional<HookLetter> one;
    HookSender sender;
};

HookLetter letter_to(std::string url) {
    auto webhook = std::make_shared<Webhook>();
    webhook->id = DeliveryId("d-1");
    webhook->event = "push";
    webhook->body = "{}";
    return {
        .outgoing = {.delivery = webhook->id},
        .webhook = webhook,
        .target = {.url = std::move(url), .secret = {}},
    };
}

TEST(HookSender, RecordsWhatTheRelayAnswered) {
    Inbox inbox(503);
    SenderWorld world(letter_to(inbox.url()));
    const auto result = world.reports.next();
    EXPECT_EQ(result.status_code, 503);
    EXPECT_EQ(result.status, "Invalid HTTP Response: 503");
    EXPECT_FALSE(inbox.next().headers.find("X-Hub-Signature-256")) << "no secret, no signature";
}

TEST(HookSender, RecordsThatNobodyIsThere) {
    SenderWorld world(letter_to("http://127.0.0.1:1/github/webhook"));
    const auto result = world.reports.next();
    EXPECT_EQ(result.status_code, 502);
    EXPECT_EQ(result.delivery.text(), "d-1");
}

TEST(HookSender, PlaysALostWebhookWithoutSendingIt) {
    auto letter = letter_to("http://127.0.0.1:1/github/webhook");
    letter.outgoing.lost = true;
    SenderWorld world(std::move(letter));
    EXPECT_EQ(world.reports.next().status, "failed to connect to host");
}

TEST(HookSender, GivesUpAfterItsTime) {
    VirtualClock clock(kStart);
    SimServer slow({.model = {.site = {}}, .drop_hold = seconds{5}}, app_key().public_key(), clock);
    ASSERT_TRUE(slow.start());
    slow.with([](SimWorld& world) {
        Fault fault;
        fault.ending = Fault::Ending::drop;
        world.faults.add({.fault = fault});
    });
    SenderWorld world(letter_to(slow.url() + "/anything"), Millis{100});
    const auto result = world.reports.next();
    EXPECT_EQ(result.status_code, 504);
    EXPECT_EQ(result.status, "timed out");
}

} // namespace
} // namespace baton::sim
