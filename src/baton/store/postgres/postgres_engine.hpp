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

/// Values as libpq takes them, one of each per place.
struct Bound {
    std::vector<const char*> values;
    std::vector<Oid> types;
    std::vector<int> lengths;
    std::vector<int> formats;
};

/// One session with the server; made anew when it broke.
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
    void roll_back() override;

    std::string_view kind() const override { return "postgresql"; }

    std::int64_t bytes_on_disk() override;

    /// Prepares it on this session if it is not, and runs it; null after a failure, which is kept.
    Answer execute(const PostgresStatement& statement, const Bound& bound);

private:
    bool is_lost() const;
    void ensure_session();
    /// Runs simple statements; null after a failure, which is kept.
    Answer simply(const char* sql, const char* name);
    /// True when the server did what it was asked; otherwise the failure is kept.
    bool judge(const PGresult* answer, const char* name);
    void settle_lost_commit();

    std::string url_;
    Session session_;
    bool tells_; // relays of each commit
    Patience patience_;
    std::string transaction_; // its number on the server, while one that writes is open
    std::unordered_map<const sql::Query*, std::unique_ptr<PostgresStatement>> statements_;
    std::set<std::string> prepared_; // names, on this session
};

} // namespace baton::store::postgres
