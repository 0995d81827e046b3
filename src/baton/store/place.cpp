#include "baton/store/place.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/postgres/address.hpp"
#include "baton/store/postgres/postgres_store.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/store/store_role.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace baton::store {

bool is_database(std::string_view place) {
    return place.starts_with("postgresql://") || place.starts_with("postgres://");
}

std::string shown(std::string_view place) {
    return is_database(place) ? postgres::shown(std::string(place)) : std::string(place);
}

Result<std::unique_ptr<SqlStore>>
open_store(const std::string& place, StoreRole role, TimePoint now) {
    if (is_database(place)) {
        BATON_TRY(auto store, PostgresStore::open({.url = place, .role = role, .now = now}));
        return std::unique_ptr<SqlStore>(std::move(store));
    }
    BATON_TRY(auto store, SqliteStore::open({.path = place, .role = role, .now = now}));
    return std::unique_ptr<SqlStore>(std::move(store));
}

} // namespace baton::store
