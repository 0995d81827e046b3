#include "baton/store/postgres/missing.hpp"

#include "baton/store/sql/connection.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace baton::store::postgres {

namespace {

constexpr const char* kNotInSqlite = "SELECT 0 WHERE 0"; // nobody asks it
constexpr sql::Query kMissing{
    "missing_holders",
    kNotInSqlite,
    "SELECT DISTINCT lease_holder, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM ("
    "SELECT lease_holder FROM dispatch WHERE state = 'pending' AND lease_until_ms > 0 UNION ALL "
    "SELECT lease_holder FROM outbox WHERE lease_until_ms > 0 UNION ALL "
    "SELECT lease_holder FROM posting WHERE lease_until_ms > 0 UNION ALL "
    "SELECT lease_holder FROM rerun WHERE lease_until_ms > 0) AS held "
    "WHERE NOT shows_life(lease_holder)"
};
constexpr sql::Query kName{
    "name_the_gone", kNotInSqlite, "SELECT set_config('baton.gone', $1, true)"
};

} // namespace

void Missing::look(sql::Connection& db) {
    std::map<std::string, std::int64_t> missing;
    std::string gone;
    auto rows = db.rows(kMissing);
    while (rows.next()) {
        const auto now = rows.integer(1);
        const auto known = since_ms_.find(rows.text(0));
        const auto since = known == since_ms_.end() ? now : known->second;
        if (now - since >= grace_.count()) {
            gone.append(gone.empty() ? "" : ",").append(rows.view(0));
        }
        missing.emplace(rows.text(0), since);
    }
    since_ms_ = std::move(missing);
    db.rows(kName, gone).next();
}

} // namespace baton::store::postgres
