#include "baton/store/tools.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sqlite/migrations.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <memory>
#include <string>
#include <utility>

namespace baton::store {

namespace {

Result<SchemaSteps> steps_of(const sqlite::MigrateOptions& options) {
    BATON_TRY(auto report, sqlite::migrate(options));
    return SchemaSteps{.from = report.from, .to = report.to, .steps = std::move(report.applied)};
}

} // namespace

Result<std::unique_ptr<ports::Store>> open_beside_relay(const std::string& path) {
    BATON_TRY(auto store, SqliteStore::open({.path = path, .role = StoreRole::tool}));
    return std::unique_ptr<ports::Store>(std::move(store));
}

Result<SchemaSteps> pending_steps(const std::string& path) {
    return steps_of({.path = path, .dry_run = true});
}

Result<SchemaSteps> migrate_store(const std::string& path, TimePoint now) {
    return steps_of({.path = path, .now = now});
}

} // namespace baton::store
