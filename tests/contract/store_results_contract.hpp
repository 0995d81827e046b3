#pragma once

/// The sentences of ports/store.hpp about results, the outbox and schedules, for every store.
#include "contract/forgetting_contract.hpp"
#include "contract/outbox_contract.hpp"
#include "contract/results_contract.hpp"
#include "contract/schedule_contract.hpp"
#include "contract/showing_contract.hpp"
#include "contract/sweep_contract.hpp"

#define BATON_INSTANTIATE_RESULTS_CONTRACT(prefix, kinds)                                          \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreResults, testing::ValuesIn(kinds), kind_name);           \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreSweep, testing::ValuesIn(kinds), kind_name);             \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreShowing, testing::ValuesIn(kinds), kind_name);           \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreOutbox, testing::ValuesIn(kinds), kind_name);            \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreSchedule, testing::ValuesIn(kinds), kind_name);          \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreForgetting, testing::ValuesIn(kinds), kind_name)
