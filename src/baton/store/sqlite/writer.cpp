#include "baton/store/sqlite/writer.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/job.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <future>
#include <iterator>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace baton::store::sqlite {

namespace {

constexpr Query kBegin{"begin", "BEGIN IMMEDIATE"};
constexpr Query kCommit{"commit", "COMMIT"};
constexpr Query kSavepoint{"savepoint", "SAVEPOINT operation"};
constexpr Query kRelease{"release", "RELEASE operation"};
constexpr Query kUndo{"undo", "ROLLBACK TO operation"};

// A checkpoint of a long log takes 20 to 100 ms. It waits for a pause; when none comes, most of it
// is made aside.
constexpr int kLogPagesQuiet = 1'000; // 8 MB
constexpr int kLogPagesBusy = 6'000;  // 48 MB
constexpr std::chrono::milliseconds kPause{50};

/// Passive: neither waits for anybody nor keeps anybody out. What fails now is done the next time.
void bring_home(const Connection& db) {
    sqlite3_wal_checkpoint_v2(db.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

} // namespace

Writer::Writer(Connection db, Connection aside)
    : db_(std::move(db))
    , aside_(std::move(aside))
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
    sqlite3_wal_hook(
        db_.handle(), &Writer::log_grew, this
    ); // instead of SQLite's own automatic checkpoint
    for (auto batch = next_batch(); !batch.empty(); batch = next_batch()) {
        commit(batch);
        if (log_pages_ >= kLogPagesBusy) {
            shorten_log();
        }
    }
}

Writer::Batch Writer::next_batch() {
    std::unique_lock lock(mutex_);
    const auto ready = [this] { return stopping_ || !queue_.empty(); };
    if (log_pages_ >= kLogPagesQuiet && !filled_.wait_for(lock, kPause, ready)) {
        lock.unlock();
        checkpoint();
        lock.lock();
    }
    filled_.wait(lock, ready);
    const auto size = std::min(queue_.size(), limits::kGroupCommitMax);
    const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(size);
    Batch batch(std::make_move_iterator(queue_.begin()), std::make_move_iterator(end));
    queue_.erase(queue_.begin(), end);
    return batch;
}

void Writer::commit(const Batch& batch) {
    if (log_doubted_) {
        renew_log();
    }
    db_.run(kBegin);
    for (const auto& job : batch) {
        if (!db_.ok()) {
            break;
        }
        perform(*job);
    }
    db_.run(kCommit);
    if (db_.ok()) {
        ++commits_;
        operations_ += batch.size();
    } else {
        const auto error = to_error(db_.failure());
        log_doubted_ = log_doubted_ || (db_.failure().code & 0xff) == SQLITE_IOERR;
        db_.roll_back();
        for (const auto& job : batch) {
            job->fail_with(error);
        }
    }
    for (const auto& job : batch) {
        job->hand_over();
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
    const bool kept = run_guarded(job);
    if (!db_.ok() && harm_of(db_.failure().code) == Harm::operation) {
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
        return job.run(db_) && db_.ok();
    } catch (const std::exception& error) {
        job.fail_with(
            {.code = Errc::unavailable, .detail = fmt::format("the store failed: {}", error.what())}
        );
        return false;
    }
}

/// After a failed sync the kernel may call writes clean that never reached the disk, and a second
/// sync says nothing of them. So what the log holds is written once more, into the file, and the
/// log begins anew; until that works, nothing is acknowledged.
void Writer::renew_log() {
    const int code = sqlite3_wal_checkpoint_v2(
        db_.handle(), nullptr, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr
    );
    if (code == SQLITE_OK) {
        log_doubted_ = false;
    } else {
        db_.spoil("the log could not be written anew after the disk failed");
    }
}

void Writer::checkpoint() {
    if (aside_made_.valid() &&
        aside_made_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        aside_made_.get(); // of a burst that is over: the next one begins aside again
    }
    bring_home(db_);
    log_pages_ = 0;
}

/// The log begins anew only when all of it is in the file, and under load there is always more: so
/// what was written during the checkpoint aside is brought home between two commits.
void Writer::shorten_log() {
    if (aside_made_.valid()) {
        if (aside_made_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
            checkpoint();
        }
        return;
    }
    try {
        aside_made_ = std::async(std::launch::async, [this] { bring_home(aside_); });
    } catch (const std::system_error&) { // no thread to be had
        checkpoint();
    }
}

int Writer::log_grew(void* writer, sqlite3* /*handle*/, const char* /*schema*/, int pages) {
    static_cast<Writer*>(writer)->log_pages_ = pages;
    return SQLITE_OK;
}

} // namespace baton::store::sqlite
