#include "contract/store_contract.hpp"
#include "contract/store_kinds.hpp"

namespace baton::test {

BATON_INSTANTIATE_STORE_CONTRACT(
    Every, StoreKind{"memory", open_memory_store}, StoreKind{"sqlite", open_sqlite_store}
);

} // namespace baton::test
