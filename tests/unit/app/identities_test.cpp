#include "baton/app/identities.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/async/blocking_pool.hpp"
#include "baton/async/task_group.hpp"
#include "baton/config/config.hpp"
#include "baton/crypto/signing_key.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/oidc/token_identities.hpp"
#include "baton/ports/text_source.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/memory_journal.hpp"

namespace baton::app {
namespace {

namespace asio = boost::asio;

/// A loop and the thread that runs it.
class Threaded {
public:
    Threaded()
        : busy_(loop.get_executor())
        , thread_([this] { loop.run(); }) {}

    Threaded(const Threaded&) = delete;
    Threaded& operator=(const Threaded&) = delete;

    ~Threaded() {
        busy_.reset();
        thread_.join();
    }

    asio::io_context loop{1};

private:
    asio::executor_work_guard<asio::io_context::executor_type> busy_;
    std::thread thread_;
};

asio::awaitable<net::Response> answer(net::Response response) {
    co_return response;
}

net::Route document(std::string path, const std::string& body, std::atomic<int>& asked) {
    net::Route route;
    route.method = "GET";
    route.path = std::move(path);
    route.handler = [body, &asked](const net::Request&) {
        ++asked;
        return answer({.body = body});
    };
    return route;
}

TEST(Identities, ServeManyThreadsFromOneFetch) {
    const auto key = crypto::SigningKey::make(crypto::Algorithm::es256);
    std::atomic<int> asked{0};
    std::vector<net::Route> routes;
    routes.push_back(
        document("/.well-known/jwks", fmt::format(R"({{"keys":[{}]}})", key.public_jwk("k")), asked)
    );
    net::Server issuer({}, std::move(routes));
    ASSERT_TRUE(issuer.start());
    const auto url = fmt::format("http://127.0.0.1:{}", issuer.port());

    Threaded relay;
    async::BlockingPool pool(1);
    SystemClock clock(relay.loop.get_executor());
    test::MemoryJournal journal;
    std::vector<std::unique_ptr<ports::TextSource>> sources;
    const config::Oidc oidc{.audience = "relay", .issuers = {config::Issuer{.issuer = url}}};
    const auto identities = make_identities(
                                oidc,
                                {.executor = relay.loop.get_executor(),
                                 .pool = pool,
                                 .clock = clock,
                                 .journal = journal,
                                 .sources = sources}
    )
                                .value();
    async::TaskGroup tasks(relay.loop.get_executor(), [](const std::string& surprise) {
        ADD_FAILURE() << surprise;
    });
    asio::post(relay.loop, [&] { identities->start(tasks); });
    const auto token = key.token(
        "k",
        fmt::format(
            R"({{"iss":"{}","aud":"relay","exp":{},"repository":"org/backend","repository_id":"1",)"
            R"("repository_owner_id":"2"}})",
            url,
            to_ms(clock.now()) / 1000 + 300
        )
    );
    const auto unknown = key.token("other", fmt::format(R"({{"iss":"{}","iat":1,"exp":1}})", url));
    {
        std::vector<std::unique_ptr<Threaded>> acceptors;
        std::vector<std::future<Result<domain::Caller>>> good;
        std::vector<std::future<Result<domain::Caller>>> bad;
        for (int thread = 0; thread < 4; ++thread) {
            acceptors.push_back(std::make_unique<Threaded>());
            auto& loop = acceptors.back()->loop;
            for (int i = 0; i < 100; ++i) {
                good.push_back(asio::co_spawn(loop, identities->identify(token), asio::use_future));
                bad.push_back(asio::co_spawn(loop, identities->identify(unknown), asio::use_future)
                );
            }
        }
        for (auto& one : good) {
            const auto caller = one.get();
            ASSERT_TRUE(caller) << caller.error().detail;
            EXPECT_EQ(caller->repo.text(), "org/backend");
        }
        for (auto& one : bad) {
            EXPECT_EQ(one.get().error().code, Errc::unauthenticated);
        }
    }
    EXPECT_LE(asked, 2) << "the fetch at the start, and one for the unknown key";
    asio::post(relay.loop, [&] { tasks.cancel(); });
    asio::co_spawn(relay.loop, tasks.join(), asio::use_future).get();
    pool.join();
    issuer.stop(std::chrono::milliseconds(100));
}

} // namespace
} // namespace baton::app
