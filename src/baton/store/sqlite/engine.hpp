#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::sqlite {

using sql::Connection;
using sql::Query;

enum class Access : std::uint8_t { read, write, create };

/// Opens a file and sets what every connection needs: synchronous EXTRA, foreign keys, 5 s of
/// patience, 8 KB pages in a new file. `vfs` as in SqliteOptions.
Result<Connection> open(const std::string& path, Access access, const std::string& vfs = {});

/// Of a connection that `open` made, here and below.
sqlite3* handle_of(const Connection& db);

/// Once per file, after it proved to be ours: the file remembers.
void use_wal(Connection& db);

/// Once per start, before anybody is told what the store holds: a process that was killed may have
/// left commits in the log that never reached the disk. They are brought into the file, which is
/// synced.
void secure_log(Connection& db);

/// Names of cached statements that walked a whole table or sorted; tests ask.
std::vector<std::string> statements_that_scanned(const Connection& db);

/// Says what SQLite's (extended) code means for the caller, in one sentence. `text` says which
/// query, and SQLite's words.
sql::Failure failure_of(int code, std::string text);

/// The same error, said of the file at `path`.
Error about(const std::string& path, Error error);

} // namespace baton::store::sqlite
