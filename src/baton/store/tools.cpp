#include "baton/store/tools.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/known_schema.hpp"
#include "baton/store/place.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/migrate.hpp"
#include "baton/store/postgres/verify.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/looking.hpp"
#include "baton/store/sql/migrations.hpp"
#include "baton/store/sqlite/backup.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/migrate.hpp"
#include "baton/store/sqlite/verify.hpp"
#include "baton/store/store_role.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store {

namespace {

Result<SchemaSteps> steps_of(Result<sql::MigrationReport> report) {
    if (!report) {
        return fail(std::move(report).error());
    }
    return SchemaSteps{.from = report->from, .to = report->to, .steps = std::move(report->applied)};
}

/// To read only. Refuses what `open_beside_relay` refuses.
Result<sql::Connection> open_to_look(const std::string& place) {
    BATON_TRY(const auto store, open_beside_relay(place));
    return is_database(place) ? postgres::connect(place)
                              : sqlite::open(place, sqlite::Access::read);
}

tl::unexpected<Error> not_a_file(std::string_view what) {
    return fail(
        Errc::invalid,
        fmt::format(
            "{} of a PostgreSQL store is PostgreSQL's own work: docs/operations/backup.md tells "
            "how, with pg_dump or pg_basebackup",
            what
        )
    );
}

} // namespace

Result<std::unique_ptr<ports::Store>> open_beside_relay(const std::string& path) {
    BATON_TRY(auto store, open_store(path, StoreRole::tool, {}));
    return std::unique_ptr<ports::Store>(std::move(store));
}

Result<StoreWithLevels> open_levels_beside_relay(const std::string& path) {
    BATON_TRY(auto store, open_store(path, StoreRole::tool, {}));
    auto& levels = store->levels();
    return StoreWithLevels{.store = std::move(store), .levels = &levels};
}

int known_schema(const std::string& place) {
    const auto steps =
        is_database(place) ? postgres::embedded_migrations() : sqlite::embedded_migrations();
    return steps.back().number;
}

Result<SchemaSteps> pending_steps(const std::string& path) {
    return steps_of(
        is_database(path) ? postgres::pending(path)
                          : sqlite::migrate({.path = path, .dry_run = true})
    );
}

Result<SchemaSteps> migrate_store(const std::string& path, TimePoint now) {
    return steps_of(
        is_database(path) ? postgres::migrate(path, now)
                          : sqlite::migrate({.path = path, .now = now})
    );
}

Result<std::vector<ports::AllowlistVersion>> allowlists_in_force(const std::string& path) {
    BATON_TRY(auto db, open_to_look(path));
    return sql::allowlists_in_force(db);
}

Result<std::map<RepoName, std::size_t>>
pending_by_downstream(const std::string& path, const RepoName& upstream) {
    BATON_TRY(auto db, open_to_look(path));
    return sql::pending_by_downstream(db, upstream);
}

bool is_good(const Verification& verification) {
    return !verification.refusal &&
           std::ranges::all_of(verification.checks, [](const Checked& each) {
               return each.findings.empty();
           });
}

bool is_complete(const Verification& verification) {
    return verification.tables;
}

Result<Verification> verify_store(const std::string& path, const Progress& progress) {
    BATON_TRY(
        auto found,
        is_database(path) ? postgres::verify(path, progress) : sqlite::verify(path, progress)
    );
    if (found.refusal) {
        const auto& [code, why] = *found.refusal;
        return fail(code, fmt::format("{}: {}", found.path, why));
    }
    if (is_good(found) && found.schema > found.schema_here) {
        return fail(
            Errc::conflict,
            fmt::format(
                "{}: schema {} is a newer Baton's, this one knows {} and cannot verify it: run db "
                "verify of the version that wrote it",
                found.path,
                found.schema,
                found.schema_here
            )
        );
    }
    return found;
}

Result<BackupReport> back_up_store(const BackupOrder& order, const Progress& progress) {
    if (is_database(order.from) || is_database(order.to)) {
        return not_a_file("a backup");
    }
    return sqlite::back_up(order, progress);
}

Result<RestoreReport> restore_store(const RestoreOrder& order, const Progress& progress) {
    if (is_database(order.from) || is_database(order.to)) {
        return not_a_file("a restore");
    }
    return sqlite::restore(order, progress);
}

} // namespace baton::store
