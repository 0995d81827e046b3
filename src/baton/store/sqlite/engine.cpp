#include "baton/store/sqlite/engine.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace baton::store::sqlite {

using sql::Blob;
using sql::Failure;
using sql::Harm;
using sql::Keep;
using sql::Scope;

namespace {

constexpr int kBusyMs = 5000;

constexpr Query kWal{"journal_mode", "PRAGMA journal_mode = WAL"};
// The log is cut back after a checkpoint rather than kept at its longest. What is deleted is
// overwritten where that costs no further write: Debian's SQLite does it everywhere by default.
constexpr const char* kEveryConnection = R"(
    PRAGMA synchronous = EXTRA;
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA secure_delete = FAST;
    PRAGMA journal_size_limit = 67108864;
)";
constexpr Query kSecure{"secure_log", "PRAGMA wal_checkpoint(PASSIVE)"};
constexpr const char* kNewFile = "PRAGMA page_size = 8192;"; // no effect on a file that has pages
constexpr const char* kWriterCache = "PRAGMA cache_size = -16384;";
constexpr const char* kReadOnly = "PRAGMA query_only = ON;";

constexpr Query kBeginWrite{"begin", "BEGIN IMMEDIATE"};
constexpr Query kBeginRead{"begin_read", "BEGIN"};
constexpr Query kCommit{"commit", "COMMIT"};

int flags_of(Access access) {
    // One thread at a time by contract, so SQLite need not lock each call.
    const int common = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    return access == Access::create ? common | SQLITE_OPEN_CREATE : common;
}

void note(sql::Engine& engine, sqlite3* handle, int code, const char* name) {
    const int extended = sqlite3_extended_errcode(handle);
    engine.note(failure_of(
        (extended & 0xff) == (code & 0xff) ? extended : code,
        fmt::format("{}: {}", name, sqlite3_errmsg(handle))
    ));
}

class SqliteStatement final : public sql::Statement {
public:
    SqliteStatement(sql::Engine& engine, sqlite3_stmt* statement, const char* name)
        : engine_(engine)
        , statement_(statement)
        , name_(name) {}

    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;

    ~SqliteStatement() override { sqlite3_finalize(statement_); }

    void expect(std::size_t /*places*/) override {}

    void bind(int place, std::int64_t value) override {
        sqlite3_bind_int64(statement_, place, value);
    }

    void bind(int place, double value) override { sqlite3_bind_double(statement_, place, value); }

    void bind(int place, std::string_view value, Keep keep) override {
        const auto* start =
            value.data() == nullptr ? "" : value.data(); // a null pointer would mean NULL
        sqlite3_bind_text64(
            statement_, place, start, value.size(), destructor_for(keep), SQLITE_UTF8
        );
    }

    void bind(int place, Blob value, Keep keep) override {
        const auto* start = value.bytes.data() == nullptr ? "" : value.bytes.data();
        sqlite3_bind_blob64(statement_, place, start, value.bytes.size(), destructor_for(keep));
    }

    bool step() override {
        if (engine_.failure()) {
            return false;
        }
        const int code = sqlite3_step(statement_);
        if (code != SQLITE_ROW && code != SQLITE_DONE) {
            note(engine_, sqlite3_db_handle(statement_), code, name_);
        }
        return code == SQLITE_ROW;
    }

    void send(sql::Later id) override {
        const bool answered = step();
        if (id != nullptr) {
            *id = answered ? integer(0) : 0;
        }
    }

    std::int64_t changed() const override {
        return sqlite3_changes64(sqlite3_db_handle(statement_));
    }

    void reset() override {
        sqlite3_reset(statement_);
        sqlite3_clear_bindings(statement_);
    }

    std::int64_t integer(int column) const override {
        return sqlite3_column_int64(statement_, column);
    }

    double real(int column) const override { return sqlite3_column_double(statement_, column); }

    std::string_view view(int column) const override {
        return sized(sqlite3_column_text(statement_, column), column);
    }

    std::string_view bytes(int column) const override {
        return sized(sqlite3_column_blob(statement_, column), column);
    }

    bool is_null(int column) const override {
        return sqlite3_column_type(statement_, column) == SQLITE_NULL;
    }

    bool busy() const { return sqlite3_stmt_busy(statement_) != 0; }

    bool scanned() const {
        return sqlite3_stmt_status(statement_, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0) > 0 ||
               sqlite3_stmt_status(statement_, SQLITE_STMTSTATUS_SORT, 0) > 0;
    }

private:
    static sqlite3_destructor_type destructor_for(Keep keep) {
        return keep == Keep::copied ? SQLITE_TRANSIENT : SQLITE_STATIC;
    }

    std::string_view sized(const void* start, int column) const {
        if (start == nullptr) {
            return {};
        }
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
        return {static_cast<const char*>(start), size};
    }

    sql::Engine& engine_;
    sqlite3_stmt* statement_;
    const char* name_;
};

class SqliteEngine final : public sql::Engine {
public:
    explicit SqliteEngine(sqlite3* handle)
        : handle_(handle) {}

    SqliteEngine(const SqliteEngine&) = delete;
    SqliteEngine& operator=(const SqliteEngine&) = delete;

    ~SqliteEngine() override {
        statements_.clear();
        sqlite3_close_v2(handle_);
    }

    sql::Statement* statement_for(const Query& query) override {
        if (failure()) {
            return nullptr;
        }
        auto& statement = statements_[&query];
        if (statement == nullptr) {
            sqlite3_stmt* prepared = nullptr;
            const int code = sqlite3_prepare_v3(
                handle_, query.sql, -1, SQLITE_PREPARE_PERSISTENT, &prepared, nullptr
            );
            if (code != SQLITE_OK) {
                sqlite::note(*this, handle_, code, query.name);
                return nullptr;
            }
            statement = std::make_unique<SqliteStatement>(*this, prepared, query.name);
        }
        BATON_ASSERT(!statement->busy()); // its rows are still being read further up
        return statement.get();
    }

    void script(const char* sql, const char* name) override {
        const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
        if (code != SQLITE_OK) {
            sqlite::note(*this, handle_, code, name);
        }
    }

    void begin(Scope scope) override { run_plain(scope == Scope::read ? kBeginRead : kBeginWrite); }

    void commit() override { run_plain(kCommit); }

    void roll_back() override {
        if (sqlite3_get_autocommit(handle_) == 0) { // SQLite ends it by itself after some failures
            sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
        }
    }

    std::string_view kind() const override { return "sqlite"; }

    std::int64_t bytes_on_disk() override {
        const auto* name = sqlite3_db_filename(handle_, "main");
        std::int64_t bytes = 0;
        for (const std::string_view ending : {"", "-wal"}) {
            std::error_code absent;
            const auto size = std::filesystem::file_size(
                std::string(name == nullptr ? "" : name).append(ending), absent
            );
            bytes += absent ? 0 : static_cast<std::int64_t>(size);
        }
        return bytes;
    }

    sqlite3* handle() const { return handle_; }

    const auto& statements() const { return statements_; }

private:
    void run_plain(const Query& query) {
        auto* statement = statement_for(query);
        if (statement != nullptr) {
            statement->step();
            statement->reset();
        }
    }

    sqlite3* handle_;
    std::unordered_map<const Query*, std::unique_ptr<SqliteStatement>> statements_;
};

const SqliteEngine& engine_of(const Connection& db) {
    return static_cast<const SqliteEngine&>(db.engine());
}

} // namespace

Failure failure_of(int code, std::string text) {
    const auto saying = [&text](Errc errc, Harm harm, std::string_view sentence) {
        return Failure{
            .code = errc, .harm = harm, .sentence = std::string(sentence), .text = std::move(text)
        };
    };
    switch (code & 0xff) {
    case SQLITE_FULL:
        return saying(
            Errc::unavailable,
            Harm::transaction,
            "the store's disk is full; nothing was written, and it goes on once there is room"
        );
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return saying(
            Errc::unavailable,
            Harm::transaction,
            "another process is writing to the store; try again"
        );
    case SQLITE_IOERR: {
        auto failure = saying(
            Errc::unavailable,
            Harm::transaction,
            "the store's disk refuses to read or write; nothing was changed"
        );
        failure.disk = true;
        return failure;
    }
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
        return saying(Errc::conflict, Harm::operation, "this contradicts what the store holds");
    case SQLITE_TOOBIG:
    case SQLITE_RANGE:
        return saying(Errc::unavailable, Harm::operation, "the store cannot be used now");
    case SQLITE_NOTADB:
        return saying(Errc::invalid, Harm::transaction, "this file is not a SQLite database");
    case SQLITE_CORRUPT:
        return saying(
            Errc::unavailable, Harm::transaction, "the store's file is damaged; restore a backup"
        );
    default: // SQLite's codes, not ours: whatever we do not know may have hurt the transaction
        return saying(Errc::unavailable, Harm::transaction, "the store cannot be used now");
    }
}

Result<Connection> open(const std::string& path, Access access, const std::string& vfs) {
    // Counting its memory would cost SQLite a lock of the whole process per allocation. Only the
    // first word counts; later ones change nothing.
    static const int uncounted = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    static_cast<void>(uncounted);
    sqlite3* handle = nullptr;
    const auto* chosen = vfs.empty() ? nullptr : vfs.c_str();
    const int code = sqlite3_open_v2(path.c_str(), &handle, flags_of(access), chosen);
    Connection connection(std::make_unique<SqliteEngine>(handle)); // closes it in any case
    if (code != SQLITE_OK) {
        const auto* why = handle == nullptr ? "out of memory" : sqlite3_errmsg(handle);
        return fail(Errc::unavailable, fmt::format("the store {} cannot be opened: {}", path, why));
    }
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, kBusyMs);
    if (access == Access::create) {
        connection.script(kNewFile, "page_size");
    }
    connection.script(kEveryConnection, "pragmas");
    connection.script(access == Access::read ? kReadOnly : kWriterCache, "pragmas");
    if (!connection.ok()) {
        return fail(about(path, to_error(connection.failure())));
    }
    return connection;
}

Error about(const std::string& path, Error error) {
    error.detail = fmt::format("{}: {}", path, error.detail);
    return error;
}

sqlite3* handle_of(const Connection& db) {
    return engine_of(db).handle();
}

void use_wal(Connection& db) {
    auto mode = db.rows(kWal);
    if (mode.next() && mode.view(0) != "wal") {
        db.spoil("this file system cannot hold a write-ahead log");
    }
}

void secure_log(Connection& db) {
    db.rows(kSecure).next(); // as far as readers allow: a backup may be looking at an older state
    sqlite3_file* log = nullptr;
    auto* handle = handle_of(db);
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log));
    if (!db.ok() || log == nullptr || log->pMethods == nullptr) {
        return;
    }
    const int code = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL); // what stays in the log
    if (code != SQLITE_OK) {
        note(db.engine(), handle, code, "secure_log");
    }
}

std::vector<std::string> statements_that_scanned(const Connection& db) {
    std::vector<std::string> names;
    for (const auto& [query, statement] : engine_of(db).statements()) {
        if (statement != nullptr && statement->scanned()) {
            names.emplace_back(query->name);
        }
    }
    return names;
}

} // namespace baton::store::sqlite
