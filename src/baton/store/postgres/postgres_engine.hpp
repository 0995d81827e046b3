#pragma once

#include "baton/store/postgres/patience.hpp"
#include "baton/store/postgres/session.hpp"
#include "baton/store/postgres/statement.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace baton::store::postgres {

/// One session with the server; made anew when it broke.
///
/// In a transaction that writes, what needs no answer is sent and not waited for (libpq's
/// pipeline); the answers are read with the next one that is needed. Of a statement that fails the
/// server passes over all that follow until then, as the connection above does.
class PostgresEngine final : public sql::Engine {
public:
    PostgresEngine(std::string url, Session session, bool tells, Patience patience)
        : url_(std::move(url))
        , session_(std::move(session))
        , tells_(tells)
        , patience_(patience) {}

    sql::Statement* statement_for(const sql::Query& query) override;
    void script(const char* sql, const char* name) override;
    void begin(sql::Scope scope) override;
    void commit() override;
    void settle() override;
    void roll_back() override;

    std::string_view kind() const override { return "postgresql"; }

    std::int64_t bytes_on_disk() override;

    /// Runs it and waits for its answer; null after a failure, which is kept.
    Answer execute(const PostgresStatement& statement, const Bound& bound);
    /// Runs it; its answer, or what went wrong, is known after `settle` at the latest.
    void send(const PostgresStatement& statement, const Bound& bound, sql::Later id);

private:
    struct Sent {
        const char* name; // of the query
        sql::Later id;    // where its answer goes, or null
    };

    bool is_lost() const;
    void ensure_session();
    /// Runs simple statements; null after a failure, which is kept.
    Answer simply(const char* sql, const char* name);
    /// True when the server did what it was asked; otherwise the failure is kept.
    bool judge(const PGresult* answer, const char* name);
    void settle_lost_commit();
    std::string life(); // of the server; empty after a failure, which is kept
    /// On this session, once; what was sent before is settled first. False after a failure.
    bool prepare(const PostgresStatement& statement, const Bound& bound);
    bool put(const PostgresStatement& statement, const Bound& bound, sql::Later id);
    /// Waits for everything that was sent, and returns the last answer; null after a failure.
    Answer last_answer();

    std::string url_;
    Session session_;
    bool tells_; // relays of each commit
    Patience patience_;
    std::string transaction_; // its number on the server, while one that writes is open
    std::string life_;        // of the server, on this session; empty: not asked yet
    std::unordered_map<const sql::Query*, std::unique_ptr<PostgresStatement>> statements_;
    std::set<std::string> prepared_; // names, on this session
    std::vector<Sent> sent_;         // in order, and not answered
    std::int64_t sent_bytes_{0};     // of their values
};

} // namespace baton::store::postgres
