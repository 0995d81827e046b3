#include "baton/store/sqlite/log_keeper.hpp"

#include "baton/store/sql/connection.hpp"
#include "baton/store/sqlite/engine.hpp"

#include <sqlite3.h>

#include <chrono>
#include <future>
#include <system_error>
#include <utility>

namespace baton::store::sqlite {

namespace {

// A checkpoint of a long log takes 20 to 100 ms. It waits for a pause; when none comes, most of it
// is made aside.
constexpr int kLogPagesQuiet = 1'000; // 8 MB
constexpr int kLogPagesBusy = 6'000;  // 48 MB

/// Passive: neither waits for anybody nor keeps anybody out. What fails now is done the next time.
void bring_home(const Connection& db) {
    sqlite3_wal_checkpoint_v2(handle_of(db), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

bool is_made(const std::future<void>& checkpoint) {
    return checkpoint.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

} // namespace

LogKeeper::LogKeeper(const Connection& writing, Connection aside)
    : aside_(std::move(aside)) {
    sqlite3_wal_hook(handle_of(writing), &LogKeeper::log_grew, this);
}

/// After a failed sync the kernel may call writes clean that never reached the disk, and a second
/// sync says nothing of them. So what the log holds is written once more, into the file, and the
/// log begins anew; until that works, nothing is acknowledged.
void LogKeeper::before_batch(Connection& db) {
    if (!log_doubted_) {
        return;
    }
    const int code = sqlite3_wal_checkpoint_v2(
        handle_of(db), nullptr, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr
    );
    if (code == SQLITE_OK) {
        log_doubted_ = false;
    } else {
        db.spoil("the log could not be written anew after the disk failed");
    }
}

void LogKeeper::after_commit(Connection& db) {
    if (log_pages_ >= kLogPagesBusy) {
        shorten_log(db);
    }
}

void LogKeeper::after_failure(const sql::Failure& failure) {
    log_doubted_ = log_doubted_ || failure.disk;
}

bool LogKeeper::wants_a_pause() const {
    return log_pages_ >= kLogPagesQuiet;
}

void LogKeeper::in_a_pause(Connection& db) {
    checkpoint(db);
}

void LogKeeper::checkpoint(const Connection& db) {
    if (aside_made_.valid() && is_made(aside_made_)) {
        aside_made_.get(); // of a burst that is over: the next one begins aside again
    }
    bring_home(db);
    log_pages_ = 0;
}

/// The log begins anew only when all of it is in the file, and under load there is always more: so
/// what was written during the checkpoint aside is brought home between two commits.
void LogKeeper::shorten_log(const Connection& db) {
    if (aside_made_.valid()) {
        if (is_made(aside_made_)) {
            checkpoint(db);
        }
        return;
    }
    try {
        aside_made_ = std::async(std::launch::async, [this] { bring_home(aside_); });
    } catch (const std::system_error&) { // no thread to be had
        checkpoint(db);
    }
}

int LogKeeper::log_grew(void* keeper, sqlite3* /*handle*/, const char* /*schema*/, int pages) {
    static_cast<LogKeeper*>(keeper)->log_pages_ = pages;
    return SQLITE_OK;
}

} // namespace baton::store::sqlite
