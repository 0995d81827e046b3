#include "baton/store/sql/migrations.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql {

namespace {

constexpr Query kTables{
    "tables",
    "SELECT name = 'schema_migration' FROM sqlite_schema WHERE type = 'table' ORDER BY 1 DESC "
    "LIMIT 1",
    "SELECT (tablename = 'schema_migration')::int FROM pg_tables WHERE schemaname = "
    "current_schema() ORDER BY 1 DESC LIMIT 1"
};
constexpr Query kApplied{
    "applied", "SELECT number, name, checksum FROM schema_migration ORDER BY number"
};
constexpr Query kAppliedBeside{
    "applied_beside",
    "SELECT number, name, checksum, coalesce(beside, number) FROM schema_migration ORDER BY number"
};
// Stores of the first version have no such column; it comes with the first step after that.
constexpr Query kHasBeside{
    "has_beside",
    "SELECT 1 FROM pragma_table_info('schema_migration') WHERE name = 'beside'",
    "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('schema_migration') AND attname = "
    "'beside'"
};
constexpr Query kAddBeside{
    "add_beside",
    "ALTER TABLE schema_migration ADD COLUMN beside INTEGER",
    "ALTER TABLE schema_migration ADD COLUMN beside bigint"
};
constexpr Query kRecord{
    "record_migration",
    "INSERT INTO schema_migration (number, name, checksum, applied_at_ms, beside) VALUES (?1, ?2, "
    "?3, ?4, ?5)"
};
constexpr Query kIsApplied{"is_applied", "SELECT 1 FROM schema_migration WHERE number = ?1"};
constexpr Query kFirstTable{
    "schema_migration",
    "CREATE TABLE IF NOT EXISTS schema_migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, "
    "checksum TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT",
    "CREATE TABLE IF NOT EXISTS schema_migration (number bigint PRIMARY KEY, name text NOT NULL, "
    "checksum text NOT NULL, applied_at_ms bigint NOT NULL)"
};

struct Applied {
    int number{0};
    std::string name;
    std::string checksum;
    int beside{0}; // the oldest step that programs have to know
};

bool has_beside(Connection& db) {
    return db.rows(kHasBeside).next();
}

/// Empty for a new file.
Result<std::vector<Applied>> applied_to(Connection& db) {
    std::vector<Applied> applied;
    std::optional<bool> ours;
    {
        auto tables = db.rows(kTables);
        if (tables.next()) {
            ours = tables.integer(0) != 0;
        }
    }
    if (ours && !*ours) {
        return fail(
            Errc::conflict,
            "this database belongs to another program: it has tables, but none of Baton's; name "
            "another one"
        );
    }
    if (ours) {
        const bool told = has_beside(db);
        auto rows = db.rows(told ? kAppliedBeside : kApplied);
        while (rows.next()) {
            applied.push_back(
                {.number = static_cast<int>(rows.integer(0)),
                 .name = rows.text(1),
                 .checksum = rows.text(2),
                 .beside = static_cast<int>(rows.integer(told ? 3 : 0))}
            );
        }
    }
    if (!db.ok()) {
        auto error = to_error(db.failure());
        db.forgive();
        return fail(std::move(error));
    }
    return applied;
}

/// Refuses steps that we do not know and should, to go on beside them.
Result<void> ensure_known_enough(const std::vector<Applied>& applied, int known) {
    int needed = 0;
    for (const auto& step : applied) {
        needed = std::max(needed, step.number > known ? step.beside : 0);
    }
    if (needed > known) {
        return fail(
            Errc::conflict,
            fmt::format(
                "the store was written by a newer Baton (schema {}, this one knows {} and would "
                "have to know {}): run that version or restore a backup",
                applied.back().number,
                known,
                needed
            )
        );
    }
    return {};
}

/// Of the first step that is not ours.
std::string
difference_in(const std::vector<Applied>& applied, std::span<const Migration> migrations) {
    for (std::size_t i = 0; i < std::min(applied.size(), migrations.size()); ++i) {
        const auto& ours = migrations[i];
        if (applied[i].number != ours.number || applied[i].checksum != checksum_of(ours.sql)) {
            return fmt::format(
                "the store's schema step {:04}_{} differs from {} in this Baton (checksum {}, "
                "here {}): run the version that wrote it or restore a backup",
                applied[i].number,
                applied[i].name,
                label_of(ours),
                applied[i].checksum,
                checksum_of(ours.sql)
            );
        }
    }
    return {};
}

Result<void>
apply_one(Connection& db, const Migration& migration, TimePoint now, const MayApply& may_apply) {
    db.begin(Scope::write);
    db.run(kFirstTable);
    if (db.rows(kIsApplied, migration.number).next()) { // by another replica, meanwhile
        db.roll_back();
        return {};
    }
    if (may_apply && db.ok()) {
        if (auto allowed = may_apply(db, migration); !allowed) {
            db.roll_back();
            return allowed;
        }
    }
    if (!has_beside(db)) {
        db.run(kAddBeside);
    }
    db.script(migration.sql, migration.name);
    const std::string_view name = migration.name;
    const auto checksum = checksum_of(migration.sql);
    db.run(kRecord, migration.number, name, checksum, now, beside_of(migration));
    db.commit();
    if (!db.ok()) {
        auto error = to_error(db.failure());
        db.roll_back();
        error.detail =
            fmt::format("migration {} was not applied: {}", label_of(migration), error.detail);
        return fail(std::move(error));
    }
    return {};
}

} // namespace

std::string label_of(const Migration& migration) {
    return fmt::format("{:04}_{}", migration.number, migration.name);
}

int beside_of(const Migration& migration) {
    constexpr std::string_view kWords = "\n-- beside: ";
    const std::string_view text = migration.sql;
    int number = migration.number;
    if (const auto at = text.find(kWords); at != std::string_view::npos) {
        const auto* begin = text.data() + at + kWords.size();
        std::from_chars(begin, text.data() + text.size(), number);
    }
    return number;
}

std::string checksum_of(std::string_view text) {
    std::uint64_t sum = 0xcbf29ce484222325U;
    for (const char c : text) {
        sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return fmt::format("{:016x}", sum);
}

Result<SchemaState> schema_of(Connection& db, std::span<const Migration> migrations) {
    BATON_TRY(const auto applied, applied_to(db));
    const int known = migrations.empty() ? 0 : migrations.back().number;
    if (auto enough = ensure_known_enough(applied, known); !enough) {
        return fail(std::move(enough).error());
    }
    return SchemaState{
        .number = applied.empty() ? 0 : applied.back().number,
        .steps = applied.size(),
        .difference = difference_in(applied, migrations),
    };
}

Result<MigrationReport> pending_migrations(Connection& db, std::span<const Migration> migrations) {
    BATON_TRY(auto schema, schema_of(db, migrations));
    if (!schema.difference.empty()) {
        return fail(Errc::conflict, std::move(schema.difference));
    }
    MigrationReport report{.from = schema.number, .to = schema.number, .known = 0, .applied = {}};
    report.known = migrations.empty() ? 0 : migrations.back().number;
    for (const auto& migration : migrations.subspan(std::min(schema.steps, migrations.size()))) {
        report.to = migration.number;
        report.applied.push_back(label_of(migration));
    }
    return report;
}

Result<MigrationReport> apply_migrations(
    Connection& db, std::span<const Migration> migrations, TimePoint now, const MayApply& may_apply
) {
    BATON_TRY(auto report, pending_migrations(db, migrations));
    for (const auto& migration : migrations.last(report.applied.size())) {
        if (auto applied = apply_one(db, migration, now, may_apply); !applied) {
            return fail(std::move(applied).error());
        }
    }
    return report;
}

} // namespace baton::store::sql
