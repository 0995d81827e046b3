#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sqlite/connection.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::sqlite {

/// One numbered step of the schema, forward only. Its text is never edited once a release carried
/// it: stores remember its checksum.
struct Migration {
    int number{0};
    const char* name{""};
    const char* sql{""};
};

/// migrations/sqlite/*.sql, in order, as they were when this binary was built.
std::span<const Migration> embedded_migrations();

/// FNV-1a, 64 bits, as 16 hex digits: finds an edited file, and is not meant to resist a forger.
std::string checksum_of(std::string_view text);

struct MigrationReport {
    int from{0};                      // the number the store was at; 0: empty
    int to{0};                        // the number it is at now, or would be
    std::vector<std::string> applied; // "0002_dispatch"; for a dry run: what would be applied
};

struct MigrateOptions {
    std::string path;
    TimePoint now{};     // written down beside each step
    bool dry_run{false}; // look only; a file that does not exist is not made
};

/// Brings the store at `path` up to what this binary knows. `conflict` when a newer Baton wrote it,
/// when a step that it holds differs from ours, when it is something else's file, or when a relay
/// is serving from it.
Result<MigrationReport> migrate(const MigrateOptions& options);

/// The same on an open connection, for `migrations`; the caller holds the lock. Each step is one
/// transaction.
Result<MigrationReport>
apply_migrations(Connection& db, std::span<const Migration> migrations, TimePoint now);

/// What `apply_migrations` would do, with the same refusals.
Result<MigrationReport> pending_migrations(Connection& db, std::span<const Migration> migrations);

} // namespace baton::store::sqlite
