#pragma once

#include "baton/store/moving/tables.hpp"
#include "baton/store/sql/connection.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace baton::store::moving {

/// NULL, a number, or text and bytes as they are.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// One row of either database, in the order of Table::columns. Equal rows have equal values.
struct Row {
    std::vector<Value> values;
    bool cleaned{false}; // it held text that PostgreSQL cannot: this is the copy's
};

Row row_in(const sql::Rows& rows, const Table& table);

/// Which of two rows comes first; `equal` when both have the same key.
std::weak_ordering by_key(const Table& table, const Row& left, const Row& right);

/// For people, and not too long: `42`, `own/er 7`.
std::string key_text(const Table& table, const Row& row);
std::string value_text(const Column& column, const Value& value);

/// How many bytes its texts have.
std::size_t weight_of(const Row& row);

/// Adds rows; as many as the statement has places for.
void insert(
    Connection& database, const Query& query, const Table& table, std::span<const Row> rows
);

/// The rows of one table of the database, in the order of keys, a few at a time. Within a
/// transaction, and one at a time.
class FetchedRows {
public:
    FetchedRows(Connection& database, const Table& table);
    FetchedRows(const FetchedRows&) = delete;
    FetchedRows& operator=(const FetchedRows&) = delete;
    ~FetchedRows();

    /// nullopt at the end and after a failure.
    std::optional<Row> next();

private:
    void fetch();

    Connection& database_;
    const Table& table_;
    std::vector<Row> fetched_;
    std::size_t at_{0};
};

} // namespace baton::store::moving
