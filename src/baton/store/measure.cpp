#include "baton/store/measure.hpp"

#include "baton/base/result.hpp"
#include "baton/store/place.hpp"
#include "baton/store/store_role.hpp"

#include <string>
#include <utility>

namespace baton::store {

Result<StoreToMeasure> open_to_measure(const std::string& path) {
    BATON_TRY(auto store, open_store(path, StoreRole::tool, {}));
    auto& levels = store->levels();
    auto& measuring = store->measuring();
    return StoreToMeasure{.store = std::move(store), .levels = &levels, .measuring = &measuring};
}

} // namespace baton::store
