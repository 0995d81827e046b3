#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job.hpp"
#include "baton/store/sql/queue.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace baton::store::sql {

/// What an adapter does beside the commits, on the writer's thread.
class Upkeep {
public:
    Upkeep() = default;
    Upkeep(const Upkeep&) = delete;
    Upkeep& operator=(const Upkeep&) = delete;
    virtual ~Upkeep() = default;

    /// May spoil the connection: then the batch fails.
    virtual void before_batch(Connection& /*db*/) {}

    virtual void after_commit(Connection& /*db*/) {}

    virtual void after_failure(const Failure& /*failure*/) {}

    virtual bool wants_a_pause() const { return false; }

    /// Nothing came for a moment.
    virtual void in_a_pause(Connection& /*db*/) {}
};

/// The one thread that writes. What is queued while a commit is under way shares the next one, so
/// the price of a flush is divided by the load; results leave only after the commit.
///
///     submit -> queue -> BEGIN, each operation in turn, COMMIT -> results posted to the callers
///
/// A commit that fails (disk full, device error, a database that went away) fails its whole batch
/// with `unavailable`; the next batch begins afresh, so the store works again as soon as what is
/// below it does. At most limits::kWriteQueueMax wait. Dying, it finishes what is queued.
class Writer final : public Queue {
public:
    Writer(Connection db, std::unique_ptr<Upkeep> upkeep, Scope scope = Scope::write);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() override;

    std::uint64_t commits() const { return commits_; }

    std::uint64_t operations() const { return operations_; }

    /// Who waits, in the queue or for the batch that is under way, hears this error now: the
    /// database says nothing, and callers have less patience than a session. What they asked for
    /// may still take effect. Any thread.
    void give_up(const Error& error);

private:
    using Batch = std::vector<std::shared_ptr<Job>>;

    void enqueue(std::shared_ptr<Job> job) override;
    void work();
    /// Waits for work; an empty batch means: stop.
    Batch next_batch();
    void end_batch();
    void commit(const Batch& batch);
    bool run_all(const Batch& batch);
    void send_ahead(Job& job);
    void perform(Job& job);
    bool run_guarded(Job& job);

    Connection db_;
    std::unique_ptr<Upkeep> upkeep_;
    Scope scope_;
    std::atomic<std::uint64_t> commits_{0};
    std::atomic<std::uint64_t> operations_{0};

    std::mutex mutex_;
    std::condition_variable filled_;
    std::deque<std::shared_ptr<Job>> queue_; // guarded
    Batch under_way_;                        // guarded
    bool stopping_{false};                   // guarded

    std::thread thread_; // last: starts when everything above is there
};

} // namespace baton::store::sql
