#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"

#include <span>
#include <string>

namespace baton::store::postgres {

using sql::Migration;

/// migrations/postgres/*.sql, in order, as they were when this binary was built. Their numbers and
/// names are those of migrations/sqlite.
std::span<const Migration> embedded_migrations();

/// As sql::apply_migrations and sql::pending_migrations, of the database at `url`. Relays that may
/// go on beside a step do; `conflict`, with that step not applied, while one serves that may not.
/// Takes as long as it takes, an hour for one statement at most; several at once take turns.
Result<sql::MigrationReport> migrate(
    const std::string& url,
    TimePoint now,
    std::span<const Migration> migrations = embedded_migrations()
);
/// `pending` also refuses a role that could not apply them.
Result<sql::MigrationReport> pending(const std::string& url);

/// How a serving relay is known in the database's list of sessions: "baton, schema 16".
std::string name_in_sessions();

/// `conflict` when this binary can neither use the schema as it is nor go on beside it.
Result<void> ensure_up_to_date(sql::Connection& db);

} // namespace baton::store::postgres
