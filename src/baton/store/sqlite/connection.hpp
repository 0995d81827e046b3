#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace baton::store::sqlite {

/// A statement with a name, so that errors can say which one failed. A constant next to its use:
/// prepared once per connection and found again by its address.
struct Query {
    const char* name;
    const char* sql;
};

/// Bytes rather than text.
struct Blob {
    std::string_view bytes;
};

/// How far a failure reaches: one operation that may be undone alone, or the whole transaction.
enum class Harm : std::uint8_t { operation = 1, transaction };

struct Failure {
    int code{SQLITE_OK}; // SQLite's extended code
    std::string text;    // which query, and SQLite's words
};

Harm harm_of(int code);

/// Says what SQLite's code means for the caller, in one sentence.
Error to_error(const Failure& failure);

/// The rows of one use of a statement. The statement is free for its next use when this dies.
class Rows {
public:
    class Owner;

    Rows(Owner& owner, sqlite3_stmt* statement, const Query& query);
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    ~Rows();

    /// False at the end and after a failure; Connection::ok tells which.
    bool next();

    std::int64_t integer(int column) const;
    std::optional<std::int64_t> maybe_integer(int column) const;
    double real(int column) const;

    TimePoint time(int column) const { return from_ms(integer(column)); }

    std::optional<TimePoint> maybe_time(int column) const;

    std::string text(int column) const { return std::string(view(column)); }

    /// Valid until the next row.
    std::string_view view(int column) const;
    std::string_view bytes(int column) const;
    bool is_null(int column) const;

private:
    Owner& owner_;
    sqlite3_stmt* statement_; // null after a failure: then there are no rows
    const Query& query_;
};

/// One connection to a SQLite file; used by one thread at a time.
///
/// The first failure sticks: later statements do nothing, so that a run of statements reads
/// straight and is judged once, at its end. `forgive` makes the connection usable again.
class Connection {
public:
    enum class Access : std::uint8_t { read, write, create };

    /// Sets what every connection needs: synchronous EXTRA, foreign keys, 5 s of patience, 8 KB
    /// pages in a new file. `vfs` as in SqliteOptions.
    static Result<Connection>
    open(const std::string& path, Access access, const std::string& vfs = {});

    Connection(Connection&&) noexcept;
    Connection& operator=(Connection&&) noexcept;
    ~Connection();

    /// Runs a statement to its end and says how many rows it changed. Values are bound in order and
    /// not copied.
    template <class... Values> std::int64_t run(const Query& query, const Values&... values);

    /// Starts a statement that answers with rows. Values are copied.
    template <class... Values> Rows rows(const Query& query, const Values&... values);

    /// Runs several statements that take no values: pragmas and migrations.
    void script(const char* sql, const char* name);

    /// Once per file, after it proved to be ours: the file remembers.
    void use_wal();

    /// Once per start, before anybody is told what the store holds: a process that was killed may
    /// have left commits in the log that never reached the disk. They are brought into the file,
    /// which is synced.
    void secure_log();

    bool ok() const;
    const Failure& failure() const;
    void forgive();
    /// Fails on purpose, so that the transaction cannot be committed.
    void spoil(std::string_view why);
    /// After a failure, or whenever a transaction is still open: leaves none behind.
    void roll_back();

    std::int64_t last_insert_id() const;
    sqlite3* handle() const;
    /// Names of cached statements that walked a whole table or sorted; tests ask.
    std::vector<std::string> statements_that_scanned() const;

private:
    explicit Connection(std::unique_ptr<Rows::Owner> owner);

    sqlite3_stmt* start(const Query& query);
    std::int64_t finish(sqlite3_stmt* statement, const Query& query);

    std::unique_ptr<Rows::Owner> owner_;
};

// --- binding; overloads choose by the kind of value

enum class Keep : std::uint8_t { borrowed, copied };

void bind(sqlite3_stmt* statement, int place, std::int64_t value, Keep keep);
void bind(sqlite3_stmt* statement, int place, double value, Keep keep);
void bind(sqlite3_stmt* statement, int place, std::string_view value, Keep keep);
void bind(sqlite3_stmt* statement, int place, Blob value, Keep keep);

inline void bind(sqlite3_stmt* statement, int place, const std::string& value, Keep keep) {
    bind(statement, place, std::string_view(value), keep);
}

inline void bind(sqlite3_stmt* statement, int place, int value, Keep keep) {
    bind(statement, place, static_cast<std::int64_t>(value), keep);
}

inline void bind(sqlite3_stmt* statement, int place, std::size_t value, Keep keep) {
    bind(statement, place, static_cast<std::int64_t>(value), keep);
}

inline void bind(sqlite3_stmt* statement, int place, bool value, Keep keep) {
    bind(statement, place, static_cast<std::int64_t>(value ? 1 : 0), keep);
}

inline void bind(sqlite3_stmt* statement, int place, TimePoint value, Keep keep) {
    bind(statement, place, to_ms(value), keep);
}

template <class Id>
    requires std::is_enum_v<Id>
void bind(sqlite3_stmt* statement, int place, Id value, Keep keep) {
    bind(statement, place, static_cast<std::int64_t>(value), keep);
}

template <class T>
void bind(sqlite3_stmt* statement, int place, const std::optional<T>& value, Keep keep) {
    if (value) {
        bind(statement, place, *value, keep);
    } // a cleared place is NULL
}

template <class... Values>
std::int64_t Connection::run(const Query& query, const Values&... values) {
    auto* statement = start(query);
    if (statement == nullptr) {
        return 0;
    }
    int place = 0;
    (bind(statement, ++place, values, Keep::borrowed), ...);
    return finish(statement, query);
}

template <class... Values> Rows Connection::rows(const Query& query, const Values&... values) {
    auto* statement = start(query);
    if (statement != nullptr) {
        int place = 0;
        (bind(statement, ++place, values, Keep::copied), ...);
    }
    return Rows(*owner_, statement, query);
}

} // namespace baton::store::sqlite
