#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/github/single_flight.hpp"
#include "baton/github/token_cache.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace baton::github {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

const TimePoint kNow = from_ms(1'800'000'000'000);

RepoName repo(std::string_view name = "org/backend") {
    return RepoName::parse(name).value();
}

TEST(ExpiringCache, ForgetsAtTheTimeGiven) {
    ExpiringCache<int> cache(10);
    cache.put("a", 1, kNow + 1s);
    ASSERT_NE(cache.find("a", kNow), nullptr);
    EXPECT_EQ(*cache.find("a", kNow + 999ms), 1);
    EXPECT_EQ(cache.find("a", kNow + 1s), nullptr);
    EXPECT_EQ(cache.find("b", kNow), nullptr);
}

TEST(ExpiringCache, StaysWithinItsBoundByForgettingWhatEndsFirst) {
    ExpiringCache<int> cache(3);
    cache.put("long", 1, kNow + 9s);
    cache.put("short", 2, kNow + 1s);
    cache.put("middle", 3, kNow + 5s);
    cache.put("new", 4, kNow + 2s);
    EXPECT_EQ(cache.size(), 3U);
    EXPECT_EQ(cache.find("short", kNow), nullptr);
    cache.put("new", 5, kNow + 3s); // known already: nobody has to go
    EXPECT_EQ(cache.size(), 3U);
    EXPECT_EQ(*cache.find("new", kNow), 5);
    EXPECT_NE(cache.find("middle", kNow), nullptr);
}

TEST(TokenCache, DoesNotUseATokenInItsLastMinutes) {
    TokenCache cache(10);
    const TokenOwner owner{.installation = 1, .repo = repo(), .grant = Grant::write_contents};
    cache.put(owner, "t", kNow + 1h);
    EXPECT_EQ(cache.find(owner, kNow + 57min), "t");
    EXPECT_EQ(cache.find(owner, kNow + 58min), std::nullopt);
}

TEST(TokenCache, EachTokenServesOneInstallationRepositoryAndGrant) {
    TokenCache cache(10);
    const TokenOwner owner{
        .installation = 1, .repo = repo("org/Backend"), .grant = Grant::write_contents
    };
    cache.put(owner, "t", kNow + 1h);
    auto other = owner;
    other.repo = repo("ORG/backend");
    EXPECT_EQ(cache.find(other, kNow), "t");
    other = owner;
    other.installation = 2;
    EXPECT_FALSE(cache.find(other, kNow));
    other = owner;
    other.grant = Grant::read_contents;
    EXPECT_FALSE(cache.find(other, kNow));
    other = owner;
    other.repo = repo("org/backend2");
    EXPECT_FALSE(cache.find(other, kNow));
}

TEST(TokenCache, ALateRejectionSparesTheNewToken) {
    TokenCache cache(10);
    const TokenOwner owner{.installation = 1, .repo = repo(), .grant = Grant::write_contents};
    cache.put(owner, "new", kNow + 1h);
    cache.reject(owner, "old");
    EXPECT_EQ(cache.find(owner, kNow), "new");
    cache.reject(owner, "new");
    EXPECT_FALSE(cache.find(owner, kNow));
}

TEST(TokenRequest, AsksForOneRepositoryAndOnePermission) {
    EXPECT_EQ(
        token_request({.id = 5, .repo_id = {}}, repo(), Grant::write_contents),
        R"({"repositories":["backend"],"permissions":{"contents":"write"}})"
    );
    EXPECT_EQ(
        token_request({.id = 5, .repo_id = 77}, repo(), Grant::read_metadata),
        R"({"repository_ids":[77],"permissions":{"metadata":"read"}})"
    );
}

/// Work that ends when the test opens the door.
struct Door {
    explicit Door(asio::io_context& loop)
        : timer(loop, std::chrono::steady_clock::time_point::max()) {}

    asio::awaitable<int> work(int value) {
        ++started;
        boost::system::error_code ignored;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        if (ignored != asio::error::operation_aborted || !open) {
            throw boost::system::system_error(asio::error::operation_aborted);
        }
        co_return value;
    }

    asio::steady_timer timer;
    int started{0};
    bool open{false};
};

struct Flights {
    asio::io_context loop;
    SingleFlight<int> flights;
    Door door{loop};
    std::vector<std::optional<int>> results;

    asio::awaitable<void> join(std::string key, int value, std::chrono::milliseconds wait) {
        auto work = door.work(value);
        const auto result = co_await flights.run(std::move(key), std::move(work), wait);
        results.push_back(result);
    }

    void open() {
        door.open = true;
        door.timer.cancel();
    }
};

void ignore(const std::exception_ptr& /*thrown*/) {}

TEST(SingleFlight, ManyWhoWantTheSameWaitForOne) {
    Flights f;
    for (int i = 0; i < 20; ++i) {
        asio::co_spawn(f.loop, f.join("k", i, 1h), ignore);
    }
    f.loop.poll();
    EXPECT_EQ(f.door.started, 1);
    f.open();
    f.loop.run();
    EXPECT_EQ(f.results, std::vector<std::optional<int>>(20, 0));
}

TEST(SingleFlight, OthersDoNotWait) {
    Flights f;
    asio::co_spawn(f.loop, f.join("a", 1, 1h), ignore);
    asio::co_spawn(f.loop, f.join("b", 2, 1h), ignore);
    f.loop.poll();
    EXPECT_EQ(f.door.started, 2);
    f.open();
    f.loop.run();
}

TEST(SingleFlight, WhenTheFirstIsCancelledTheNextGoes) {
    Flights f;
    asio::cancellation_signal cancel;
    asio::co_spawn(f.loop, f.join("k", 1, 1h), asio::bind_cancellation_slot(cancel.slot(), ignore));
    asio::co_spawn(f.loop, f.join("k", 2, 1h), ignore);
    asio::co_spawn(f.loop, f.join("k", 3, 1h), ignore);
    f.loop.poll();
    EXPECT_EQ(f.door.started, 1);
    cancel.emit(asio::cancellation_type::terminal);
    f.loop.poll();
    EXPECT_EQ(f.door.started, 2);
    f.open();
    f.loop.run();
    EXPECT_EQ(f.results, (std::vector<std::optional<int>>{2, 2}));
}

TEST(SingleFlight, WhoeverIsOutOfTimeStopsWaiting) {
    Flights f;
    asio::co_spawn(f.loop, f.join("k", 1, 1h), ignore);
    asio::co_spawn(f.loop, f.join("k", 2, 0ms), ignore);
    while (f.results.empty()) {
        f.loop.run_one();
    }
    EXPECT_EQ(f.results.front(), std::nullopt);
    f.open();
    f.loop.run();
    EXPECT_EQ(f.results.back(), 1);
}

TEST(SingleFlight, TheNextFlightStartsAnew) {
    Flights f;
    asio::co_spawn(f.loop, f.join("k", 1, 1h), ignore);
    f.loop.poll();
    f.open();
    f.loop.run();
    f.loop.restart();
    asio::co_spawn(f.loop, f.join("k", 2, 1h), ignore);
    f.loop.poll();
    f.open();
    f.loop.run();
    EXPECT_EQ(f.results, (std::vector<std::optional<int>>{1, 2}));
}

} // namespace
} // namespace baton::github
