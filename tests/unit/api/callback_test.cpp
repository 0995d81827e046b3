// Every answer of SPEC section 8, over real sockets. What a token says is the verifier's business;
// here it stands in the token itself.

#include "baton/api/callback.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/net/client.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/identities.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/operating.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/callbacks.hpp"
#include "baton/relay/commit_book.hpp"
#include "baton/relay/token_mint.hpp"
#include "baton/sim/crash_points.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/in_process_github.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/sim/stepped_store.hpp"
#include "baton/sim/virtual_clock.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
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

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
const RepoName kUpstream = *RepoName::parse("up/stream");
const RepoName kDownstream = *RepoName::parse("acme/npu");

/// "good" is our downstream's, "stranger" somebody's who is not listed; others fail as they say.
class WrittenIdentities final : public ports::Identities {
public:
    asio::awaitable<Result<domain::Caller>> identify(std::string token) override {
        ++asked;
        if (token == "good" || token == "stranger") {
            co_return domain::Caller{
                .repo = token == "good" ? kDownstream : *RepoName::parse("some/body"),
                .ids = domain::ImmutableIds{.repository = 1, .owner = 2},
                .run_id = "7",
                .run_attempt = 1,
            };
        }
        if (token == "unregistered") {
            co_return fail(Errc::forbidden, "pipeline is not registered");
        }
        if (token == "outage") {
            co_return fail(Errc::unavailable, "the keys cannot be had");
        }
        co_return fail(Errc::unauthenticated, "the token's signature is wrong");
    }

    std::atomic<int> asked{0};
};

std::string body(std::string_view status, std::string_view run = "7", std::string_view more = "") {
    return fmt::format(
        R"({{"delivery_id":"d-1","workflow":{{"name":"ci","job_name":"t","run_id":"{}","status":"{}"{}}}}})",
        run,
        status,
        more
    );
}

class CallbackEndpoint : public ::testing::Test {
protected:
    CallbackEndpoint()
        : life_(std::make_shared<sim::Incarnation>([this](std::string_view) {
            return full_ ? sim::Step::Order::fail : sim::Step::Order::go_on;
        }))
        , stepped_(store_, life_)
        , server_(
              {},
              callback_routes(
                  {.callbacks = callbacks_,
                   .identities = identities_,
                   .clock = clock_,
                   .journal = journal_}
              )
          ) {
        domain::Allowlist allowlist;
        allowlist.add({.repo = kDownstream, .level = domain::Level::l2});
        book_.put(kUpstream, std::move(allowlist));
        EXPECT_TRUE(test::run(io_, mint_.refresh())->has_value());
        EXPECT_TRUE(test::run(io_, store_.insert_test(dispatched()))->has_value());
        EXPECT_TRUE(server_.start());
    }

    ~CallbackEndpoint() override { server_.stop(1s); }

    static ports::TestDispatch dispatched() {
        const DeliveryId delivery("d-1");
        return {
            .delivery =
                {.id = delivery,
                 .event = "push",
                 .repository = kUpstream.text(),
                 .received_at = kNow,
                 .body = "{}"},
            .dispatch =
                {.key = {.delivery = delivery, .downstream = kDownstream},
                 .upstream = kUpstream,
                 .event_type = "push",
                 .head = HeadSha(std::string(40, 'a')),
                 .level = domain::Level::l2},
            .now = kNow,
            .actor = "test",
        };
    }

    net::ClientReply
    send(net::Headers headers, std::string text, std::string path = "/github/callback") {
        const auto client = *net::Client::make(
            io_.get_executor(), {.base_url = fmt::format("http://127.0.0.1:{}", server_.port())}
        );
        net::ClientRequest request{
            .method = "POST",
            .target = std::move(path),
            .headers = std::move(headers),
            .body = std::move(text)
        };
        auto reply = test::run(io_, client->send(std::move(request), 20s));
        EXPECT_TRUE(reply && reply->has_value())
            << (reply && !*reply ? reply->error().detail : "no reply");
        return reply && *reply ? **reply : net::ClientReply{};
    }

    net::ClientReply report(std::string text, std::string_view token = "good") {
        return send({{"Authorization", fmt::format("Bearer {}", token)}}, std::move(text));
    }

    asio::io_context io_;
    sim::VirtualClock clock_{kNow};
    sim::SeededChance chance_{1};
    sim::GithubModel model_{sim::GithubModel::Options{}};
    sim::Faults faults_{1};
    sim::InProcessGithub github_{model_, faults_, clock_, chance_};
    store::MemoryStore store_;
    std::atomic<bool> full_{false};
    std::shared_ptr<sim::Incarnation> life_;
    sim::SteppedStore stepped_;
    test::MemoryJournal journal_;
    WrittenIdentities identities_;
    relay::AllowlistBook book_;
    relay::TokenMint mint_{store_, clock_, chance_};
    relay::CommitBook commits_{{.executor = io_.get_executor(), .github = github_, .clock = clock_}
    };
    relay::Callbacks callbacks_{
        {.upstreams = {kUpstream}, .sinks = {}, .per_minute = 100},
        {.store = stepped_, .clock = clock_, .book = book_, .mint = mint_, .commits = commits_}
    };
    net::Server server_;
};

TEST_F(CallbackEndpoint, TakesAStartAndAnEnd) {
    auto reply = report(body("in_progress"));
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, R"({"ok":true,"status":"in_progress","proceed":true,"unbound":true})");
    reply = report(body("completed", "7", R"(,"conclusion":"failure")"));
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, R"({"ok":true,"status":"completed","proceed":true,"unbound":true})");
}

TEST_F(CallbackEndpoint, AnswersARepeatAndALateStartWith200) {
    report(body("in_progress"));
    EXPECT_EQ(
        report(body("in_progress")).body,
        R"({"ok":true,"status":"in_progress","proceed":true,"duplicate":true,"unbound":true})"
    );
    report(body("completed", "7", R"(,"conclusion":"success")"));
    EXPECT_EQ(
        report(body("in_progress")).body,
        R"({"ok":true,"status":"in_progress","proceed":true,"stale":true,"unbound":true})"
    );
}

TEST_F(CallbackEndpoint, TellsASecondRunNotToProceed) {
    report(body("in_progress"));
    EXPECT_EQ(
        report(body("in_progress", "8")).body,
        R"({"ok":true,"status":"in_progress","proceed":false,)"
        R"("reason":"another run of this workflow has the dispatch","duplicate":true,"unbound":true})"
    );
}

TEST_F(CallbackEndpoint, TakesAPathWithASlashAtItsEndAndATokenWithoutItsPrefix) {
    EXPECT_EQ(
        send({{"authorization", "good"}}, body("in_progress"), "/github/callback/").status, 200
    );
    EXPECT_EQ(send({{"Authorization", "bEARER  good"}}, body("in_progress")).status, 200);
}

TEST_F(CallbackEndpoint, SaysWhatWasCut) {
    EXPECT_THAT(
        report(body("in_progress", "7", R"(,"url":"ftp://x")")).body,
        HasSubstr(R"("notes":["/workflow/url: dropped)")
    );
}

TEST_F(CallbackEndpoint, RefusesWithTheStatusThatTellsWhoHasToAct) {
    struct Case {
        const char* what;
        std::string text;
        std::string_view token;
        int status;
        const char* detail;
    };

    report(body("completed", "9", R"(,"conclusion":"success")"));
    const Case cases[] = {
        {"a wrong token", body("in_progress"), "forged", 401, "signature is wrong"},
        {"a wrong token and no JSON", "{", "forged", 401, "signature is wrong"},
        {"not registered", body("in_progress"), "unregistered", 403, "not registered"},
        {"not listed", body("in_progress"), "stranger", 403, "on no allowlist"},
        {"no keys", body("in_progress"), "outage", 503, "keys cannot be had"},
        {"no JSON", "{", "good", 400, "Invalid JSON body"},
        {"a wrong kind", R"({"delivery_id":"d-1","workflow":7})", "good", 400, "/workflow: expected"
        },
        {"no dispatch",
         R"({"delivery_id":"x","workflow":{"name":"n","run_id":1,"status":"in_progress"}})",
         "good",
         400,
         "no matching dispatch record"},
        {"another end",
         body("completed", "9", R"(,"conclusion":"failure")"),
         "good",
         409,
         "already concluded as success"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.what);
        const auto reply = report(c.text, c.token);
        EXPECT_EQ(reply.status, c.status);
        EXPECT_THAT(reply.body, HasSubstr(c.detail));
        EXPECT_EQ(reply.headers.find("Retry-After").has_value(), c.status == 503);
    }
}

TEST_F(CallbackEndpoint, AsksForATokenBeforeItReadsTheBody) {
    const auto reply = send({}, body("in_progress"));
    EXPECT_EQ(reply.status, 401);
    EXPECT_EQ(reply.headers.find("WWW-Authenticate"), "Bearer");
    EXPECT_EQ(
        send({{"Authorization", "good"}, {"Authorization", "good"}}, body("in_progress")).status,
        401
    );
    EXPECT_EQ(identities_.asked, 0);
}

TEST_F(CallbackEndpoint, RefusesABodyOver2MiBReadably) {
    const auto reply = report(std::string(limits::kCallbackBodyBytesMax + 1, ' '));
    EXPECT_EQ(reply.status, 413);
    EXPECT_EQ(identities_.asked, 0);
    EXPECT_EQ(report(std::string(limits::kCallbackBodyBytesMax, ' ')).status, 400);
}

TEST_F(CallbackEndpoint, NeverSaysOkForWhatIsNotStored) {
    full_ = true;
    const auto reply = report(body("in_progress"));
    EXPECT_EQ(reply.status, 503);
    EXPECT_TRUE(reply.headers.find("Retry-After"));
    const auto troubles = journal_.all<ports::Trouble>();
    ASSERT_EQ(troubles.size(), 1U) << "the cause is in the log, once";
    EXPECT_EQ(troubles[0].where, "callbacks");
    EXPECT_NE(troubles[0].detail, "");
    EXPECT_THAT(reply.body, testing::Not(HasSubstr(troubles[0].detail)));
    full_ = false;
    EXPECT_EQ(
        report(body("in_progress")).body,
        R"({"ok":true,"status":"in_progress","proceed":true,"unbound":true})"
    );
}

TEST_F(CallbackEndpoint, AnswersTooManyCallsWithTheTimeToWait) {
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(report(body("in_progress")).status, 200) << i;
    }
    const auto reply = report(body("in_progress"));
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(reply.headers.find("Retry-After"), "1");
}

TEST_F(CallbackEndpoint, CountsEachAnswerUnderFixedWords) {
    report(body("in_progress"));
    report(body("in_progress"), "forged");
    const auto entries = journal_.all<ports::CallbackAnswered>();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].outcome, "recorded");
    EXPECT_EQ(entries[0].downstream, kDownstream);
    EXPECT_EQ(entries[0].delivery.text(), "d-1");
    EXPECT_EQ(entries[0].job, "ci / t");
    EXPECT_EQ(entries[1].outcome, "refused");
    EXPECT_EQ(entries[1].reason, "bad token");
    EXPECT_TRUE(entries[1].downstream.empty());
}

} // namespace
} // namespace baton::api
