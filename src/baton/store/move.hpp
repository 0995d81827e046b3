#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/tools.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace baton::store {

struct MoveOrder {
    std::string from;    // a SQLite file
    std::string to;      // postgresql://…
    bool dry_run{false}; // count the rows and look at both; a relay may be serving
    TimePoint now{};     // written down beside each step of a schema that is made
};

struct MovedTable {
    std::string name;
    std::size_t rows{0};
    std::size_t cleaned{0};            // rows with text that PostgreSQL cannot hold
    std::vector<std::string> examples; // keys of the first of them
};

struct MoveReport {
    std::vector<MovedTable> tables; // in the order of copying: what others refer to comes first
    bool makes_schema{false};       // the database had none
};

std::size_t rows_in(const MoveReport& report);

/// Copies a SQLite store into an empty PostgreSQL database and compares every row with its copy, in
/// one transaction of the database: afterwards everything is there, or nothing.
///
/// Tables and columns are those that the file has, so a new schema needs no change here. The file
/// is only read; nobody can serve from it meanwhile.
///
/// `not_found` without a file, or when one of them cannot be opened; `forbidden` when the database
/// holds rows already or its role may not make the schema, or when the places are not a file and a
/// database; `conflict` when a relay serves from the file or a schema is not this version's;
/// `invalid` when a copy differs from its row: the error says table, key and column, and nothing
/// was written.
Result<MoveReport> move_store(const MoveOrder& order, const Progress& progress);

} // namespace baton::store
