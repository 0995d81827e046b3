#include "baton/store/moving/statements.hpp"

#include "baton/store/moving/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace baton::store::moving {

namespace {

constexpr std::size_t kPlacesMax = 1'000; // of one statement
constexpr std::size_t kFetchedRows = 500; // of one FETCH
constexpr std::size_t kFetchedWithBytes =
    8; // a body may have megabytes, and all of them come at once

std::string list_of(const Table& table, bool with_generated) {
    std::vector<std::string> names;
    for (const auto& column : table.columns) {
        if (with_generated || !column.generated) {
            names.push_back(quoted(column.name));
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string insert_text(const Table& table, std::size_t rows) {
    std::vector<std::string> tuples;
    std::size_t place = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        std::vector<std::string> places;
        for (std::size_t i = 0; i < table.places; ++i) {
            places.push_back(fmt::format("?{}", ++place));
        }
        tuples.push_back(fmt::format("({})", fmt::join(places, ", ")));
    }
    return fmt::format(
        "INSERT INTO {} ({}) VALUES {}",
        quoted(table.name),
        list_of(table, false),
        fmt::join(tuples, ", ")
    );
}

/// The key's columns in one and the same order in both: numbers by size, text by its bytes,
/// whatever collation the column has.
std::string order_of(const Table& table, const std::string& after_text) {
    std::vector<std::string> parts;
    for (const auto at : table.key) {
        const auto& column = table.columns[at];
        parts.push_back(quoted(column.name) + (column.kind == Kind::text ? after_text : ""));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string select_text(const Table& table, const std::string& after_text) {
    return fmt::format(
        "SELECT {} FROM {} ORDER BY {}",
        list_of(table, true),
        quoted(table.name),
        order_of(table, after_text)
    );
}

std::string largest_text(const Table& table) {
    return fmt::format(
        "SELECT max(coalesce((SELECT max({}) FROM {}), 0), coalesce((SELECT seq FROM "
        "sqlite_sequence WHERE name = '{}'), 0))",
        quoted(table.columns[table.key.front()].name),
        quoted(table.name),
        table.name
    );
}

} // namespace

void prepare(Table& table) {
    const auto& name = table.name;
    const bool heavy = std::ranges::any_of(table.columns, [](const auto& column) {
        return column.kind == Kind::bytes;
    });
    table.places = static_cast<std::size_t>(
        std::ranges::count_if(table.columns, [](const auto& column) { return !column.generated; })
    );
    table.rows_at_once = std::max<std::size_t>(1, kPlacesMax / table.places);
    table.statements = std::unique_ptr<const Statements>(new Statements{
        .count = {name, fmt::format("SELECT count(*) FROM {}", quoted(name))},
        .read = {name, select_text(table, fmt::format(" COLLATE {}", kCollation))},
        .largest = {name, largest_text(table)},
        .insert_one = {name, insert_text(table, 1)},
        .insert_many = {name, insert_text(table, table.rows_at_once)},
        .declare =
            {name,
             "DECLARE moving NO SCROLL CURSOR FOR " + select_text(table, "::text COLLATE \"C\"")},
        .fetch =
            {name, fmt::format("FETCH {} FROM moving", heavy ? kFetchedWithBytes : kFetchedRows)},
    });
}

} // namespace baton::store::moving
