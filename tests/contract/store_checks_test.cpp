#include "contract/store_checks_contract.hpp"
#include "contract/store_kinds.hpp"

namespace baton::test {

BATON_INSTANTIATE_CHECKS_CONTRACT(
    Every, StoreKind{"memory", open_memory_store}, StoreKind{"sqlite", open_sqlite_store}
);

} // namespace baton::test
