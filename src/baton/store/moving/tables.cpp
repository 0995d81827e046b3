#include "baton/store/moving/tables.hpp"

#include "baton/base/result.hpp"
#include "baton/store/moving/statements.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::moving {

namespace {

// schema_migration says how each database came to its schema, which is not the same text.
constexpr Query kTables{
    "move_tables",
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' "
    "AND name <> 'schema_migration' ORDER BY name"
};
constexpr Query kColumns{
    "move_columns", "SELECT name, type, hidden, pk FROM pragma_table_xinfo(?1) ORDER BY cid"
};
constexpr Query kReferences{
    "move_references", "SELECT DISTINCT \"table\" FROM pragma_foreign_key_list(?1)"
};
constexpr Query kTheirColumns{
    "move_their_columns",
    "SELECT c.relname, a.attname, (a.attidentity <> '')::int FROM pg_class AS c "
    "JOIN pg_attribute AS a ON a.attrelid = c.oid JOIN pg_namespace AS n ON n.oid = c.relnamespace "
    "WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition "
    "AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'schema_migration' ORDER BY 1, 2"
};

constexpr std::int64_t kGenerated = 2; // pragma_table_xinfo's `hidden`, and above

Kind kind_of(std::string_view type) {
    if (type == "INTEGER" || type == "INT") {
        return Kind::integer;
    }
    if (type == "REAL") {
        return Kind::real;
    }
    return type == "BLOB" ? Kind::bytes : Kind::text;
}

std::vector<std::string> names_in(Connection& file) {
    std::vector<std::string> names;
    auto rows = file.rows(kTables);
    while (rows.next()) {
        names.push_back(rows.text(0));
    }
    return names;
}

void read_columns(Connection& file, Table& table) {
    std::vector<std::pair<std::int64_t, std::size_t>> key;
    auto rows = file.rows(kColumns, table.name);
    while (rows.next()) {
        if (rows.integer(3) > 0) {
            key.emplace_back(rows.integer(3), table.columns.size());
        }
        table.columns.push_back(
            {.name = rows.text(0),
             .kind = kind_of(rows.view(1)),
             .generated = rows.integer(2) >= kGenerated}
        );
    }
    std::ranges::sort(key);
    std::ranges::transform(key, std::back_inserter(table.key), [](const auto& part) {
        return part.second;
    });
}

Table described(Connection& file, const std::string& name) {
    Table table{.name = name};
    read_columns(file, table);
    auto rows = file.rows(kReferences, name);
    while (rows.next()) {
        if (rows.view(0) != name) {
            table.refers_to.push_back(rows.text(0));
        }
    }
    return table;
}

/// Each after those that it refers to.
Result<std::vector<Table>> in_order(std::vector<Table> tables) {
    std::vector<Table> ordered;
    std::set<std::string> placed;
    while (!tables.empty()) {
        const auto ready = std::ranges::find_if(tables, [&placed](const Table& table) {
            return std::ranges::all_of(table.refers_to, [&placed](const std::string& name) {
                return placed.contains(name);
            });
        });
        if (ready == tables.end()) {
            return fail(
                Errc::conflict,
                fmt::format("table {} refers to itself in a circle", tables.front().name)
            );
        }
        placed.insert(ready->name);
        ordered.push_back(std::move(*ready));
        tables.erase(ready);
    }
    return ordered;
}

using Names = std::set<std::pair<std::string, std::string>>;

Names names_of(const std::vector<Table>& tables) {
    Names names;
    for (const auto& table : tables) {
        for (const auto& column : table.columns) {
            names.emplace(table.name, column.name);
        }
    }
    return names;
}

/// Of those that `has` holds and `lacks` does not.
Result<void> ensure_no_more(const Names& has, const Names& lacks, std::string_view who) {
    for (const auto& name : has) {
        if (!lacks.contains(name)) {
            return fail(
                Errc::conflict,
                fmt::format("only {} has the column {} of {}", who, name.second, name.first)
            );
        }
    }
    return {};
}

} // namespace

std::string quoted(const std::string& name) {
    return '"' + name + '"'; // names of our own schema: none has a quote in it
}

Result<std::vector<Table>> tables_of(Connection& file) {
    std::vector<Table> tables;
    for (const auto& name : names_in(file)) {
        auto table = described(file, name);
        if (file.ok() && table.key.empty()) {
            return fail(Errc::conflict, fmt::format("table {} has no primary key", name));
        }
        tables.push_back(std::move(table));
    }
    if (!file.ok()) {
        return fail(to_error(file.failure()));
    }
    for (auto& table : tables) {
        prepare(table);
    }
    return in_order(std::move(tables));
}

Result<std::vector<Identity>> fit(const std::vector<Table>& tables, Connection& database) {
    std::vector<Identity> identities;
    Names theirs;
    {
        auto rows = database.rows(kTheirColumns);
        while (rows.next()) {
            theirs.emplace(rows.text(0), rows.text(1));
            if (rows.integer(2) != 0) {
                identities.push_back({.table = rows.text(0), .column = rows.text(1)});
            }
        }
    }
    if (!database.ok()) {
        return fail(to_error(database.failure()));
    }
    const auto ours = names_of(tables);
    if (auto checked = ensure_no_more(ours, theirs, "the file"); !checked) {
        return fail(std::move(checked).error());
    }
    if (auto checked = ensure_no_more(theirs, ours, "the database"); !checked) {
        return fail(std::move(checked).error());
    }
    return identities;
}

} // namespace baton::store::moving
