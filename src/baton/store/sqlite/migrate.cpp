#include "baton/store/sqlite/migrate.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/lock_file.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace baton::store::sqlite {

Result<MigrationReport> bring_up_to_date(Connection& db, TimePoint now) {
    BATON_TRY(auto report, pending_migrations(db, embedded_migrations())); // ours, if any's
    use_wal(db);
    BATON_TRY(report, apply_migrations(db, embedded_migrations(), now));
    return report;
}

Result<MigrationReport> migrate(const MigrateOptions& options) {
    std::error_code unreadable;
    const auto size = std::filesystem::file_size(options.path, unreadable);
    if (options.dry_run && (unreadable || size == 0)) {
        MigrationReport report;
        for (const auto& migration : embedded_migrations()) {
            report.to = migration.number;
            report.known = migration.number;
            report.applied.push_back(label_of(migration));
        }
        return report;
    }
    std::optional<LockFile> lock;
    if (!options.dry_run) {
        BATON_TRY(lock, LockFile::take(options.path + ".lock"));
    }
    const auto access = options.dry_run ? Access::read : Access::create;
    BATON_TRY(auto db, open(options.path, access));
    auto report = options.dry_run ? pending_migrations(db, embedded_migrations())
                                  : bring_up_to_date(db, options.now);
    if (!report) {
        return fail(about(options.path, std::move(report).error()));
    }
    return report;
}

} // namespace baton::store::sqlite
