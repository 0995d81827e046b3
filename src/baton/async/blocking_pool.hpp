#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstddef>
#include <utility>

namespace baton::async {

/// Threads for work that blocks (file reads, SQLite reads, key parsing), so that event loops never do.
class BlockingPool {
public:
    explicit BlockingPool(std::size_t threads) : pool_(threads) {}

    /// Runs `work` on a pool thread and returns its value on the caller's executor. `work` must not throw; its result
    /// must be default-constructible.
    template <class Work>
    auto run(Work work) -> boost::asio::awaitable<decltype(work())> {
        using Value = decltype(work());
        const auto home = co_await boost::asio::this_coro::executor;
        Value value{};
        auto* place = &value; // this frame outlives the work: it waits for it
        auto start = [this, home, place, job = std::move(work)](auto handler) mutable {
            boost::asio::post(pool_, [home, place, job = std::move(job), handler = std::move(handler)]() mutable {
                *place = job();
                boost::asio::post(home, std::move(handler));
            });
        };
        co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
            std::move(start), boost::asio::use_awaitable
        );
        co_return value;
    }

    void join() { pool_.join(); }

private:
    boost::asio::thread_pool pool_;
};

} // namespace baton::async
