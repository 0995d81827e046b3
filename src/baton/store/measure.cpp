#include "baton/store/measure.hpp"

#include "baton/base/result.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <string>
#include <utility>

namespace baton::store {

Result<StoreToMeasure> open_to_measure(const std::string& path) {
    BATON_TRY(auto store, SqliteStore::open({.path = path, .role = StoreRole::tool}));
    auto& levels = store->levels();
    auto& measuring = store->measuring();
    return StoreToMeasure{.store = std::move(store), .levels = &levels, .measuring = &measuring};
}

} // namespace baton::store
