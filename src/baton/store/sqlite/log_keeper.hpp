#pragma once

#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/writer.hpp"
#include "baton/store/sqlite/engine.hpp"

#include <future>

namespace baton::store::sqlite {

/// Keeps the write-ahead log short, instead of SQLite's own automatic checkpoint.
class LogKeeper final : public sql::Upkeep {
public:
    /// `writing` is the writer's connection; `aside` is used for checkpoints beside the commits, on
    /// a thread of its own.
    LogKeeper(const Connection& writing, Connection aside);

    void before_batch(Connection& db) override;
    void after_commit(Connection& db) override;
    void after_failure(const sql::Failure& failure) override;
    bool wants_a_pause() const override;
    void in_a_pause(Connection& db) override;

private:
    void checkpoint(const Connection& db);
    void shorten_log(const Connection& db);
    static int log_grew(void* keeper, sqlite3* handle, const char* schema, int pages);

    Connection aside_;             // only the checkpoint's under way
    std::future<void> aside_made_; // waited for before the connection goes
    int log_pages_{0};
    bool log_doubted_{false}; // the disk failed: see before_batch
};

} // namespace baton::store::sqlite
