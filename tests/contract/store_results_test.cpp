#include "contract/store_kinds.hpp"
#include "contract/store_results_contract.hpp"

namespace baton::test {

BATON_INSTANTIATE_RESULTS_CONTRACT(Every, every_kind());

} // namespace baton::test
