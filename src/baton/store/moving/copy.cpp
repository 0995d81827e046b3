#include "baton/store/moving/copy.hpp"

#include "baton/base/result.hpp"
#include "baton/store/move.hpp"
#include "baton/store/moving/rows.hpp"
#include "baton/store/moving/statements.hpp"
#include "baton/store/moving/tables.hpp"
#include "baton/store/postgres/dialect.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sqlite/engine.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::moving {

namespace {

constexpr std::size_t kBatchBytesMax = 4U << 20U;
constexpr std::size_t kExamplesMax = 3;

std::string_view view_of(const void* text, int bytes) {
    return {static_cast<const char*>(text), static_cast<std::size_t>(bytes)};
}

int compare_cleaned(
    void* /*nothing*/, int left_bytes, const void* left, int right_bytes, const void* right
) {
    return postgres::clean(view_of(left, left_bytes))
        .compare(postgres::clean(view_of(right, right_bytes)));
}

/// A full batch in one statement, a part of one row by row: each size would be one more statement.
void add(Connection& database, const Table& table, std::vector<Row>& batch) {
    const auto& statements = *table.statements;
    if (batch.size() == table.rows_at_once) {
        insert(database, statements.insert_many.query(), table, batch);
    } else {
        for (const auto& row : batch) {
            insert(database, statements.insert_one.query(), table, std::span(&row, 1));
        }
    }
    batch.clear();
}

void note_cleaned(MovedTable& moved, const Table& table, const Row& row) {
    ++moved.cleaned;
    if (moved.examples.size() < kExamplesMax) {
        moved.examples.push_back(key_text(table, row));
    }
}

std::optional<std::string> difference(const Table& table, const Row& ours, const Row& theirs) {
    for (std::size_t at = 0; at < table.columns.size(); ++at) {
        if (ours.values[at] != theirs.values[at]) {
            const auto& column = table.columns[at];
            return fmt::format(
                "row {}: {} is {} in the file and {} in the database",
                key_text(table, ours),
                column.name,
                value_text(column, ours.values[at]),
                value_text(column, theirs.values[at])
            );
        }
    }
    return std::nullopt;
}

/// Of the rows that come next on both sides; at least one is there.
std::optional<std::string>
difference(const Table& table, const std::optional<Row>& ours, const std::optional<Row>& theirs) {
    const auto order = !theirs ? std::weak_ordering::less
                       : !ours ? std::weak_ordering::greater
                               : by_key(table, *ours, *theirs);
    if (order < 0) {
        return fmt::format("row {} is in the file only", key_text(table, *ours));
    }
    if (order > 0) {
        return fmt::format("row {} is in the database only", key_text(table, *theirs));
    }
    return difference(table, *ours, *theirs);
}

} // namespace

Result<Connection> open_to_move(const std::string& path) {
    const bool fresh = path == ":memory:";
    BATON_TRY(auto db, sqlite::open(path, fresh ? sqlite::Access::create : sqlite::Access::read));
    // Rows of tables with names for keys are sorted, and memory may not hold all of them.
    db.script("PRAGMA temp_store = FILE", "move_sorting");
    const int code = sqlite3_create_collation(
        sqlite::handle_of(db), kCollation, SQLITE_UTF8, nullptr, compare_cleaned
    );
    if (code != SQLITE_OK || !db.ok()) {
        return fail(Errc::unavailable, fmt::format("{}: {}", path, sqlite3_errstr(code)));
    }
    return db;
}

MovedTable counted(Connection& file, const Table& table) {
    auto rows = file.rows(table.statements->count.query());
    const auto number = rows.next() ? rows.integer(0) : 0;
    return {.name = table.name, .rows = static_cast<std::size_t>(number)};
}

MovedTable copy(Connection& file, Connection& database, const Table& table, const Tick& tick) {
    MovedTable moved{.name = table.name};
    std::vector<Row> batch;
    std::size_t bytes = 0;
    auto rows = file.rows(table.statements->read.query());
    while (database.ok() && rows.next()) {
        batch.push_back(row_in(rows, table));
        bytes += weight_of(batch.back());
        if (batch.back().cleaned) {
            note_cleaned(moved, table, batch.back());
        }
        if (batch.size() == table.rows_at_once || bytes >= kBatchBytesMax) {
            add(database, table, batch);
            bytes = 0;
        }
        ++moved.rows;
        tick();
    }
    add(database, table, batch);
    return moved;
}

std::optional<std::string>
first_difference(Connection& file, Connection& database, const Table& table, const Tick& tick) {
    auto ours = file.rows(table.statements->read.query());
    FetchedRows theirs(database, table);
    while (true) {
        const auto here = ours.next() ? std::optional(row_in(ours, table)) : std::nullopt;
        const auto there = theirs.next();
        if (!file.ok() || !database.ok() || (!here && !there)) {
            return std::nullopt;
        }
        if (auto found = difference(table, here, there)) {
            return found;
        }
        tick();
    }
}

void go_on_after(Connection& file, Connection& database, const Table& table) {
    std::int64_t largest = 0;
    {
        auto rows = file.rows(table.statements->largest.query());
        largest = rows.next() ? rows.integer(0) : 0;
    }
    const auto sql = fmt::format(
        "SELECT setval(pg_get_serial_sequence('{}', '{}'), {}, {})",
        quoted(table.name),
        table.columns[table.key.front()].name,
        std::max<std::int64_t>(largest, 1),
        largest > 0
    );
    database.script(sql.c_str(), "move_identity");
}

} // namespace baton::store::moving
