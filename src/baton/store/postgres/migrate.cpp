#include "baton/store/postgres/migrate.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/failure.hpp"
#include "baton/store/postgres/patience.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>

namespace baton::store::postgres {

namespace {

// Each of them holds a lock in its name (presence.cpp) on a session that says what it knows.
constexpr sql::Query kLeftBehind{
    "relays_left_behind",
    "SELECT 0", // nobody asks it of a file
    "SELECT count(DISTINCT a.pid) FROM pg_stat_activity AS a JOIN pg_locks AS l ON l.pid = a.pid "
    "WHERE a.datname = current_database() AND l.locktype = 'advisory' AND l.classid = 1650553967 "
    "AND l.objsubid = 2 AND coalesce(substring(a.application_name FROM 'schema ([0-9]+)')::bigint, "
    "0) < $1"
};

constexpr sql::Query kMayCreate{
    "may_create",
    "SELECT 1", // nobody asks it of a file
    "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)::int * "
    "(has_database_privilege(current_database(), 'CREATE') OR EXISTS (SELECT 1 FROM pg_extension "
    "WHERE extname = 'citext'))::int"
};

/// Refuses a step while somebody serves who could not go on beside it.
Result<void> ensure_nobody_is_left_behind(Connection& db, const Migration& step) {
    std::int64_t behind = 0;
    {
        auto rows = db.rows(kLeftBehind, sql::beside_of(step));
        behind = rows.next() ? rows.integer(0) : 0;
    }
    if (behind > 0) {
        return fail(
            Errc::conflict,
            fmt::format(
                "migration {} was not applied: older relays cannot go on beside it, and {} of "
                "them {} right now; stop every relay that does not know schema {} first",
                label_of(step),
                behind,
                behind == 1 ? "serves" : "serve",
                sql::beside_of(step)
            )
        );
    }
    return {};
}

} // namespace

Result<sql::MigrationReport>
migrate(const std::string& url, TimePoint now, std::span<const Migration> migrations) {
    BATON_TRY(auto db, connect(url, Telling::nobody, Patience::hours));
    return apply_migrations(db, migrations, now, ensure_nobody_is_left_behind);
}

std::string name_in_sessions() {
    return fmt::format("baton, schema {}", embedded_migrations().back().number);
}

Result<sql::MigrationReport> pending(const std::string& url) {
    BATON_TRY(auto db, connect(url));
    BATON_TRY(auto report, pending_migrations(db, embedded_migrations()));
    if (!report.applied.empty()) {
        auto rows = db.rows(kMayCreate);
        if (rows.next() && rows.integer(0) == 0) {
            return fail(Errc::invalid, std::string(kNoRights));
        }
        if (!db.ok()) {
            return fail(to_error(db.failure()));
        }
    }
    return report;
}

Result<void> ensure_up_to_date(Connection& db) {
    BATON_TRY(const auto report, pending_migrations(db, embedded_migrations()));
    if (!report.applied.empty()) {
        return fail(
            Errc::conflict,
            fmt::format(
                "the database is at schema {} and this Baton needs {}: run baton db migrate",
                report.from,
                report.to
            )
        );
    }
    return {};
}

} // namespace baton::store::postgres
