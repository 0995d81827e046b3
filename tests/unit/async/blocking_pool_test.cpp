#include "baton/async/blocking_pool.hpp"
#include "baton/async/task_group.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/run_coroutine.hpp"

namespace baton::async {

namespace {

namespace asio = boost::asio;

/// A gate that work on the pool waits at until the test opens it.
class Gate {
public:
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }

    void pass() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return open_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_{false};
};

struct Threads {
    std::thread::id worked;
    std::thread::id resumed;
};

asio::awaitable<Threads> look_around(BlockingPool* pool) {
    auto work = [] { return std::this_thread::get_id(); };
    const auto worked = co_await pool->run(work);
    co_return Threads{.worked = worked, .resumed = std::this_thread::get_id()};
}

TEST(BlockingPool, WorksElsewhereAndReturnsHome) {
    asio::io_context loop;
    BlockingPool pool(1);
    const auto threads = test::run(loop, look_around(&pool));
    ASSERT_TRUE(threads);
    EXPECT_NE(threads->worked, std::this_thread::get_id());
    EXPECT_EQ(threads->resumed, std::this_thread::get_id());
    pool.join();
}

/// Neither copied nor made from nothing: the pool must not ask for more than moving.
struct Parcel {
    explicit Parcel(int number)
        : content(std::make_unique<int>(number)) {}

    std::unique_ptr<int> content;
};

asio::awaitable<int> fetch_parcel(BlockingPool* pool) {
    auto work = [seed = std::make_unique<int>(5)] { return Parcel(*seed + 1); };
    const auto parcel = co_await pool->run(std::move(work));
    co_return *parcel.content;
}

TEST(BlockingPool, MovesWorkAndValueOnly) {
    asio::io_context loop;
    BlockingPool pool(1);
    EXPECT_EQ(test::run(loop, fetch_parcel(&pool)), 6);
    pool.join();
}

asio::awaitable<int> stumble(BlockingPool* pool) {
    auto work = []() -> int { throw std::runtime_error("file is gone"); };
    co_return co_await pool->run(work);
}

TEST(BlockingPool, ThrowsWhatTheWorkThrewWhereItWasAsked) {
    asio::io_context loop;
    BlockingPool pool(1);
    EXPECT_THROW(test::run(loop, stumble(&pool)), std::runtime_error);
    pool.join();
}

asio::awaitable<void> wait_at(BlockingPool* pool, Gate* gate, std::vector<std::string>* words) {
    auto work = [gate] {
        gate->pass();
        return 1;
    };
    static_cast<void>(co_await pool->run(work));
    words->emplace_back("came home");
}

TEST(BlockingPool, ACancelledCallerStillWaitsForItsWork) {
    asio::io_context loop;
    BlockingPool pool(1);
    Gate gate;
    std::vector<std::string> words;
    TaskGroup group(loop.get_executor(), [](const std::string& what) { FAIL() << what; });
    group.spawn(wait_at(&pool, &gate, &words));
    loop.poll();
    group.cancel();
    loop.poll();
    EXPECT_EQ(group.size(), 1U);
    gate.open();
    EXPECT_TRUE(test::run(loop, group.join()));
    EXPECT_EQ(group.size(), 0U);
    pool.join();
}

asio::awaitable<void> add_up(BlockingPool* pool, int number, int* sum) {
    auto work = [number] { return number * 2; };
    const int doubled = co_await pool->run(work);
    *sum += doubled; // on the loop's one thread, whichever pool thread did the work
}

TEST(BlockingPool, ManyCallersShareAFewThreads) {
    asio::io_context loop;
    BlockingPool pool(3);
    int sum = 0;
    TaskGroup group(loop.get_executor(), [](const std::string& what) { FAIL() << what; });
    for (int i = 1; i <= 200; ++i) {
        group.spawn(add_up(&pool, i, &sum));
    }
    EXPECT_TRUE(test::run(loop, group.join()));
    EXPECT_EQ(sum, 200 * 201);
    pool.join();
}

} // namespace

} // namespace baton::async
