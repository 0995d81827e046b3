#include "baton/base/draw.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/chance.hpp"
#include "baton/report/body.hpp"
#include "baton/report/send.hpp"
#include "baton/report/token.hpp"
#include "baton/wire/junit.hpp"

#include <boost/asio/awaitable.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/manual_clock.hpp"
#include "support/run_awaitable.hpp"
#include "support/scripted_server.hpp"

namespace baton::report {
namespace {

using namespace std::chrono_literals;
using test::says;
using test::ScriptedServer;
using testing::ElementsAre;
using testing::HasSubstr;

/// Nobody waits: the clock is put forward to the end of each sleep.
class HurriedClock final : public test::ManualClock {
public:
    boost::asio::awaitable<void> sleep_until(TimePoint when) override {
        slept.push_back(when - now());
        set(when);
        co_return;
    }

    std::vector<Millis> slept;
};

class NoChance final : public ports::Chance {
public:
    Draw draw() override { return {}; }
};

constexpr const char* kAccepted = R"({"ok":true,"status":"completed","proceed":true})";

/// A sender with tokens t1, t2, … and the relay that the test scripts.
struct Post {
    explicit Post(std::deque<ScriptedServer::Answer> answers)
        : relay(std::move(answers)) {}

    Result<Outcome> send(Report report, bool renews = true) {
        const auto prints = [this](const std::vector<std::string>&, Millis) -> Result<std::string> {
            return "t" + std::to_string(++minted);
        };
        TokenPlan plan = GivenToken{.token = "given"};
        if (renews) {
            plan = TokenCommand{.words = {"agent"}};
        }
        TokenSource tokens(std::move(plan), "aud", prints);
        Sender sender(
            {.to = callback_address(relay.url()).value(), .patience = {.timeout = 60s}},
            tokens,
            clock,
            chance,
            [this](const std::string& why) { told.push_back(why); }
        );
        return test::run_awaitable(sender.send(std::move(report)));
    }

    ScriptedServer relay;
    HurriedClock clock;
    NoChance chance;
    int minted{0};
    std::vector<std::string> told;
};

Report completed() {
    return {
        .origin = Echo{.client_payload = R"({"delivery_id":"d-1"})"},
        .status = Status::completed,
        .conclusion = "success",
        .workflow = "CI",
        .run_id = "1",
        .job_name = "test",
    };
}

TEST(CallbackAddress, IsFoundWithAndWithoutItsPath) {
    const CallbackAddress plain{.base = "https://relay.example.org", .target = "/github/callback"};
    EXPECT_EQ(callback_address("https://relay.example.org").value(), plain);
    EXPECT_EQ(callback_address("https://relay.example.org/").value(), plain);
    EXPECT_EQ(callback_address("https://relay.example.org/github/callback/").value(), plain);
    EXPECT_EQ(
        callback_address("https://relay.example.org/crcr").value().target, "/crcr/github/callback"
    );
    EXPECT_FALSE(callback_address("http://relay.example.org")) << "a token in the clear";
    EXPECT_FALSE(callback_address("relay"));
}

TEST(Sender, SendsTheReportWithTheToken) {
    Post post({says(200, kAccepted)});
    const auto outcome = post.send(completed()).value();
    EXPECT_EQ(outcome.ending, Ending::accepted);
    EXPECT_EQ(outcome.tries, 1);
    const auto asked = post.relay.asked();
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0].method, "POST");
    EXPECT_EQ(asked[0].path, "/github/callback");
    EXPECT_EQ(asked[0].authorization, "Bearer t1");
    EXPECT_EQ(asked[0].body, make_body(completed(), kReportBytesMax).value().json);
}

TEST(Sender, ComesBackWhenTheRelaySaysAndNotBefore) {
    Post post(
        {says(429, R"({"detail":"rate limit"})", {{"Retry-After", "7"}}), says(200, kAccepted)}
    );
    EXPECT_EQ(post.send(completed()).value().ending, Ending::accepted);
    EXPECT_THAT(post.clock.slept, ElementsAre(7s));
    EXPECT_THAT(
        post.told,
        ElementsAre(HasSubstr("the relay answered 429: rate limit; trying again in 7.0 s"))
    );
}

TEST(Sender, GivesUpWithinItsTimeWhenTheRelayStaysInTrouble) {
    Post post({says(503, R"({"detail":"store"})")});
    const auto outcome = post.send(completed()).value();
    EXPECT_EQ(outcome.ending, Ending::unreachable);
    EXPECT_EQ(outcome.answer.http_status, 503);
    EXPECT_EQ(outcome.tries, post.relay.asked().size());
    Millis slept{0};
    for (const auto one : post.clock.slept) {
        slept += one;
    }
    EXPECT_LT(slept, 60s);
    EXPECT_GE(outcome.tries, 5);
}

TEST(Sender, TriesAgainWhenTheConnectionBreaks) {
    Post post({{.response = {.abort = true}}, says(200, kAccepted)});
    EXPECT_EQ(post.send(completed()).value().ending, Ending::accepted);
    EXPECT_EQ(post.relay.asked().size(), 2);
}

TEST(Sender, GetsAFreshTokenOnceWhenTheOldOneIsNotGood) {
    Post post({says(401, R"({"detail":"token expired"})"), says(200, kAccepted)});
    EXPECT_EQ(post.send(completed()).value().ending, Ending::accepted);
    ASSERT_EQ(post.relay.asked().size(), 2);
    EXPECT_EQ(post.relay.asked()[1].authorization, "Bearer t2");

    Post stubborn({says(401, R"({"detail":"wrong audience"})")});
    const auto outcome = stubborn.send(completed()).value();
    EXPECT_EQ(outcome.ending, Ending::refused);
    EXPECT_EQ(outcome.answer.detail, "wrong audience");
    EXPECT_EQ(outcome.tries, 2);

    Post given({says(401, "")});
    EXPECT_EQ(given.send(completed(), false).value().tries, 1);
}

TEST(Sender, SendsLessWhenItWasTooMuch) {
    Post post({says(413, ""), says(200, kAccepted)});
    auto report = completed();
    report.tests = wire::TestSummary{.failed = 400};
    for (int i = 0; i < 400; ++i) {
        report.tests->failed_tests.push_back(
            {.name = "t", .message = "m", .stack = std::string(limits::kTestStackBytesMax, 's')}
        );
    }
    const auto outcome = post.send(report).value();
    EXPECT_EQ(outcome.ending, Ending::accepted);
    EXPECT_THAT(outcome.notes, ElementsAre(HasSubstr("stacks of")));
    ASSERT_EQ(post.relay.asked().size(), 2) << outcome.answer.detail << outcome.answer.http_status;
    EXPECT_LE(post.relay.asked()[1].body.size(), kReportBytesMax / 2);
}

TEST(Sender, ARefusalIsFinal) {
    for (const int status : {400, 403, 404, 409, 422}) {
        SCOPED_TRACE(status);
        Post post({says(status, R"({"detail":"no"})")});
        const auto outcome = post.send(completed()).value();
        EXPECT_EQ(outcome.ending, Ending::refused);
        EXPECT_EQ(outcome.answer.http_status, status);
        EXPECT_EQ(post.relay.asked().size(), 1);
    }
}

TEST(Sender, TellsThatTheRepositoryIsListedAtL1) {
    Post post({says(200, R"({"ok":true,"status":"ignored"})")});
    EXPECT_EQ(post.send(completed()).value().ending, Ending::ignored);
}

TEST(Sender, WithoutATokenNobodyIsAsked) {
    Post post({says(200, kAccepted)});
    TokenSource tokens(
        TokenCommand{.words = {"agent"}},
        "aud",
        [](const std::vector<std::string>&, Millis) -> Result<std::string> {
            return fail(Errc::forbidden, "the agent says no");
        }
    );
    Sender sender(
        {.to = callback_address(post.relay.url()).value()},
        tokens,
        post.clock,
        post.chance,
        [](const auto&) {}
    );
    const auto outcome = test::run_awaitable(sender.send(completed())).value();
    EXPECT_EQ(outcome.ending, Ending::no_token);
    EXPECT_EQ(outcome.answer.detail, "the agent says no");
    EXPECT_EQ(post.relay.asked().size(), 0);
}

TEST(Sender, TriesAgainToGetAToken) {
    Post post({says(200, kAccepted)});
    int asked = 0;
    TokenSource tokens(
        TokenCommand{.words = {"agent"}},
        "aud",
        [&asked](const std::vector<std::string>&, Millis) -> Result<std::string> {
            if (++asked < 3) {
                return fail(Errc::unavailable, "away");
            }
            return "t";
        }
    );
    Sender sender(
        {.to = callback_address(post.relay.url()).value()},
        tokens,
        post.clock,
        post.chance,
        [](const auto&) {}
    );
    EXPECT_EQ(test::run_awaitable(sender.send(completed())).value().ending, Ending::accepted);
    EXPECT_EQ(post.clock.slept.size(), 2);
}

} // namespace
} // namespace baton::report
