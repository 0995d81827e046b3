#include "baton/store/sql/writer.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace baton::store::sql {

namespace {

constexpr Query kSavepoint{"savepoint", "SAVEPOINT operation"};
constexpr Query kRelease{"release", "RELEASE operation"};
constexpr Query kUndo{"undo", "ROLLBACK TO operation"};

constexpr std::chrono::milliseconds kPause{50};
constexpr int kTries = 3; // of a batch that met another in its way

} // namespace

Writer::Writer(Connection db, std::unique_ptr<Upkeep> upkeep, Scope scope)
    : db_(std::move(db))
    , upkeep_(std::move(upkeep))
    , scope_(scope)
    , thread_([this] { work(); }) {}

Writer::~Writer() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    filled_.notify_one();
    thread_.join();
}

void Writer::enqueue(std::shared_ptr<Job> job) {
    bool accepted = false;
    bool first = false;
    {
        const std::lock_guard lock(mutex_);
        accepted = queue_.size() < limits::kWriteQueueMax;
        first = queue_.empty(); // otherwise the writer is awake, or has been called already
        if (accepted) {
            queue_.push_back(job);
        }
    }
    if (!accepted) {
        job->fail_with(
            {.code = Errc::unavailable,
             .detail = fmt::format(
                 "{} operations wait for the store already; try again", limits::kWriteQueueMax
             )}
        );
        job->hand_over();
    } else if (first) {
        filled_.notify_one();
    }
}

void Writer::work() {
    for (auto batch = next_batch(); !batch.empty(); batch = next_batch()) {
        commit(batch);
        end_batch();
    }
}

Writer::Batch Writer::next_batch() {
    std::unique_lock lock(mutex_);
    const auto ready = [this] { return stopping_ || !queue_.empty(); };
    if (upkeep_->wants_a_pause() && !filled_.wait_for(lock, kPause, ready)) {
        lock.unlock();
        upkeep_->in_a_pause(db_);
        lock.lock();
    }
    filled_.wait(lock, ready);
    const auto size = std::min(queue_.size(), limits::kGroupCommitMax);
    const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(size);
    Batch batch(std::make_move_iterator(queue_.begin()), std::make_move_iterator(end));
    queue_.erase(queue_.begin(), end);
    under_way_ = batch;
    return batch;
}

void Writer::end_batch() {
    const std::lock_guard lock(mutex_);
    under_way_.clear();
}

void Writer::give_up(const Error& error) {
    Batch waiting;
    {
        const std::lock_guard lock(mutex_);
        waiting = under_way_;
        waiting.insert(waiting.end(), queue_.begin(), queue_.end());
    }
    for (const auto& job : waiting) {
        job->give_up(error);
    }
}

void Writer::commit(const Batch& batch) {
    upkeep_->before_batch(db_);
    for (int left = kTries; !run_all(batch) && db_.failure().again && --left > 0;) {
        db_.roll_back();
    }
    if (db_.ok()) {
        ++commits_;
        operations_ += batch.size();
    } else {
        const auto error = to_error(db_.failure());
        upkeep_->after_failure(db_.failure());
        db_.roll_back();
        for (const auto& job : batch) {
            job->fail_with(error);
        }
    }
    for (const auto& job : batch) {
        job->hand_over();
    }
    upkeep_->after_commit(db_);
}

bool Writer::run_all(const Batch& batch) {
    db_.begin(scope_);
    for (const auto& job : batch) {
        send_ahead(*job);
    }
    for (const auto& job : batch) {
        if (db_.has_failed()) {
            break;
        }
        perform(*job);
    }
    db_.commit();
    return db_.ok();
}

void Writer::send_ahead(Job& job) {
    try {
        job.send_ahead(db_);
    } catch (const std::exception& error) {
        db_.spoil(error.what());
    }
}

void Writer::perform(Job& job) {
    if (job.undo() == Undo::with_the_batch) {
        if (!run_guarded(job) && db_.ok()) {
            db_.spoil("an operation stopped half-way"
            ); // without a savepoint only the whole batch can be undone
        }
        return;
    }
    db_.run(kSavepoint);
    const bool kept = run_guarded(job) && db_.ok();
    if (!db_.ok() && db_.failure().harm == Harm::operation) {
        job.fail_with(to_error(db_.failure()));
        db_.forgive();
    }
    if (!kept) {
        db_.run(kUndo);
    }
    db_.run(kRelease);
}

/// The net under each operation: what it throws (memory, above all) fails it alone.
bool Writer::run_guarded(Job& job) {
    try {
        return job.run(db_);
    } catch (const std::exception& error) {
        job.fail_with(
            {.code = Errc::unavailable, .detail = fmt::format("the store failed: {}", error.what())}
        );
        return false;
    }
}

} // namespace baton::store::sql
