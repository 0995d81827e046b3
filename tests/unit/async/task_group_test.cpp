#include "baton/async/task_group.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/run_coroutine.hpp"

namespace baton::async {

namespace {

namespace asio = boost::asio;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Stage {
    asio::io_context loop;
    std::vector<std::string> surprises;
    std::vector<std::string> told;
    TaskGroup group{loop.get_executor(), [this](std::string what) {
                        surprises.push_back(std::move(what));
                    }};
};

asio::awaitable<void> wait_for_ever() {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, std::chrono::steady_clock::time_point::max());
    co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> wait_quietly(Stage* stage) {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, std::chrono::steady_clock::time_point::max());
    const auto [error] = co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    stage->told.emplace_back(error == asio::error::operation_aborted ? "aborted" : "woken");
}

asio::awaitable<void> step_aside() {
    co_await asio::post(asio::use_awaitable);
}

asio::awaitable<void> end_after_one_turn(Stage* stage) {
    co_await step_aside();
    stage->told.emplace_back("ended");
}

asio::awaitable<void> join_and_say(Stage* stage, std::string word) {
    co_await stage->group.join();
    stage->told.push_back(std::move(word));
}

asio::awaitable<void> cancel_and_join(Stage* stage) {
    stage->group.cancel();
    co_await stage->group.join();
}

TEST(TaskGroup, JoinWaitsForTasksThatEndByThemselves) {
    Stage stage;
    stage.group.spawn(end_after_one_turn(&stage));
    EXPECT_EQ(stage.group.size(), 1U);
    EXPECT_TRUE(test::run(stage.loop, join_and_say(&stage, "joined")));
    EXPECT_THAT(stage.told, ElementsAre("ended", "joined"));
    EXPECT_EQ(stage.group.size(), 0U);
}

TEST(TaskGroup, JoinOfAnEmptyGroupReturnsAtOnce) {
    Stage stage;
    EXPECT_TRUE(test::run(stage.loop, stage.group.join()));
}

TEST(TaskGroup, CancelEndsEveryWait) {
    Stage stage;
    stage.group.spawn(wait_quietly(&stage));
    stage.group.spawn(wait_quietly(&stage));
    stage.loop.poll(); // both are waiting now
    EXPECT_TRUE(test::run(stage.loop, cancel_and_join(&stage)));
    EXPECT_THAT(stage.told, ElementsAre("aborted", "aborted"));
}

TEST(TaskGroup, CancelBeforeTheLoopRunsIsNotLost) {
    Stage stage;
    stage.group.spawn(wait_for_ever());
    stage.group.cancel();
    EXPECT_TRUE(test::run(stage.loop, stage.group.join()));
    EXPECT_EQ(stage.group.size(), 0U);
    EXPECT_THAT(stage.surprises, IsEmpty());
}

TEST(TaskGroup, BeingCancelledIsNoSurprise) {
    Stage stage;
    stage.group.spawn(wait_for_ever());
    stage.loop.poll();
    EXPECT_TRUE(test::run(stage.loop, cancel_and_join(&stage)));
    EXPECT_THAT(stage.surprises, IsEmpty());
}

asio::awaitable<void> throw_error() {
    co_await step_aside();
    throw std::runtime_error("the disk is on fire");
}

asio::awaitable<void> throw_code() {
    co_await step_aside();
    throw boost::system::system_error(asio::error::connection_reset, "read");
}

asio::awaitable<void> throw_number() {
    co_await step_aside();
    throw 7; // NOLINT(hicpp-exception-baseclass): foreign code may
}

TEST(TaskGroup, TellsWhatATaskThrewAndGoesOn) {
    Stage stage;
    stage.group.spawn(throw_error());
    stage.group.spawn(throw_code());
    stage.group.spawn(throw_number());
    stage.group.spawn(end_after_one_turn(&stage));
    EXPECT_TRUE(test::run(stage.loop, stage.group.join()));
    EXPECT_THAT(
        stage.surprises,
        ElementsAre(
            "the disk is on fire",
            HasSubstr("read: Connection reset"),
            HasSubstr("no std::exception")
        )
    );
    EXPECT_THAT(stage.told, ElementsAre("ended"));
}

asio::awaitable<void> cancel_the_group(Stage* stage) {
    co_await step_aside();
    stage->group.cancel();
    stage->told.emplace_back("cancelled the others");
}

TEST(TaskGroup, ATaskMayCancelItsOwnGroup) {
    Stage stage;
    stage.group.spawn(wait_quietly(&stage));
    stage.group.spawn(cancel_the_group(&stage));
    stage.group.spawn(wait_quietly(&stage));
    EXPECT_TRUE(test::run(stage.loop, stage.group.join()));
    EXPECT_THAT(stage.told, ElementsAre("cancelled the others", "aborted", "aborted"));
}

/// Ends the moment it is told to, inside the call that tells it, and so does its neighbour: the
/// harshest way to change the list of tasks while `cancel` walks it.
asio::awaitable<void> end_inside_cancel(Stage* stage, std::vector<std::function<void()>>* waiting) {
    auto start = [waiting](auto handler) {
        auto slot = asio::get_associated_cancellation_slot(handler);
        auto shared = std::make_shared<decltype(handler)>(std::move(handler));
        waiting->push_back([shared] { std::move (*shared)(); });
        slot.assign([waiting](asio::cancellation_type) {
            const auto all = std::exchange(*waiting, {});
            for (const auto& resume : all) {
                resume();
            }
        });
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(
        start, asio::use_awaitable
    );
    stage->told.emplace_back("ended");
}

TEST(TaskGroup, TasksMayEndWhileTheyAreBeingCancelled) {
    Stage stage;
    std::vector<std::function<void()>> waiting;
    for (int i = 0; i < 3; ++i) {
        stage.group.spawn(end_inside_cancel(&stage, &waiting));
    }
    stage.loop.poll();
    EXPECT_TRUE(test::run(stage.loop, cancel_and_join(&stage)));
    EXPECT_THAT(stage.told, ElementsAre("ended", "ended", "ended"));
}

TEST(TaskGroup, CancelFromOutsideTheLoopMayComeTooLate) {
    Stage stage;
    stage.group.spawn(end_after_one_turn(&stage));
    stage.loop.poll_one(); // its last step is queued, so it ends before the cancellation arrives
    stage.group.cancel();
    EXPECT_TRUE(test::run(stage.loop, stage.group.join()));
    EXPECT_EQ(stage.group.size(), 0U);
}

TEST(TaskGroup, SeveralMayJoinAtOnce) {
    Stage stage;
    TaskGroup watchers(stage.loop.get_executor(), [](const std::string& what) { FAIL() << what; });
    stage.group.spawn(wait_quietly(&stage));
    watchers.spawn(join_and_say(&stage, "first"));
    watchers.spawn(join_and_say(&stage, "second"));
    stage.loop.poll(); // would never return if two joins kept waking each other
    stage.group.cancel();
    EXPECT_TRUE(test::run(stage.loop, watchers.join()));
    EXPECT_THAT(stage.told, ElementsAre("aborted", "first", "second"));
}

TEST(TaskGroup, JoinStaysUntilTheEndEvenWhenTheJoinerIsCancelled) {
    Stage stage;
    TaskGroup watchers(stage.loop.get_executor(), [](const std::string& what) { FAIL() << what; });
    stage.group.spawn(wait_quietly(&stage));
    watchers.spawn(join_and_say(&stage, "joined"));
    stage.loop.poll();
    watchers.cancel();
    stage.loop.restart();
    stage.loop.poll();
    EXPECT_THAT(stage.told, IsEmpty());
    stage.group.cancel();
    EXPECT_TRUE(test::run(stage.loop, watchers.join()));
    EXPECT_THAT(stage.told, ElementsAre("aborted", "joined"));
}

TEST(TaskGroupDeathTest, AGroupThatDiesWithTasksIsABrokenPromise) {
    EXPECT_DEATH(
        {
            Stage stage;
            stage.group.spawn(wait_for_ever());
        },
        "broken promise.*tasks.empty"
    );
}

} // namespace

} // namespace baton::async
