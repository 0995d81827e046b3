#pragma once

#include "baton/base/result.hpp"
#include "baton/store/move.hpp"
#include "baton/store/moving/tables.hpp"
#include "baton/store/sql/connection.hpp"

#include <functional>
#include <optional>
#include <string>

namespace baton::store::moving {

/// Told of each row.
using Tick = std::function<void()>;

/// Opens a file to read all of it as of one moment; ":memory:" for one to be filled. Refuses
/// nothing about its schema.
Result<Connection> open_to_move(const std::string& path);

/// How many rows a table of the file has.
MovedTable counted(Connection& file, const Table& table);

/// Copies all rows. The caller began a transaction, switched triggers off, and looks at both
/// connections afterwards.
MovedTable copy(Connection& file, Connection& database, const Table& table, const Tick& tick);

/// Reads a table of both and says the first difference: key, column, and both values. nullopt when
/// there is none, and after a failure of either connection.
std::optional<std::string>
first_difference(Connection& file, Connection& database, const Table& table, const Tick& tick);

/// The number that an identity goes on after: none that was ever given is given again.
void go_on_after(Connection& file, Connection& database, const Table& table);

} // namespace baton::store::moving
