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

/// As sql::apply_migrations and sql::pending_migrations, of the database at `url`. Relays that know
/// the older schema may go on serving.
Result<sql::MigrationReport> migrate(const std::string& url, TimePoint now);
Result<sql::MigrationReport> pending(const std::string& url);

/// `conflict` when the schema is not exactly this binary's.
Result<void> ensure_up_to_date(sql::Connection& db);

} // namespace baton::store::postgres
