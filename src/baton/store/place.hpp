#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/store_role.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace baton::store {

/// Where a store is: the path of a SQLite file, or postgresql://….
bool is_database(std::string_view place);

/// For people: without what may be secret in an address.
std::string shown(std::string_view place);

/// Opens whichever it is; see SqliteStore::open and PostgresStore::open.
Result<std::unique_ptr<SqlStore>>
open_store(const std::string& place, StoreRole role, TimePoint now);

} // namespace baton::store
