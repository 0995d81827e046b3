#include "baton/store/sqlite/connection.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace baton::store::sqlite {

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

int flags_of(Connection::Access access) {
    // One thread at a time by contract, so SQLite need not lock each call.
    const int common = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    return access == Connection::Access::create ? common | SQLITE_OPEN_CREATE : common;
}

} // namespace

class Rows::Owner {
public:
    explicit Owner(sqlite3* handle)
        : handle_(handle) {}

    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;

    ~Owner() {
        for (const auto& [query, statement] : statements_) {
            sqlite3_finalize(statement);
        }
        sqlite3_close_v2(handle_);
    }

    sqlite3_stmt* statement_for(const Query& query) {
        if (failure_.code != SQLITE_OK) {
            return nullptr;
        }
        auto& statement = statements_[&query];
        if (statement == nullptr) {
            const int code = sqlite3_prepare_v3(
                handle_, query.sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr
            );
            if (code != SQLITE_OK) {
                note(code, query.name);
                return nullptr;
            }
        }
        BATON_ASSERT(sqlite3_stmt_busy(statement) == 0); // its rows are still being read further up
        return statement;
    }

    void note(int code, const char* name) {
        const int extended = sqlite3_extended_errcode(handle_);
        failure_.code = (extended & 0xff) == (code & 0xff) ? extended : code;
        failure_.text = fmt::format("{}: {}", name, sqlite3_errmsg(handle_));
    }

    sqlite3* handle() const { return handle_; }

    const auto& statements() const { return statements_; }

    Failure& failure() { return failure_; }

private:
    sqlite3* handle_;
    std::unordered_map<const Query*, sqlite3_stmt*> statements_;
    Failure failure_;
};

Harm harm_of(int code) {
    switch (code & 0xff) {
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
    case SQLITE_RANGE:
        return Harm::operation;
    default: // SQLite's codes, not ours: whatever we do not know may have hurt the transaction
        return Harm::transaction;
    }
}

Error to_error(const Failure& failure) {
    const auto saying = [&failure](Errc code, std::string_view sentence) {
        return Error{.code = code, .detail = fmt::format("{} ({})", sentence, failure.text)};
    };
    switch (failure.code & 0xff) {
    case SQLITE_FULL:
        return saying(
            Errc::unavailable,
            "the store's disk is full; nothing was written, and it goes on once there is room"
        );
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return saying(Errc::unavailable, "another process is writing to the store; try again");
    case SQLITE_IOERR:
        return saying(
            Errc::unavailable, "the store's disk refuses to read or write; nothing was changed"
        );
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
        return saying(Errc::conflict, "this contradicts what the store holds");
    case SQLITE_NOTADB:
        return saying(Errc::invalid, "this file is not a SQLite database");
    case SQLITE_CORRUPT:
        return saying(Errc::unavailable, "the store's file is damaged; restore a backup");
    default: // SQLite's codes, not ours
        return saying(Errc::unavailable, "the store cannot be used now");
    }
}

Rows::Rows(Owner& owner, sqlite3_stmt* statement, const Query& query)
    : owner_(owner)
    , statement_(statement)
    , query_(query) {}

Rows::~Rows() {
    if (statement_ != nullptr) {
        sqlite3_reset(statement_);
        sqlite3_clear_bindings(statement_);
    }
}

bool Rows::next() {
    if (statement_ == nullptr || owner_.failure().code != SQLITE_OK) {
        return false;
    }
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        owner_.note(code, query_.name);
    }
    return code == SQLITE_ROW;
}

std::int64_t Rows::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

std::optional<std::int64_t> Rows::maybe_integer(int column) const {
    return is_null(column) ? std::nullopt : std::optional(integer(column));
}

double Rows::real(int column) const {
    return sqlite3_column_double(statement_, column);
}

std::optional<TimePoint> Rows::maybe_time(int column) const {
    return is_null(column) ? std::nullopt : std::optional(time(column));
}

std::string_view Rows::view(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return text == nullptr
               ? std::string_view{}
               : std::string_view(
                     text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))
                 );
}

std::string_view Rows::bytes(int column) const {
    const auto* start = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return start == nullptr
               ? std::string_view{}
               : std::string_view(
                     start, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))
                 );
}

bool Rows::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Connection::Connection(std::unique_ptr<Rows::Owner> owner)
    : owner_(std::move(owner)) {}

Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

Result<Connection>
Connection::open(const std::string& path, Access access, const std::string& vfs) {
    // Counting its memory would cost SQLite a lock of the whole process per allocation. Only the
    // first word counts; later ones change nothing.
    static const int uncounted = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    static_cast<void>(uncounted);
    sqlite3* handle = nullptr;
    const auto* chosen = vfs.empty() ? nullptr : vfs.c_str();
    const int code = sqlite3_open_v2(path.c_str(), &handle, flags_of(access), chosen);
    Connection connection(std::make_unique<Rows::Owner>(handle)); // closes the handle in any case
    if (code != SQLITE_OK) {
        const auto why = handle == nullptr ? "out of memory" : sqlite3_errmsg(handle);
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
        auto error = to_error(connection.failure());
        error.detail = fmt::format("{}: {}", path, error.detail);
        return fail(std::move(error));
    }
    return connection;
}

void Connection::use_wal() {
    auto mode = rows(kWal);
    if (mode.next() && mode.view(0) != "wal") {
        owner_->failure(
        ) = {.code = SQLITE_CANTOPEN, .text = "this file system cannot hold a write-ahead log"};
    }
}

void Connection::secure_log() {
    rows(kSecure).next(); // as far as readers allow: a backup may be looking at an older state
    sqlite3_file* log = nullptr;
    sqlite3_file_control(handle(), "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log));
    if (!ok() || log == nullptr || log->pMethods == nullptr) {
        return;
    }
    const int code = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL); // what stays in the log
    if (code != SQLITE_OK) {
        owner_->note(code, "secure_log");
    }
}

void Connection::script(const char* sql, const char* name) {
    if (!ok()) {
        return;
    }
    const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        owner_->note(code, name);
    }
}

bool Connection::ok() const {
    return owner_->failure().code == SQLITE_OK;
}

const Failure& Connection::failure() const {
    return owner_->failure();
}

void Connection::forgive() {
    owner_->failure() = Failure{};
}

void Connection::spoil(std::string_view why) {
    owner_->failure() = {.code = SQLITE_ABORT, .text = std::string(why)};
}

void Connection::roll_back() {
    forgive();
    if (sqlite3_get_autocommit(handle()) ==
        0) { // SQLite ends the transaction by itself after some failures
        sqlite3_exec(handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

std::int64_t Connection::last_insert_id() const {
    return sqlite3_last_insert_rowid(handle());
}

sqlite3* Connection::handle() const {
    return owner_->handle();
}

std::vector<std::string> Connection::statements_that_scanned() const {
    std::vector<std::string> names;
    for (const auto& [query, statement] : owner_->statements()) {
        if (sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0) > 0 ||
            sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_SORT, 0) > 0) {
            names.emplace_back(query->name);
        }
    }
    return names;
}

sqlite3_stmt* Connection::start(const Query& query) {
    return owner_->statement_for(query);
}

std::int64_t Connection::finish(sqlite3_stmt* statement, const Query& query) {
    const int code = sqlite3_step(statement);
    if (code != SQLITE_DONE && code != SQLITE_ROW) {
        owner_->note(code, query.name);
    }
    const auto changed = code == SQLITE_DONE ? sqlite3_changes64(handle()) : 0;
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return changed;
}

void bind(sqlite3_stmt* statement, int place, std::int64_t value, Keep /*keep*/) {
    sqlite3_bind_int64(statement, place, value);
}

void bind(sqlite3_stmt* statement, int place, double value, Keep /*keep*/) {
    sqlite3_bind_double(statement, place, value);
}

void bind(sqlite3_stmt* statement, int place, std::string_view value, Keep keep) {
    const auto* start =
        value.data() == nullptr ? "" : value.data(); // a null pointer would mean NULL
    const auto destructor = keep == Keep::copied ? SQLITE_TRANSIENT : SQLITE_STATIC;
    sqlite3_bind_text64(statement, place, start, value.size(), destructor, SQLITE_UTF8);
}

void bind(sqlite3_stmt* statement, int place, Blob value, Keep keep) {
    const auto* start = value.bytes.data() == nullptr ? "" : value.bytes.data();
    const auto destructor = keep == Keep::copied ? SQLITE_TRANSIENT : SQLITE_STATIC;
    sqlite3_bind_blob64(statement, place, start, value.bytes.size(), destructor);
}

} // namespace baton::store::sqlite
