#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::sql {

/// One numbered step of the schema, forward only. Its text is never edited once a release carried
/// it: stores remember its checksum.
struct Migration {
    int number{0};
    const char* name{""};
    const char* sql{""};
};

/// FNV-1a, 64 bits, as 16 hex digits: finds an edited file, and is not meant to resist a forger.
std::string checksum_of(std::string_view text);

struct MigrationReport {
    int from{0};                      // the number the store was at; 0: empty
    int to{0};                        // the number it is at now, or would be
    std::vector<std::string> applied; // "0002_dispatch"; for a dry run: what would be applied
};

/// `0002_dispatch`.
std::string label_of(const Migration& migration);

/// Brings the database up to `migrations`; the caller keeps relays away that do not know them. Each
/// step is one transaction. `conflict` when a newer Baton wrote it, when a step that it holds
/// differs from ours, or when it is something else's database.
Result<MigrationReport>
apply_migrations(Connection& db, std::span<const Migration> migrations, TimePoint now);

/// What `apply_migrations` would do, with the same refusals.
Result<MigrationReport> pending_migrations(Connection& db, std::span<const Migration> migrations);

} // namespace baton::store::sql
