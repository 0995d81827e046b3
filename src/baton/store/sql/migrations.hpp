#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::sql {

/// One numbered step of the schema, forward only. Its text is never edited once a release carried
/// it: stores remember its checksum. A line `-- beside: 0016` in it says that programs which know
/// step 16, and not this one, may go on (docs/design/upgrade.md).
struct Migration {
    int number{0};
    const char* name{""};
    const char* sql{""};
};

/// The oldest step that a program has to know to serve from a store that has this one: what its
/// line says, otherwise its own number.
int beside_of(const Migration& migration);

/// FNV-1a, 64 bits, as 16 hex digits: finds an edited file, and is not meant to resist a forger.
std::string checksum_of(std::string_view text);

struct MigrationReport {
    int from{0};                      // the number the store was at; 0: empty
    int to{0};                        // the number it is at now, or would be
    int known{0};                     // the last number that this Baton knows
    std::vector<std::string> applied; // "0002_dispatch"; for a dry run: what would be applied
};

/// `0002_dispatch`.
std::string label_of(const Migration& migration);

/// What stands in a database about its own schema.
struct SchemaState {
    int number{0};          // of its last step; 0: empty
    std::size_t steps{0};   // how many it went through
    std::string difference; // of the first step that is not ours; empty: there is none
};

/// `conflict` when it is something else's database, or a newer Baton's that says that this one may
/// not go on beside it.
Result<SchemaState> schema_of(Connection& db, std::span<const Migration> migrations);

/// Asked inside each step's transaction, before the step: an error keeps it from being applied.
using MayApply = std::function<Result<void>(Connection& db, const Migration& step)>;

/// Brings the database up to `migrations`; `may_apply` or the caller keeps relays away that cannot
/// go on beside them. Each step is one transaction. A store of a newer Baton is left as it is when
/// its steps say that this one may go on beside them. `conflict` when they do not, when a step that
/// it holds differs from ours, or when it is something else's database.
Result<MigrationReport> apply_migrations(
    Connection& db,
    std::span<const Migration> migrations,
    TimePoint now,
    const MayApply& may_apply = {}
);

/// What `apply_migrations` would do, with the same refusals.
Result<MigrationReport> pending_migrations(Connection& db, std::span<const Migration> migrations);

} // namespace baton::store::sql
