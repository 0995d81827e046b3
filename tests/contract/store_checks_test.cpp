#include "contract/store_checks_contract.hpp"
#include "contract/store_kinds.hpp"

namespace baton::test {

BATON_INSTANTIATE_CHECKS_CONTRACT(Every, every_kind());

} // namespace baton::test
