#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/domain/letter.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/results.hpp"
#include "baton/sink/notify_webhook.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "support/run_coroutine.hpp"
#include "support/scripted_hud.hpp"

namespace baton::sink {
namespace {

constexpr const char* kBody = R"({"kind":"suspended"})";

struct NotifyWebhookTest : testing::Test {
    domain::SinkAnswer deliver() {
        ports::TakenLetter letter{.id = 12, .sink = "notify:oncall"};
        letter.body = kBody;
        letter.created_at = from_ms(1'800'000'000'000);
        return test::run(loop, sink->deliver(std::move(letter))).value();
    }

    test::ScriptedHud receiver;
    boost::asio::io_context loop;
    std::unique_ptr<NotifyWebhook> sink =
        NotifyWebhook::make(
            loop.get_executor(),
            {.name = "oncall", .url = receiver.url() + "/hooks", .secret = "s3cret"}
        )
            .value();
};

TEST_F(NotifyWebhookTest, SignsWhatItSendsAndSaysWhichItIs) {
    EXPECT_EQ(sink->name(), "notify:oncall");
    EXPECT_EQ(deliver().status, 200);
    const auto request = receiver.seen().back();
    EXPECT_EQ(request.path, "/api/hooks") << "the URL as it was configured";
    EXPECT_EQ(request.body, kBody);
    EXPECT_EQ(request.headers.find("content-type"), "application/json");
    EXPECT_EQ(request.headers.find("x-baton-delivery"), "12-1800000000000");
    crypto::SignatureCheck check(crypto::SignatureKeys::make({"s3cret"}).value());
    check.update(request.body);
    EXPECT_TRUE(check.finish(request.headers.find("x-baton-signature-256").value_or("")))
        << "as GitHub signs its webhooks";
}

TEST_F(NotifyWebhookTest, SaysTheSameWhenItSaysItAgain) {
    deliver();
    deliver();
    const auto seen = receiver.seen();
    ASSERT_EQ(seen.size(), 2U);
    for (const auto* const header : {"x-baton-delivery", "x-baton-signature-256"}) {
        EXPECT_EQ(seen[0].headers.find(header), seen[1].headers.find(header));
    }
}

TEST_F(NotifyWebhookTest, HasTheAnswerHandedOnAndNeverQuotesItsSecret) {
    receiver.say({.status = 503, .body = "later"});
    EXPECT_EQ(deliver().detail, "notify:oncall answered 503: later");
    receiver.say({.status = 400, .body = "not s3cret"});
    EXPECT_EQ(deliver().detail, "notify:oncall answered 400");
    receiver.stop();
    EXPECT_EQ(deliver().status, 0);
}

TEST_F(NotifyWebhookTest, IsReachedOverHttpsOnly) {
    const auto made = NotifyWebhook::make(
        loop.get_executor(), {.name = "x", .url = "http://hooks.example/x", .secret = "k"}
    );
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, Errc::invalid);
}

} // namespace
} // namespace baton::sink
