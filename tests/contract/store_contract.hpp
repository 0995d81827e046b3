#pragma once

/// What every store must do, one test per sentence of ports/store.hpp. A new store is finished when
/// it passes: write a StoreKind for it and instantiate the suites in store_test.cpp,
/// store_results_test.cpp and store_checks_test.cpp.
#include "contract/dispatching_contract.hpp"
#include "contract/intake_contract.hpp"
#include "contract/keeping_contract.hpp"
#include "contract/operating_contract.hpp"
#include "contract/planning_contract.hpp"
#include "contract/recovery_contract.hpp"
#include "contract/retention_contract.hpp"

#define BATON_INSTANTIATE_STORE_CONTRACT(prefix, kinds)                                            \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreIntake, testing::ValuesIn(kinds), kind_name);            \
    INSTANTIATE_TEST_SUITE_P(prefix, StorePlanning, testing::ValuesIn(kinds), kind_name);          \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreDispatching, testing::ValuesIn(kinds), kind_name);       \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreRecovery, testing::ValuesIn(kinds), kind_name);          \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreKeeping, testing::ValuesIn(kinds), kind_name);           \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreOperating, testing::ValuesIn(kinds), kind_name);         \
    INSTANTIATE_TEST_SUITE_P(prefix, StorePruning, testing::ValuesIn(kinds), kind_name)
