#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/job.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace baton::store::sqlite {

/// The one thread that writes. What is queued while a commit is under way shares the next one, so
/// the price of a flush is divided by the load; results leave only after the commit.
///
///     submit -> queue -> BEGIN IMMEDIATE, each operation in turn, COMMIT -> results posted to the
///     callers
///
/// A commit that fails (disk full, device error, another writer) fails its whole batch with
/// `unavailable`; the next batch begins afresh, so the store works again as soon as the disk does.
/// Dying, it finishes what is queued.
class Writer {
public:
    /// `aside` is used for checkpoints beside the commits, on a thread of its own.
    Writer(Connection db, Connection aside);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer();

    /// Queues `work` (Connection& -> Result<T>) and resumes the caller on its own executor.
    /// `unavailable` at once when limits::kWriteQueueMax operations wait already.
    template <class T, class Work> boost::asio::awaitable<Result<T>> submit(Undo undo, Work work) {
        auto start = [this, undo, work = std::move(work)](auto handler) mutable {
            using Typed = TypedJob<T, Work, decltype(handler)>;
            auto job = std::make_shared<Typed>(undo, std::move(work), std::move(handler));
            job->wait();
            enqueue(std::move(job));
        };
        return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(Result<T>)>(
            std::move(start), boost::asio::use_awaitable
        );
    }

    std::uint64_t commits() const { return commits_; }

    std::uint64_t operations() const { return operations_; }

private:
    using Batch = std::vector<std::shared_ptr<Job>>;

    void enqueue(std::shared_ptr<Job> job);
    void work();
    /// Waits for work; an empty batch means: stop. Looks after the log while nothing is to do.
    Batch next_batch();
    void commit(const Batch& batch);
    void perform(Job& job);
    bool run_guarded(Job& job);
    void checkpoint();
    void shorten_log();
    void renew_log();
    static int log_grew(void* writer, sqlite3* handle, const char* schema, int pages);

    Connection db_;
    Connection aside_;             // only the checkpoint's under way
    std::future<void> aside_made_; // waited for before the connection goes
    int log_pages_{0};             // writer's thread only
    bool log_doubted_{false};      // the disk failed: see renew_log
    std::atomic<std::uint64_t> commits_{0};
    std::atomic<std::uint64_t> operations_{0};

    std::mutex mutex_;
    std::condition_variable filled_;
    std::deque<std::shared_ptr<Job>> queue_; // guarded
    bool stopping_{false};                   // guarded

    std::thread thread_; // last: starts when everything above is there
};

} // namespace baton::store::sqlite
