#include "baton/store/tools.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sqlite/backup.hpp"
#include "baton/store/sqlite/looking.hpp"
#include "baton/store/sqlite/migrations.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/store/sqlite/verify.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace baton::store {

namespace {

Result<SchemaSteps> steps_of(const sqlite::MigrateOptions& options) {
    BATON_TRY(auto report, sqlite::migrate(options));
    return SchemaSteps{.from = report.from, .to = report.to, .steps = std::move(report.applied)};
}

/// Refuses what `open_beside_relay` refuses.
Result<void> ensure_ours(const std::string& path) {
    BATON_TRY(const auto store, open_beside_relay(path));
    return {};
}

} // namespace

Result<std::unique_ptr<ports::Store>> open_beside_relay(const std::string& path) {
    BATON_TRY(auto store, SqliteStore::open({.path = path, .role = StoreRole::tool}));
    return std::unique_ptr<ports::Store>(std::move(store));
}

Result<StoreWithLevels> open_levels_beside_relay(const std::string& path) {
    BATON_TRY(auto store, SqliteStore::open({.path = path, .role = StoreRole::tool}));
    auto& levels = store->levels();
    return StoreWithLevels{.store = std::move(store), .levels = &levels};
}

Result<SchemaSteps> pending_steps(const std::string& path) {
    return steps_of({.path = path, .dry_run = true});
}

Result<SchemaSteps> migrate_store(const std::string& path, TimePoint now) {
    return steps_of({.path = path, .now = now});
}

Result<std::vector<ports::AllowlistVersion>> allowlists_in_force(const std::string& path) {
    if (auto ours = ensure_ours(path); !ours) {
        return fail(std::move(ours).error());
    }
    return sqlite::allowlists_in_force(path);
}

Result<std::map<RepoName, std::size_t>>
pending_by_downstream(const std::string& path, const RepoName& upstream) {
    if (auto ours = ensure_ours(path); !ours) {
        return fail(std::move(ours).error());
    }
    return sqlite::pending_by_downstream(path, upstream);
}

bool is_good(const Verification& verification) {
    return std::ranges::all_of(verification.checks, [](const Checked& each) {
        return each.findings.empty();
    });
}

bool is_complete(const Verification& verification) {
    return verification.schema > 0 && verification.schema == verification.schema_here;
}

Result<Verification> verify_store(const std::string& path, const Progress& progress) {
    return sqlite::verify(path, progress);
}

Result<BackupReport> back_up_store(const BackupOrder& order, const Progress& progress) {
    return sqlite::back_up(order, progress);
}

Result<RestoreReport> restore_store(const RestoreOrder& order, const Progress& progress) {
    return sqlite::restore(order, progress);
}

} // namespace baton::store
