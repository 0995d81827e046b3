#include "baton/store/place.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/postgres/postgres_store.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/store/store_role.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace baton::store {

bool is_database(std::string_view place) {
    return place.starts_with("postgresql://") || place.starts_with("postgres://");
}

std::string shown(std::string_view place) {
    if (!is_database(place)) {
        return std::string(place);
    }
    const auto user = place.find("//") + 2;
    const auto end = place.substr(0, place.find('/', user)).rfind('@');
    const auto colon = place.find(':', user);
    if (end == std::string_view::npos || end < user || colon > end) {
        return std::string(place);
    }
    return fmt::format("{}:***{}", place.substr(0, colon), place.substr(end));
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
