#include "contract/store_kinds.hpp"
#include "contract/store_results_contract.hpp"

namespace baton::test {

BATON_INSTANTIATE_RESULTS_CONTRACT(
    Every, StoreKind{"memory", open_memory_store}, StoreKind{"sqlite", open_sqlite_store}
);

} // namespace baton::test
