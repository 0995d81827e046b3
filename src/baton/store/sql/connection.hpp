#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace baton::store::sql {

/// A statement with a name, so that errors can say which one failed. A constant next to its use:
/// prepared once per connection and found again by its address.
struct Query {
    const char* name;
    const char* sql;               // numbered places: ?1, ?2; what both databases understand
    const char* postgres{nullptr}; // where there is no such text: PostgreSQL's own
};

/// Bytes rather than text.
struct Blob {
    std::string_view bytes;
};

/// How far a failure reaches: one operation that may be undone alone, or the whole transaction.
enum class Harm : std::uint8_t { operation = 1, transaction };

/// What a transaction is for. Only one `write` is under way at a time, in all processes, and no
/// `intake`, which only adds deliveries, beside it.
enum class Scope : std::uint8_t { write = 1, intake, read };

/// Why a statement failed, in the adapter's words.
struct Failure {
    Errc code{Errc::unavailable};
    Harm harm{Harm::transaction};
    std::string sentence; // what it means for the caller; empty: nothing failed
    std::string text;     // which query, and the database's words
    bool disk{false};     // the disk failed, so what was written before is in doubt
    bool again{false};    // two transactions were in each other's way: the same may work now
};

Error to_error(const Failure& failure);

enum class Keep : std::uint8_t { borrowed, copied };

/// The id that a statement answers with, once its answer is there; 0 when there was no row.
using Later = std::shared_ptr<std::optional<std::int64_t>>;

/// One prepared statement of an adapter. A place that is not bound is NULL; rows are valid until
/// the next step.
class Statement {
public:
    Statement() = default;
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    virtual ~Statement() = default;

    /// Before the places are bound: how many there are.
    virtual void expect(std::size_t places) = 0;
    virtual void bind(int place, std::int64_t value) = 0;
    virtual void bind(int place, double value) = 0;
    virtual void bind(int place, std::string_view value, Keep keep) = 0;
    virtual void bind(int place, Blob value, Keep keep) = 0;

    /// True: there is a row. False at the end, and after a failure, which the engine keeps.
    virtual bool step() = 0;
    /// Runs it without waiting for its answer, where the database can do that; what it answers goes
    /// to `id`, unless that is null.
    virtual void send(Later id) = 0;
    /// After the last step: how many rows it inserted, changed or deleted.
    virtual std::int64_t changed() const = 0;
    /// Free for its next use.
    virtual void reset() = 0;

    virtual std::int64_t integer(int column) const = 0;
    virtual double real(int column) const = 0;
    virtual std::string_view view(int column) const = 0;
    virtual std::string_view bytes(int column) const = 0;
    virtual bool is_null(int column) const = 0;
};

/// What an adapter provides for one connection.
class Engine {
public:
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    /// Null after a failure, which it keeps.
    virtual Statement* statement_for(const Query& query) = 0;
    virtual void script(const char* sql, const char* name) = 0;
    virtual void begin(Scope scope) = 0;
    virtual void commit() = 0;

    /// Waits for the answers to everything that was sent.
    virtual void settle() {}

    /// Leaves no transaction behind; never fails.
    virtual void roll_back() = 0;
    /// What people call it: "sqlite", "postgresql".
    virtual std::string_view kind() const = 0;
    /// How much room the whole store takes.
    virtual std::int64_t bytes_on_disk() = 0;

    const std::optional<Failure>& failure() const { return failure_; }

    void note(std::optional<Failure> failure) { failure_ = std::move(failure); }

private:
    std::optional<Failure> failure_;
};

/// The rows of one use of a statement. The statement is free for its next use when this dies.
class Rows {
public:
    explicit Rows(Statement* statement)
        : statement_(statement) {}

    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    ~Rows() {
        if (statement_ != nullptr) {
            statement_->reset();
        }
    }

    /// False at the end and after a failure; Connection::ok tells which.
    bool next() { return statement_ != nullptr && statement_->step(); }

    std::int64_t integer(int column) const { return statement_->integer(column); }

    std::optional<std::int64_t> maybe_integer(int column) const {
        return is_null(column) ? std::nullopt : std::optional(integer(column));
    }

    double real(int column) const { return statement_->real(column); }

    TimePoint time(int column) const { return from_ms(integer(column)); }

    std::optional<TimePoint> maybe_time(int column) const {
        return is_null(column) ? std::nullopt : std::optional(time(column));
    }

    std::string text(int column) const { return std::string(view(column)); }

    /// Valid until the next row.
    std::string_view view(int column) const { return statement_->view(column); }

    std::string_view bytes(int column) const { return statement_->bytes(column); }

    bool is_null(int column) const { return statement_->is_null(column); }

private:
    Statement* statement_; // null after a failure: then there are no rows
};

/// One connection to a database; used by one thread at a time.
///
/// The first failure sticks: later statements do nothing, so that a run of statements reads
/// straight and is judged once, at its end. `forgive` makes the connection usable again.
class Connection {
public:
    explicit Connection(std::unique_ptr<Engine> engine)
        : engine_(std::move(engine)) {}

    /// Runs a statement. How it ended is known when the next one answers, or `ok` is asked: a run
    /// of statements costs one way to the database and back. Values are bound in order and not
    /// copied.
    template <class... Values> void run(const Query& query, const Values&... values);

    /// The same to its end: how many rows it changed.
    template <class... Values> std::int64_t change(const Query& query, const Values&... values);

    /// The same for an INSERT ... RETURNING id: the id, 0 when nothing was inserted.
    template <class... Values> std::int64_t insert(const Query& query, const Values&... values);

    /// An insert that is not waited for; `id_of` tells its id.
    template <class... Values> Later insert_later(const Query& query, const Values&... values);
    std::int64_t id_of(const Later& later);

    /// Starts a statement that answers with rows. Values are copied.
    template <class... Values> Rows rows(const Query& query, const Values&... values);

    /// Runs several statements that take no values: settings and migrations.
    void script(const char* sql, const char* name);

    void begin(Scope scope);
    void commit();

    /// Whether everything so far went well.
    bool ok() {
        engine_->settle();
        return !has_failed();
    }

    /// Whether it is known by now that it did not.
    bool has_failed() const { return engine_->failure().has_value(); }

    const Failure& failure() const { return *engine_->failure(); }

    void forgive() { engine_->note(std::nullopt); }

    /// Fails on purpose, so that the transaction cannot be committed.
    void spoil(std::string_view why);
    /// After a failure, or whenever a transaction is still open: leaves none behind.
    void roll_back();

    Engine& engine() const { return *engine_; }

private:
    std::unique_ptr<Engine> engine_;
};

// --- binding; overloads choose by the kind of value

inline void bind(Statement& statement, int place, std::int64_t value, Keep /*keep*/) {
    statement.bind(place, value);
}

inline void bind(Statement& statement, int place, double value, Keep /*keep*/) {
    statement.bind(place, value);
}

inline void bind(Statement& statement, int place, std::string_view value, Keep keep) {
    statement.bind(place, value, keep);
}

inline void bind(Statement& statement, int place, const std::string& value, Keep keep) {
    statement.bind(place, std::string_view(value), keep);
}

inline void bind(Statement& statement, int place, Blob value, Keep keep) {
    statement.bind(place, value, keep);
}

inline void bind(Statement& statement, int place, int value, Keep /*keep*/) {
    statement.bind(place, static_cast<std::int64_t>(value));
}

inline void bind(Statement& statement, int place, std::size_t value, Keep /*keep*/) {
    statement.bind(place, static_cast<std::int64_t>(value));
}

inline void bind(Statement& statement, int place, bool value, Keep /*keep*/) {
    statement.bind(place, static_cast<std::int64_t>(value ? 1 : 0));
}

inline void bind(Statement& statement, int place, TimePoint value, Keep /*keep*/) {
    statement.bind(place, to_ms(value));
}

template <class Id>
    requires std::is_enum_v<Id>
void bind(Statement& statement, int place, Id value, Keep /*keep*/) {
    statement.bind(place, static_cast<std::int64_t>(value));
}

template <class T>
void bind(Statement& statement, int place, const std::optional<T>& value, Keep keep) {
    if (value) {
        bind(statement, place, *value, keep);
    } // a place that is not bound is NULL
}

template <class... Values> void bind_all(Statement& statement, Keep keep, const Values&... values) {
    statement.expect(sizeof...(values));
    int place = 0;
    (bind(statement, ++place, values, keep), ...);
}

template <class... Values> void Connection::run(const Query& query, const Values&... values) {
    if (auto* statement = engine_->statement_for(query); statement != nullptr) {
        bind_all(*statement, Keep::borrowed, values...);
        statement->send(nullptr);
        statement->reset();
    }
}

template <class... Values>
Later Connection::insert_later(const Query& query, const Values&... values) {
    auto later = std::make_shared<std::optional<std::int64_t>>();
    if (auto* statement = engine_->statement_for(query); statement != nullptr) {
        bind_all(*statement, Keep::borrowed, values...);
        statement->send(later);
        statement->reset();
    }
    return later;
}

template <class... Values>
std::int64_t Connection::change(const Query& query, const Values&... values) {
    auto* statement = engine_->statement_for(query);
    if (statement == nullptr) {
        return 0;
    }
    bind_all(*statement, Keep::borrowed, values...);
    statement->step();
    const auto changed = ok() ? statement->changed() : 0;
    statement->reset();
    return changed;
}

template <class... Values>
std::int64_t Connection::insert(const Query& query, const Values&... values) {
    auto* statement = engine_->statement_for(query);
    Rows inserted(statement);
    if (statement != nullptr) {
        bind_all(*statement, Keep::borrowed, values...);
    }
    return inserted.next() ? inserted.integer(0) : 0;
}

template <class... Values> Rows Connection::rows(const Query& query, const Values&... values) {
    auto* statement = engine_->statement_for(query);
    if (statement != nullptr) {
        bind_all(*statement, Keep::copied, values...);
    }
    return Rows(statement);
}

} // namespace baton::store::sql
