#include "baton/base/time.hpp"
#include "baton/ports/retention.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verbs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

using ports::StoredKind;

// What is not named here is `other`. Tables whose name begins with that of one are its partitions.
constexpr std::array<std::pair<std::string_view, StoredKind>, 41> kKindOf{{
    {"delivery_body", StoredKind::payloads},
    {"delivery", StoredKind::deliveries},
    {"hook", StoredKind::deliveries},
    {"dispatch", StoredKind::dispatches},
    {"attempt", StoredKind::dispatches},
    {"claim", StoredKind::dispatches},
    {"job", StoredKind::results},
    {"job_detail", StoredKind::results},
    {"job_latest", StoredKind::results},
    {"grid_row", StoredKind::results},
    {"cell", StoredKind::results},
    {"cell_job", StoredKind::results},
    {"flaky_cell", StoredKind::results},
    {"attribution", StoredKind::results},
    {"failed_test", StoredKind::results},
    {"benchmark", StoredKind::results},
    {"benchmark_value", StoredKind::results},
    {"ladder_red", StoredKind::results},
    {"ladder_ruling", StoredKind::results},
    {"tally", StoredKind::roll_ups},
    {"job_tally", StoredKind::roll_ups},
    {"sent_slot", StoredKind::roll_ups},
    {"cell_day", StoredKind::roll_ups},
    {"job_day", StoredKind::roll_ups},
    {"downstream_now", StoredKind::roll_ups},
    {"cluster", StoredKind::roll_ups},
    {"cluster_downstream", StoredKind::roll_ups},
    {"cluster_day", StoredKind::roll_ups},
    {"cluster_pull", StoredKind::roll_ups},
    {"cluster_test", StoredKind::roll_ups},
    {"schedule_missed", StoredKind::roll_ups},
    {"ladder_day", StoredKind::roll_ups},
    {"ladder_evaluation", StoredKind::ledger},
    {"ladder_standing", StoredKind::ledger},
    {"ladder_transition", StoredKind::ledger},
    {"ledger", StoredKind::ledger},
    {"accounted_day", StoredKind::ledger},
    {"allowlist_version", StoredKind::ledger},
    {"look", StoredKind::checks},
    {"posting", StoredKind::checks},
    {"rerun", StoredKind::checks},
}};

// Each table with its size where that is known without looking at it.
constexpr Query kTables{
    "tables",
    "SELECT name, 0 FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name",
    "SELECT coalesce(p.relname, c.relname), pg_total_relation_size(c.oid) FROM pg_class AS c LEFT "
    "JOIN pg_inherits AS i ON i.inhrelid = c.oid LEFT JOIN pg_class AS p ON p.oid = i.inhparent "
    "WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY 1"
};
// With its indexes. SQLite looks at every page of it.
constexpr Query kPagesOf{
    "pages_of",
    "SELECT coalesce(sum(s.pgsize), 0) FROM sqlite_schema AS t CROSS JOIN dbstat AS s ON s.name = "
    "t.name AND s.aggregate = TRUE WHERE t.tbl_name = ?1 AND t.rootpage > 0",
    "SELECT 0::bigint WHERE $1 IS NULL"
};
constexpr Query kFreePages{
    "free_pages",
    "SELECT (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM "
    "pragma_page_size)",
    "SELECT 0::bigint"
};
constexpr Query kKeep{
    "keep_size",
    "INSERT INTO kept_size (kind, bytes, at_ms) VALUES (?1, ?2, ?3) ON CONFLICT (kind) DO UPDATE "
    "SET bytes = excluded.bytes, at_ms = excluded.at_ms"
};
constexpr Query kKept{"kept_sizes", "SELECT kind, bytes, at_ms FROM kept_size"};

StoredKind kind_of(std::string_view table) {
    const auto* const found =
        std::ranges::find(kKindOf, table, &std::pair<std::string_view, StoredKind>::first);
    return found == kKindOf.end() ? StoredKind::other : found->second;
}

std::size_t number_in(Rows rows) {
    return rows.next() ? static_cast<std::size_t>(rows.integer(0)) : 0U;
}

} // namespace

std::size_t bytes_of(Connection& db, ports::StoredKind kind) {
    if (kind == StoredKind::free) {
        return number_in(db.rows(kFreePages));
    }
    std::size_t bytes = 0;
    std::vector<std::string> to_look_at;
    {
        auto rows = db.rows(kTables);
        while (rows.next()) {
            if (kind_of(rows.view(0)) == kind) {
                bytes += static_cast<std::size_t>(rows.integer(1));
                to_look_at.push_back(rows.text(0));
            }
        }
    }
    if (db.engine().kind() == "sqlite") {
        for (const auto& table : to_look_at) {
            bytes += number_in(db.rows(kPagesOf, table));
        }
    }
    return bytes;
}

void keep_sizes(Connection& db, const ports::StoreSizes& sizes) {
    for (const auto& [kind, name] : ports::kStoredKinds) {
        if (const auto at = sizes.bytes.find(kind); at != sizes.bytes.end()) {
            db.run(kKeep, name, at->second, sizes.at);
        }
    }
}

ports::StoreSizes kept_sizes(Connection& db) {
    ports::StoreSizes sizes;
    auto rows = db.rows(kKept);
    while (rows.next()) {
        const auto* const known =
            std::ranges::find(ports::kStoredKinds, rows.view(0), &ports::NamedStoredKind::name);
        if (known != ports::kStoredKinds.end()) {
            sizes.bytes[known->kind] = static_cast<std::size_t>(rows.integer(1));
            sizes.at = std::max(sizes.at, rows.time(2));
        }
    }
    return sizes;
}

} // namespace baton::store::sql::verbs
