#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/letter.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/results.hpp"
#include "baton/sink/pytorch_hud.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "support/run_coroutine.hpp"
#include "support/scripted_hud.hpp"

namespace baton::sink {
namespace {

using namespace std::chrono_literals;

struct PytorchHudTest : testing::Test {
    domain::SinkAnswer deliver() {
        ports::TakenLetter letter{.sink = "pytorch-hud", .delivery = DeliveryId("d")};
        letter.job.subject.downstream = *RepoName::parse("org/backend");
        letter.body = R"({"workflow":{"status":"completed"}})";
        return test::run(loop, sink->deliver(std::move(letter))).value();
    }

    test::ScriptedHud hud;
    boost::asio::io_context loop;
    std::unique_ptr<PytorchHud> sink =
        PytorchHud::make(loop.get_executor(), {.url = hud.url(), .key = "s3cret"}).value();
};

TEST_F(PytorchHudTest, IsToldWithItsKeyInItsHeader) {
    const auto answer = deliver();
    EXPECT_EQ(answer.status, 200);
    const auto request = hud.seen().back();
    EXPECT_EQ(request.path, "/api/crcr/results");
    EXPECT_EQ(request.headers.find("x-hud-internal-bot"), "s3cret");
    EXPECT_EQ(request.headers.find("content-type"), "application/json");
    EXPECT_TRUE(request.body.starts_with(R"({"trusted":{)")) << request.body;
}

TEST_F(PytorchHudTest, HasItsAnswerHandedOn) {
    hud.say({.status = 429, .headers = {{"Retry-After", "7"}}, .body = "slow\ndown"});
    const auto busy = deliver();
    EXPECT_EQ(busy.status, 429);
    EXPECT_EQ(busy.retry_after, 7s);
    EXPECT_EQ(busy.detail, R"(the HUD answered 429: slow\x0adown)");
    hud.say({.status = 400, .body = "you sent s3cret"});
    EXPECT_EQ(deliver().detail, "the HUD answered 400") << "the key is not quoted";
}

TEST_F(PytorchHudTest, IsAwayWhenNobodyAnswers) {
    hud.stop();
    const auto answer = deliver();
    EXPECT_EQ(answer.status, 0);
    EXPECT_FALSE(answer.detail.empty());
}

TEST_F(PytorchHudTest, IsReachedOverHttpsOnly) {
    const auto made =
        PytorchHud::make(loop.get_executor(), {.url = "http://hud.example/api", .key = "k"});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, Errc::invalid);
}

} // namespace
} // namespace baton::sink
