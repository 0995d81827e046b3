#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/recovery.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/in_process_github.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/sim/virtual_clock.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/memory_journal.hpp"
#include "support/run_coroutine.hpp"

namespace baton::relay {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
const RepoName kUpstream = *RepoName::parse("up/stream");

/// A relay's recovery over a store in memory and a GitHub in the same process.
class Recovering : public ::testing::Test {
protected:
    Recovering() {
        EXPECT_TRUE(model.create_repo({.name = kUpstream, .now = kNow}));
        EXPECT_TRUE(on_the_side(recovery.begin()));
        clock.advance(1h);
    }

    template <class T> T on_the_side(asio::awaitable<T> work) {
        std::optional<T> result;
        auto keep = [](asio::awaitable<T> inner, std::optional<T>& out) -> asio::awaitable<void> {
            out = co_await std::move(inner);
        };
        tasks.spawn(keep(std::move(work), result));
        sim::run_until_quiet(io, clock, {.until = clock.now() + 1h, .done = [&] {
                                             return result.has_value();
                                         }});
        return std::move(result).value();
    }

    sim::Webhook pushed() {
        return model.push({.repo = kUpstream, .by = Login("ann"), .now = clock.now()}).value();
    }

    /// GitHub tried, and this is what it heard.
    sim::Webhook tried(sim::Webhook webhook, int status) {
        EXPECT_TRUE(
            model.hooks().record({.delivery = webhook.id, .at = clock.now(), .status_code = status})
        );
        return webhook;
    }

    Recovery::Report round() {
        const auto report = on_the_side(recovery.round());
        EXPECT_TRUE(report) << report.error().detail;
        return report.value_or(Recovery::Report{});
    }

    asio::io_context io;
    sim::VirtualClock clock{kNow};
    sim::SeededChance chance{1};
    sim::GithubModel model{sim::GithubModel::Options{}};
    sim::Faults faults{1};
    sim::InProcessGithub github{model, faults, clock, chance};
    store::MemoryStore store;
    test::MemoryJournal journal;
    int rebuilt_rings{0};
    bool leads{true};
    Recovery recovery{
        {.upstreams = {kUpstream}, .every = 3min},
        {.executor = io.get_executor(),
         .store = store,
         .github = github,
         .clock = clock,
         .journal = journal,
         .on_rebuilt = [this] { ++rebuilt_rings; },
         .leads = [this] { return leads; }}
    };
    async::TaskGroup tasks{io.get_executor(), [](const std::string& surprise) {
                               ADD_FAILURE() << surprise;
                           }};
};

TEST_F(Recovering, AsksOnceForEachWebhookThatGotNoAnswer) {
    tried(pushed(), 502);
    tried(pushed(), 200);
    tried(pushed(), 504);
    const auto report = round();
    EXPECT_EQ(report.walked.asked, 2U);
    EXPECT_EQ(report.walked.astray, 2U);
    EXPECT_EQ(model.take_redeliveries().size(), 2U);
    EXPECT_EQ(round().walked.asked, 0U) << "it is under way";
}

TEST_F(Recovering, IsTheLeadsAlone) {
    tried(pushed(), 502);
    leads = false;
    tasks.spawn(recovery.run());
    sim::run_until_quiet(io, clock, {.until = clock.now() + 1h});
    EXPECT_TRUE(model.take_redeliveries().empty());
    leads = true;
    sim::run_until_quiet(io, clock, {.until = clock.now() + 5min});
    EXPECT_FALSE(model.take_redeliveries().empty());
    tasks.cancel();
    sim::run_until_quiet(io, clock, {.until = clock.now() + 1h});
}

TEST_F(Recovering, AsksThreeTimesTwoMinutesApartAndThenShowsIt) {
    tried(pushed(), 502);
    std::vector<std::size_t> asked;
    for (int i = 0; i < 5; ++i) {
        asked.push_back(round().walked.asked);
        clock.advance(2min);
    }
    EXPECT_EQ(asked, (std::vector<std::size_t>{1, 1, 1, 0, 0}));
    EXPECT_EQ(round().walked.given_up, 1U);
}

TEST_F(Recovering, ReadsManyPagesAndNotTheSameAgain) {
    for (int i = 0; i < 250; ++i) {
        tried(pushed(), 200);
    }
    EXPECT_EQ(round().walked.tries, 250U);
    clock.advance(1h);
    tried(pushed(), 200);
    EXPECT_EQ(round().walked.tries, 251U) << "the last ten minutes are read twice";
    clock.advance(1h);
    tried(pushed(), 200);
    EXPECT_EQ(round().walked.tries, 2U);
}

TEST_F(Recovering, AWalkThatBreaksOffIsTakenUpWhereItStopped) {
    for (int i = 0; i < 150; ++i) {
        tried(pushed(), 200);
    }
    const auto newest = tried(pushed(), 502);
    faults.add({.route = "deliveries", .fault = sim::Fault::slow(0ms), .times = 1});
    faults.add({.route = "deliveries", .fault = sim::Fault::server_error(502), .times = 1});
    const auto broken = on_the_side(recovery.walk(std::nullopt));
    EXPECT_FALSE(broken);
    EXPECT_TRUE(model.take_redeliveries().empty()) << "GitHub is in trouble";
    EXPECT_EQ(round().walked.tries, 51U) << "the first page is not read again";
    EXPECT_EQ(model.take_redeliveries(), std::vector{newest.id});
}

TEST_F(Recovering, StopsAskingWhenGithubIsTiredAndGoesOnNextTime) {
    for (int i = 0; i < 30; ++i) {
        tried(pushed(), 502);
    }
    faults.add({.route = "redeliver", .fault = sim::Fault::secondary_limit(60s), .times = 1});
    const auto before = round().walked.asked;
    EXPECT_LT(before, 30U);
    EXPECT_EQ(github.requests_while_limited(), 0U);
    clock.advance(5min);
    EXPECT_GT(round().walked.asked, 0U);
}

TEST_F(Recovering, WhatALimitHeldBackIsNotCountedAsAsked) {
    tried(pushed(), 502);
    faults.add({.route = "redeliver", .fault = sim::Fault::secondary_limit(60s), .times = 4});
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(round().walked.asked, 0U);
        clock.advance(5min);
    }
    EXPECT_EQ(round().walked.asked, 1U);
}

TEST_F(Recovering, AnUpstreamThatCannotBeRebuiltKeepsNobodyFromBeingAskedFor) {
    round();
    clock.advance(limits::kHookLogKept + 1h);
    tried(pushed(), 502);
    faults.add({.route = "pulls", .fault = sim::Fault::server_error(502), .times = 1});
    EXPECT_EQ(round().walked.asked, 1U);
    model.open_pull({.repo = kUpstream, .author = Login("ann"), .now = clock.now()}).value();
    EXPECT_EQ(round().rebuilt, 1U) << "it is tried again";
}

TEST_F(Recovering, TellsTheAccountOfTheDayOnce) {
    const auto day = domain::start_of_day(clock.now()) + 24h;
    clock.advance(day + 1h - clock.now());
    tried(pushed(), 200);
    clock.advance(24h);
    round();
    round();
    const auto told = journal.all<ports::DayCompleted>();
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.back().day.from, day);
    EXPECT_EQ(told.back().day.sent, 1U);
    EXPECT_EQ(told.back().day.missing(), 0U);
}

TEST_F(Recovering, RebuildsWhatTheLogHasForgotten) {
    round();
    const auto opened =
        model.open_pull({.repo = kUpstream, .author = Login("ann"), .now = clock.now()}).value();
    clock.advance(limits::kHookLogKept + 1h);
    const auto report = round();
    EXPECT_EQ(report.rebuilt, 1U);
    EXPECT_EQ(rebuilt_rings, 1);
    asio::io_context aside;
    const auto waiting = test::run(aside, store.deliveries_to_plan(clock.now(), 10)).value();
    ASSERT_TRUE(waiting && waiting->size() == 1U);
    EXPECT_EQ(waiting->front().delivery.action, "opened");
    EXPECT_EQ(waiting->front().delivery.head, opened.head);
    EXPECT_EQ(round().rebuilt, 0U);
}

TEST_F(Recovering, LookingAloneLeavesEverythingAsItWas) {
    tried(pushed(), 502);
    asio::io_context aside;
    const auto before = test::run(aside, store.last_walk()).value();
    const auto report = on_the_side(recovery.look(std::nullopt));
    ASSERT_TRUE(report);
    EXPECT_EQ(report->astray.size(), 1U);
    EXPECT_TRUE(model.take_redeliveries().empty());
    asio::io_context later;
    EXPECT_TRUE(*test::run(later, store.last_walk()).value() == *before);
}

} // namespace
} // namespace baton::relay
