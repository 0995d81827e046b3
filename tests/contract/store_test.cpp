#include "contract/store_contract.hpp"
#include "contract/store_kinds.hpp"

namespace baton::test {

BATON_INSTANTIATE_STORE_CONTRACT(Every, every_kind());

} // namespace baton::test
