#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/operating.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/callbacks.hpp"
#include "baton/relay/commit_book.hpp"
#include "baton/relay/token_mint.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/in_process_github.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/sim/virtual_clock.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;
using namespace std::chrono_literals;

inline constexpr TimePoint kNow = from_ms(1'800'000'000'000);

inline RepoName repo(std::string_view text) {
    return *RepoName::parse(text);
}

inline const RepoName kUpstream = repo("up/stream");
inline const RepoName kSecond = repo("up/second");
inline const RepoName kDownstream = repo("acme/npu");
inline const HeadSha kHead(std::string(40, 'a'));

inline domain::Caller
caller(const RepoName& name = kDownstream, std::string run = "7", int attempt = 1) {
    return {
        .provider = domain::Provider::github_actions,
        .repo = name,
        .ids = domain::ImmutableIds{.repository = 11, .owner = 22},
        .run_id = std::move(run),
        .run_attempt = attempt,
    };
}

struct Said {
    std::string delivery{"d-1"};
    std::string token;
    std::string status{"in_progress"};
    std::string conclusion{"success"};
    std::string run{"7"};
    int attempt{1};
    std::string event_type{"pull_request"};
    std::string upstream{"up/stream"};
};

inline std::string body(const Said& said) {
    return fmt::format(
        R"({{"delivery_id":"{}","event_type":"{}","payload":{{"repository":{{"full_name":"{}"}}}},{})"
        R"("workflow":{{"name":"ci","job_name":"test","status":"{}",{}"run_id":"{}","run_attempt":{}}}}})",
        said.delivery,
        said.event_type,
        said.upstream,
        said.token.empty() ? "" : fmt::format(R"("callback_token":"{}",)", said.token),
        said.status,
        said.status == "completed" ? fmt::format(R"("conclusion":"{}",)", said.conclusion) : "",
        said.run,
        said.attempt
    );
}

/// Callbacks over a store in memory and a GitHub in the same process; one dispatch is there.
class CallingBack : public ::testing::Test {
protected:
    CallingBack() {
        EXPECT_TRUE(model.create_repo({.name = kUpstream, .now = kNow}));
        list(kUpstream, {{kDownstream, domain::Level::l2}, {repo("acme/one"), domain::Level::l1}});
        list(kSecond, {});
        EXPECT_TRUE(wait_for(mint.refresh()));
        token = dispatched("d-1");
    }

    ~CallingBack() override {
        tasks.spawn(commits.close());
        sim::run_until_quiet(io, clock, {.until = clock.now() + 1h});
    }

    template <class T> T wait_for(asio::awaitable<T> work) {
        std::optional<T> result;
        auto keep = [](asio::awaitable<T> inner, std::optional<T>& out) -> asio::awaitable<void> {
            out.emplace(co_await std::move(inner));
        };
        tasks.spawn(keep(std::move(work), result));
        sim::run_until_quiet(io, clock, {.until = clock.now() + 1h, .done = [&] {
                                             return result.has_value();
                                         }});
        return std::move(result).value();
    }

    void list(
        const RepoName& upstream, const std::vector<std::pair<RepoName, domain::Level>>& downstreams
    ) {
        domain::Allowlist allowlist;
        for (const auto& [name, level] : downstreams) {
            allowlist.add({.repo = name, .level = level});
        }
        book.put(upstream, std::move(allowlist));
    }

    /// A dispatch to our downstream; the token that it carried.
    std::string dispatched(const std::string& delivery) {
        ports::TestDispatch test{
            .delivery =
                {.id = DeliveryId(delivery),
                 .event = "pull_request",
                 .repository = kUpstream.text(),
                 .pr = PrNumber{5},
                 .head = kHead,
                 .received_at = clock.now(),
                 .body = "{}"},
            .dispatch =
                {.key = {.delivery = DeliveryId(delivery), .downstream = kDownstream},
                 .upstream = kUpstream,
                 .event_type = "pull_request",
                 .pr = PrNumber{5},
                 .head = kHead,
                 .level = domain::Level::l2},
            .now = clock.now(),
            .actor = "test",
        };
        EXPECT_TRUE(wait_for(store.insert_test(std::move(test))));
        return mint.token_for(dispatch_of(delivery));
    }

    domain::Dispatch dispatch_of(const std::string& delivery) {
        return wait_for(store.dispatches_to(DeliveryId(delivery), kDownstream)).value().front();
    }

    std::vector<domain::Job> jobs_of(const std::string& delivery) {
        const auto history = wait_for(store.delivery_history(DeliveryId(delivery)));
        return history.value().dispatches.front().jobs;
    }

    CallbackOutcome call(const Said& said, domain::Caller who = caller()) {
        return wait_for(callbacks.accept(std::move(who), body(said)));
    }

    static void refused(const CallbackOutcome& outcome, Errc code, std::string_view words) {
        ASSERT_FALSE(outcome) << "it was taken";
        EXPECT_EQ(outcome.error().code, code) << outcome.error().detail;
        EXPECT_THAT(outcome.error().detail, testing::HasSubstr(std::string(words)));
    }

    asio::io_context io;
    sim::VirtualClock clock{kNow};
    sim::SeededChance chance{1};
    sim::GithubModel model{sim::GithubModel::Options{}};
    sim::Faults faults{1};
    sim::InProcessGithub github{model, faults, clock, chance};
    store::MemoryStore store;
    AllowlistBook book;
    TokenMint mint{store, clock, chance};
    CommitBook commits{{.executor = io.get_executor(), .github = github, .clock = clock}};
    Callbacks callbacks{
        {.upstreams = {kUpstream, kSecond}, .sinks = {"hud"}, .per_minute = 100},
        {.store = store, .clock = clock, .book = book, .mint = mint, .commits = commits}
    };
    async::TaskGroup tasks{io.get_executor(), [](const std::string& surprise) {
                               ADD_FAILURE() << surprise;
                           }};
    std::string token;
};

} // namespace baton::relay
