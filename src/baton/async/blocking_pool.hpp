#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

namespace baton::async {

/// Threads for work that blocks (file reads, SQLite reads, key parsing), so that event loops never
/// do. Join it while the event loops of its callers still exist: that is where results go.
class BlockingPool {
public:
    explicit BlockingPool(std::size_t threads)
        : pool_(threads) {}

    /// Runs `work` on a pool thread and returns its value, or throws what it threw, on the caller's
    /// executor. Work that began is not interrupted: a cancelled caller still waits for it.
    template <class Work> auto run(Work work) -> boost::asio::awaitable<decltype(work())> {
        const auto home = co_await boost::asio::this_coro::executor;
        Ending<decltype(work())> ending;
        auto* place = &ending; // this frame outlives the work: it waits for it
        auto start = [this, home, place, job = std::move(work)](auto handler) mutable {
            auto task =
                [home, place, job = std::move(job), handler = std::move(handler)]() mutable {
                    place->fill(job);
                    boost::asio::post(home, std::move(handler));
                };
            boost::asio::post(pool_, std::move(task));
        };
        co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
            std::move(start), boost::asio::use_awaitable
        );
        if (ending.thrown) {
            std::rethrow_exception(ending.thrown);
        }
        co_return *std::move(ending.value);
    }

    /// Returns when all work is done; nothing may be given to the pool afterwards.
    void join() { pool_.join(); }

private:
    template <class Value> struct Ending {
        std::optional<Value> value;
        std::exception_ptr thrown;

        template <class Work> void fill(Work& work) noexcept {
            try {
                value.emplace(work());
            } catch (...) {
                thrown = std::current_exception();
            }
        }
    };

    boost::asio::thread_pool pool_;
};

} // namespace baton::async
