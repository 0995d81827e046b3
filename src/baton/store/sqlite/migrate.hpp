#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"

#include <span>
#include <string>

namespace baton::store::sqlite {

using sql::Migration;
using sql::MigrationReport;

/// migrations/sqlite/*.sql, in order, as they were when this binary was built.
std::span<const Migration> embedded_migrations();

struct MigrateOptions {
    std::string path;
    TimePoint now{};     // written down beside each step
    bool dry_run{false}; // look only; a file that does not exist is not made
};

/// Brings the store at `path` up to what this binary knows; refused as sql::apply_migrations says,
/// and when a relay is serving from it.
Result<MigrationReport> migrate(const MigrateOptions& options);

/// The same on an open connection; the caller holds the lock.
Result<MigrationReport> bring_up_to_date(sql::Connection& db, TimePoint now);

} // namespace baton::store::sqlite
