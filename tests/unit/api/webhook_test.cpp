// Every row of the table in SPEC section 6, over real sockets.

#include "baton/api/webhook.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/net/client.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/journal.hpp"
#include "baton/relay/intake.hpp"
#include "baton/sim/crash_points.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/stepped_store.hpp"
#include "baton/sim/virtual_clock.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/memory_journal.hpp"
#include "support/run_coroutine.hpp"

namespace baton::api {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
const RepoName kUpstream = *RepoName::parse("up/stream");

std::string signature(std::string_view secret, std::string_view body) {
    return "sha256=" + crypto::to_hex(crypto::view_of(crypto::HmacKey(secret).sign(body)));
}

class WebhookEndpoint : public ::testing::Test {
protected:
    WebhookEndpoint()
        : life_(std::make_shared<sim::Incarnation>([this](std::string_view) {
            return full_ ? sim::Step::Order::fail : sim::Step::Order::go_on;
        }))
        , stepped_(store_, life_)
        , intake_(
              {.upstreams = {kUpstream}},
              {.store = stepped_, .clock = clock_, .on_accepted = [this] { ++wakes_; }}
          )
        , keys_(*crypto::SignatureKeys::make({"old secret", "new secret"}))
        , server_(
              {},
              {webhook_route(
                  {.intake = intake_, .keys = keys_, .clock = clock_, .journal = journal_}
              )}
          ) {
        EXPECT_TRUE(model_.create_repo({.name = kUpstream, .now = kNow}));
        EXPECT_TRUE(server_.start());
    }

    ~WebhookEndpoint() override { server_.stop(1s); }

    net::ClientReply send(
        std::string method,
        net::Headers headers,
        std::string body,
        std::string path = "/github/webhook"
    ) {
        const auto client = *net::Client::make(
            io_.get_executor(), {.base_url = fmt::format("http://127.0.0.1:{}", server_.port())}
        );
        net::ClientRequest request{
            .method = std::move(method),
            .target = std::move(path),
            .headers = std::move(headers),
            .body = std::move(body)
        };
        auto reply = test::run(io_, client->send(std::move(request), 20s));
        EXPECT_TRUE(reply && reply->has_value())
            << (reply && !*reply ? reply->error().detail : "no reply");
        return reply && *reply ? **reply : net::ClientReply{};
    }

    net::ClientReply deliver(
        const std::string& id,
        const std::string& event,
        const std::string& body,
        const std::string& secret = "new secret"
    ) {
        return send(
            "POST",
            {{"X-GitHub-Event", event},
             {"X-GitHub-Delivery", id},
             {"X-Hub-Signature-256", signature(secret, body)},
             {"Content-Type", "application/json"}},
            body
        );
    }

    sim::Webhook opened() {
        return *model_.open_pull({.repo = kUpstream, .author = Login("ann"), .now = kNow});
    }

    std::size_t stored() {
        boost::asio::io_context aside;
        return (**test::run(aside, store_.counts())).deliveries;
    }

    boost::asio::io_context io_;
    sim::VirtualClock clock_{kNow};
    sim::GithubModel model_{sim::GithubModel::Options{}};
    store::MemoryStore store_;
    std::atomic<bool> full_{false};
    std::shared_ptr<sim::Incarnation> life_;
    sim::SteppedStore stepped_;
    std::atomic<int> wakes_{0};
    test::MemoryJournal journal_;
    relay::Intake intake_;
    WebhookKeys keys_;
    net::Server server_;
};

TEST_F(WebhookEndpoint, AcceptsANewEventOnceItIsStored) {
    const auto webhook = opened();
    const auto reply = deliver(webhook.id.text(), webhook.event, webhook.body);
    EXPECT_EQ(reply.status, 202);
    EXPECT_EQ(
        reply.body,
        fmt::format(R"({{"ok":true,"accepted":true,"delivery_id":"{}"}})", webhook.id.text())
    );
    EXPECT_EQ(stored(), 1U);
    EXPECT_EQ(wakes_, 1);
}

TEST_F(WebhookEndpoint, CallsTheSameDeliveryADuplicateAndDoesNothingElse) {
    const auto webhook = opened();
    deliver(webhook.id.text(), webhook.event, webhook.body);
    const auto again = deliver(webhook.id.text(), webhook.event, webhook.body);
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(again.body, R"({"ok":true,"duplicate":true})");
    EXPECT_EQ(stored(), 1U);
    EXPECT_EQ(wakes_, 1);
}

TEST_F(WebhookEndpoint, IgnoresWhatDoesNotConcernUsAndSaysWhy) {
    struct Case {
        std::string event;
        std::string body;
        std::string reason;
    };

    const std::vector<Case> cases{
        {"ping", R"({"zen":"calm"})", "ping"},
        {"star",
         R"({"action":"created","repository":{"full_name":"up/stream"}})",
         "event not handled"},
        {"push",
         R"({"ref":"refs/heads/x","before":"0000000000000000000000000000000000000001","after":"0000000000000000000000000000000000000002","deleted":false,"repository":{"full_name":"other/one"},"sender":{"login":"a"}})",
         "repository is not an upstream"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.event);
        const auto reply = deliver("d-" + c.event, c.event, c.body);
        EXPECT_EQ(reply.status, 200);
        EXPECT_EQ(reply.body, fmt::format(R"({{"ignored":true,"reason":"{}"}})", c.reason));
    }
    EXPECT_EQ(stored(), 0U);
}

TEST_F(WebhookEndpoint, RefusesARequestWithoutASignature) {
    const auto reply = send("POST", {{"X-GitHub-Event", "ping"}, {"X-GitHub-Delivery", "d"}}, "{}");
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.body, R"({"detail":"No signature"})");
}

TEST_F(WebhookEndpoint, RefusesAWrongSignatureWhateverTheBodyIs) {
    for (const std::string& value :
         {signature("guess", "{}"),
          std::string("sha256="),
          std::string("sha1=abc"),
          std::string("\xff\xfe")}) {
        const auto reply = send(
            "POST",
            {{"X-GitHub-Event", "ping"}, {"X-GitHub-Delivery", "d"}, {"X-Hub-Signature-256", value}
            },
            "{}"
        );
        EXPECT_EQ(reply.status, 401);
        EXPECT_EQ(reply.body, R"({"detail":"Bad signature"})");
    }
}

TEST_F(WebhookEndpoint, RefusesTwoSignaturesEvenIfOneIsGood) {
    const auto good = signature("new secret", "{}");
    const auto reply = send(
        "POST",
        {{"X-GitHub-Delivery", "d"},
         {"X-Hub-Signature-256", good},
         {"X-Hub-Signature-256", signature("x", "{}")}},
        "{}"
    );
    EXPECT_EQ(reply.status, 401);
}

TEST_F(WebhookEndpoint, TakesEveryConfiguredSecretAndNewOnesAfterAReload) {
    const auto webhook = opened();
    EXPECT_EQ(deliver("a", webhook.event, webhook.body, "old secret").status, 202);
    EXPECT_EQ(deliver("b", webhook.event, webhook.body, "new secret").status, 202);
    EXPECT_EQ(deliver("c", webhook.event, webhook.body, "third").status, 401);
    keys_.replace(*crypto::SignatureKeys::make({"third"}));
    EXPECT_EQ(deliver("c", webhook.event, webhook.body, "third").status, 202);
    EXPECT_EQ(deliver("d", webhook.event, webhook.body, "old secret").status, 401);
}

TEST_F(WebhookEndpoint, RefusesASignedBodyThatIsNotAnObjectInJson) {
    EXPECT_EQ(deliver("a", "push", "not json").body, R"({"detail":"Invalid JSON body"})");
    EXPECT_EQ(deliver("a", "push", "[1]").body, R"({"detail":"Body is not a JSON object"})");
    EXPECT_EQ(deliver("a", "push", "").status, 400);
    EXPECT_EQ(stored(), 0U);
}

TEST_F(WebhookEndpoint, NamesTheFieldThatIsMissing) {
    const auto reply = deliver(
        "a", "pull_request", R"({"action":"opened","repository":{"full_name":"up/stream"}})"
    );
    EXPECT_EQ(reply.status, 400);
    EXPECT_NE(reply.body.find("/pull_request"), std::string::npos) << reply.body;
}

TEST_F(WebhookEndpoint, RefusesARequestWithoutADeliveryId) {
    const std::string body = opened().body;
    for (const std::string& id :
         {std::string(), std::string(limits::kDeliveryIdBytesMax + 1, 'x'), std::string("two words")
         }) {
        const auto reply = deliver(id, "pull_request", body);
        EXPECT_EQ(reply.status, 400);
        EXPECT_EQ(reply.body, R"({"detail":"No delivery id"})");
    }
}

TEST_F(WebhookEndpoint, RefusesABodyOfMoreThan25MiB) {
    const std::string body(limits::kWebhookBodyBytesMax + 1, ' ');
    EXPECT_EQ(deliver("a", "push", body).status, 413);
}

TEST_F(WebhookEndpoint, TakesABodyOfJustUnder25MiB) {
    auto webhook = *model_.open_pull(
        {.repo = kUpstream,
         .author = Login("ann"),
         .body_bytes_min = limits::kWebhookBodyBytesMax - 600'000,
         .now = kNow}
    );
    ASSERT_LE(webhook.body.size(), limits::kWebhookBodyBytesMax);
    EXPECT_EQ(deliver(webhook.id.text(), webhook.event, webhook.body).status, 202);
}

TEST_F(WebhookEndpoint, KnowsNoOtherMethodOrPath) {
    EXPECT_EQ(send("GET", {}, "").status, 405);
    EXPECT_EQ(send("PUT", {}, "{}").status, 405);
    EXPECT_EQ(send("POST", {}, "{}", "/github/webhooks").status, 404);
    EXPECT_EQ(send("POST", {}, "{}", "/github/webhook/").status, 404);
}

TEST_F(WebhookEndpoint, AnswersNeverWith2xxWhileTheStoreCannotCommitAndRecoversByItself) {
    const auto webhook = opened();
    full_ = true;
    const auto refused = deliver(webhook.id.text(), webhook.event, webhook.body);
    EXPECT_EQ(refused.status, 503);
    EXPECT_TRUE(refused.headers.find("Retry-After").has_value());
    EXPECT_EQ(stored(), 0U);
    full_ = false;
    EXPECT_EQ(deliver(webhook.id.text(), webhook.event, webhook.body).status, 202);
}

TEST_F(WebhookEndpoint, TellsTheJournalOneEntryPerRequest) {
    const auto webhook = opened();
    deliver(webhook.id.text(), webhook.event, webhook.body);
    deliver(webhook.id.text(), webhook.event, webhook.body);
    deliver("x", "ping", "{}");
    deliver("x", "ping", "{}", "guess");
    const auto entries = journal_.all<ports::WebhookAnswered>();
    ASSERT_EQ(entries.size(), 4U);
    EXPECT_EQ(entries[0].outcome, "accepted");
    EXPECT_EQ(entries[1].outcome, "duplicate");
    EXPECT_EQ(entries[2].reason, "ping");
    EXPECT_EQ(entries[3].reason, "bad signature");
}

} // namespace
} // namespace baton::api
