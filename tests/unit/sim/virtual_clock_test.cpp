#include "baton/async/task_group.hpp"
#include "baton/sim/virtual_clock.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace asio = boost::asio;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::kStart;

struct World {
    asio::io_context io;
    VirtualClock clock{kStart};
    async::TaskGroup tasks{io.get_executor(), [this](const std::string& what) {
                               surprises.push_back(what);
                           }};
    std::vector<std::string> story;
    std::vector<std::string> surprises;

    RunEnd run(RunLimits limits = {.until = kStart + hours{1000}, .done = {}}) {
        return run_until_quiet(io, clock, limits);
    }

    ~World() {
        tasks.cancel();
        io.restart();
        io.poll();
    }
};

asio::awaitable<void> sleep_and_tell(World* world, Millis how_long, std::string what) {
    const auto until = world->clock.now() + how_long;
    co_await world->clock.sleep_until(until);
    world->story.push_back(std::move(what));
}

asio::awaitable<void> tick_for_ever(World* world, Millis each) {
    while (true) {
        const auto until = world->clock.now() + each;
        co_await world->clock.sleep_until(until);
        world->story.emplace_back("tick");
    }
}

asio::awaitable<void> wait_for(World* world, ports::Bell* bell, Millis longest) {
    const auto until = world->clock.now() + longest;
    co_await bell->wait_until(until);
    world->story.push_back(to_text(world->clock.now() - kStart));
}

TEST(VirtualClock, StandsStillWhileThereIsWork) {
    World world;
    world.tasks.spawn(sleep_and_tell(&world, seconds{5}, "woke"));
    world.io.poll();
    EXPECT_EQ(world.clock.now(), kStart);
    EXPECT_TRUE(world.story.empty());
    EXPECT_EQ(world.clock.next_wake(), kStart + seconds{5});
}

TEST(VirtualClock, WakesSleepersInTheirOrder) {
    World world;
    world.tasks.spawn(sleep_and_tell(&world, hours{72}, "last"));
    world.tasks.spawn(sleep_and_tell(&world, seconds{1}, "first"));
    world.tasks.spawn(sleep_and_tell(&world, minutes{1}, "second"));
    world.tasks.spawn(sleep_and_tell(&world, minutes{1}, "third"));
    EXPECT_EQ(world.run(), RunEnd::quiet);
    EXPECT_EQ(world.story, (std::vector<std::string>{"first", "second", "third", "last"}));
    EXPECT_EQ(world.clock.now(), kStart + hours{72});
}

TEST(VirtualClock, DoesNotSleepWhenTheTimeIsPast) {
    World world;
    world.tasks.spawn(sleep_and_tell(&world, seconds{-1}, "at once"));
    EXPECT_EQ(world.run(), RunEnd::quiet);
    EXPECT_EQ(world.clock.now(), kStart);
    EXPECT_EQ(world.story.size(), 1U);
}

TEST(VirtualClock, LetsGoOfACancelledSleeper) {
    World world;
    world.tasks.spawn(sleep_and_tell(&world, seconds{5}, "never"));
    world.io.poll();
    ASSERT_EQ(world.clock.sleepers(), 1U);
    world.tasks.cancel();
    world.io.restart();
    world.io.poll();
    EXPECT_EQ(world.clock.sleepers(), 0U);
    EXPECT_TRUE(world.story.empty());
    EXPECT_TRUE(world.surprises.empty()) << "being cancelled is no surprise";
    EXPECT_FALSE(world.clock.advance_to_next());
}

TEST(VirtualClock, MayDieBeforeItsSleepers) {
    auto io = std::make_unique<asio::io_context>();
    auto clock = std::make_unique<VirtualClock>(kStart);
    asio::co_spawn(*io, clock->sleep_until(kStart + hours{1}), [](const std::exception_ptr&) {});
    io->poll();
    ASSERT_EQ(clock->sleepers(), 1U);
    clock.reset();
    io.reset(); // destroys the frame: the sanitizers see whether it touches the clock
}

TEST(VirtualClock, MayOutliveItsSleepers) {
    auto io = std::make_unique<asio::io_context>();
    VirtualClock clock(kStart);
    asio::co_spawn(*io, clock.sleep_until(kStart + hours{1}), [](const std::exception_ptr&) {});
    io->poll();
    ASSERT_EQ(clock.sleepers(), 1U);
    io.reset();
    EXPECT_EQ(clock.sleepers(), 0U);
    EXPECT_FALSE(clock.advance_to_next());
}

TEST(VirtualClock, KeepsTheLengthOfASleepWhenTheWallClockJumps) {
    World world;
    world.tasks.spawn(sleep_and_tell(&world, minutes{1}, "woke"));
    world.io.poll();
    world.clock.jump(hours{-5});
    EXPECT_EQ(world.clock.now(), kStart - hours{5});
    EXPECT_EQ(world.clock.next_wake(), kStart - hours{5} + minutes{1});
    EXPECT_EQ(world.run(), RunEnd::quiet);
    EXPECT_EQ(world.clock.now(), kStart - hours{5} + minutes{1});
    EXPECT_EQ(world.story.size(), 1U);
}

TEST(VirtualClock, AdvancesPastSeveralSleepersAtOnce) {
    World world;
    world.tasks.spawn(sleep_and_tell(&world, seconds{1}, "a"));
    world.tasks.spawn(sleep_and_tell(&world, seconds{2}, "b"));
    world.tasks.spawn(sleep_and_tell(&world, seconds{9}, "c"));
    world.io.poll();
    world.clock.advance(seconds{3});
    world.io.restart();
    world.io.poll();
    EXPECT_EQ(world.story, (std::vector<std::string>{"a", "b"}));
}

TEST(VirtualBell, WakesItsWaiterWhenRung) {
    World world;
    const auto bell = world.clock.make_bell();
    world.tasks.spawn(wait_for(&world, bell.get(), hours{1}));
    world.io.poll();
    world.clock.advance(seconds{2});
    bell->ring();
    EXPECT_EQ(world.run(), RunEnd::quiet);
    EXPECT_EQ(world.story, std::vector<std::string>{"2s"});
}

TEST(VirtualBell, RemembersRingsBeforeTheWaitAsOne) {
    World world;
    const auto bell = world.clock.make_bell();
    bell->ring();
    bell->ring();
    world.tasks.spawn(wait_for(&world, bell.get(), hours{1}));
    world.io.poll();
    ASSERT_EQ(world.story.size(), 1U);
    world.tasks.spawn(wait_for(&world, bell.get(), hours{1}));
    EXPECT_EQ(world.run(), RunEnd::quiet);
    EXPECT_EQ(world.story.back(), "1h");
}

TEST(RunUntilQuiet, EndsBeforeTheTimeLimitIsPassed) {
    World world;
    world.tasks.spawn(tick_for_ever(&world, minutes{1}));
    EXPECT_EQ(world.run({.until = kStart + minutes{10}, .done = {}}), RunEnd::time_spent);
    EXPECT_EQ(world.story.size(), 10U);
    EXPECT_EQ(world.clock.now(), kStart + minutes{10});
}

TEST(RunUntilQuiet, EndsWhenTheTestHasSeenEnough) {
    World world;
    world.tasks.spawn(tick_for_ever(&world, minutes{1}));
    const auto enough = [&] { return world.story.size() == 3; };
    EXPECT_EQ(world.run({.until = kStart + hours{10}, .done = enough}), RunEnd::done);
    EXPECT_EQ(world.clock.now(), kStart + minutes{3});
}

asio::awaitable<void> spin() {
    while (true) {
        co_await asio::post(asio::use_awaitable);
    }
}

TEST(RunUntilQuiet, EndsALoopThatNeverWaits) {
    World world;
    world.tasks.spawn(spin());
    EXPECT_EQ(
        world.run({.until = kStart + hours{1}, .steps = 1000, .done = {}}), RunEnd::steps_spent
    );
}

} // namespace
} // namespace baton::sim
