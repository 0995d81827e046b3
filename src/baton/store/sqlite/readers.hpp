#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/job.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace baton::store::sqlite {

/// Threads that read, one connection each, beside the writer: every read sees one snapshot, with
/// everything that was committed before it began.
///
/// Not async::BlockingPool: that one has to be joined before the event loops of its callers end,
/// and a store outlives them. Results leave through the waiting room instead, as those of the
/// writer do. Dying, it finishes what is queued.
class Readers {
public:
    explicit Readers(std::vector<Connection> connections);
    Readers(const Readers&) = delete;
    Readers& operator=(const Readers&) = delete;
    ~Readers();

    /// Runs `work` (Connection& -> Result<T>) on a snapshot and resumes the caller on its own
    /// executor. `unavailable` at once when limits::kReadQueueMax reads wait or run already.
    template <class T, class Work> boost::asio::awaitable<Result<T>> submit(Work work) {
        auto start = [this, work = std::move(work)](auto handler) mutable {
            using Typed = TypedJob<T, Work, decltype(handler)>;
            auto job = std::make_shared<Typed>(Undo::alone, std::move(work), std::move(handler));
            job->wait();
            enqueue(std::move(job));
        };
        return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(Result<T>)>(
            std::move(start), boost::asio::use_awaitable
        );
    }

private:
    void enqueue(std::shared_ptr<Job> job);
    void perform(Job& job);
    Connection borrow();
    void give_back(Connection db);

    std::atomic<std::size_t> waiting_{0};
    std::mutex mutex_;
    std::vector<Connection>
        idle_; // guarded; as many as there are threads, so never empty when asked
    boost::asio::thread_pool pool_;
};

} // namespace baton::store::sqlite
