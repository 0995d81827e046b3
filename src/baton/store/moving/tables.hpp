#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Moving a store from SQLite to PostgreSQL; see store/move.hpp.
namespace baton::store::moving {

using sql::Connection;
using sql::Query;

enum class Kind : std::uint8_t { integer = 1, real, text, bytes };

struct Column {
    std::string name;
    Kind kind{Kind::integer};
    bool generated{false}; // each database computes it: compared, not copied
};

/// A statement whose text is made at run time. It stays where it is: connections know a statement
/// by its address.
class Text {
public:
    Text(const std::string& table, std::string sql)
        : name_("move_" + table)
        , sql_(std::move(sql))
        , query_{name_.c_str(), sql_.c_str()} {}

    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;

    const Query& query() const { return query_; }

private:
    std::string name_;
    std::string sql_;
    Query query_;
};

struct Statements {
    Text count;       // of either
    Text read;        // of the file: every column, in the order of keys
    Text largest;     // of the file: the largest number that its first key column was ever given
    Text insert_one;  // of the database, as all below
    Text insert_many; // Table::rows_at_once of them
    Text declare;     // a cursor over what `read` reads, in the same order
    Text fetch;
};

struct Table {
    std::string name;
    std::vector<Column> columns;
    std::vector<std::size_t> key;       // places of the primary key's columns
    std::vector<std::string> refers_to; // tables that must be filled before this one
    std::size_t places{0};              // columns that are copied
    std::size_t rows_at_once{1};        // of one INSERT
    std::unique_ptr<const Statements> statements;
};

/// Every table of the file but the one that tells its schema, each after those that it refers to.
Result<std::vector<Table>> tables_of(Connection& file);

/// A column that the database numbers by itself.
struct Identity {
    std::string table;
    std::string column;
};

/// Says `conflict`, naming it, when one side has a table or a column that the other lacks.
/// Otherwise: which columns need to know where to go on.
Result<std::vector<Identity>> fit(const std::vector<Table>& tables, Connection& database);

std::string quoted(const std::string& name);

} // namespace baton::store::moving
