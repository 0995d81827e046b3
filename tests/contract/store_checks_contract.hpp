#pragma once

/// The sentences of ports/store.hpp about checks, re-runs and the gate, for every store.
#include "contract/looks_contract.hpp"
#include "contract/notices_contract.hpp"
#include "contract/postings_contract.hpp"
#include "contract/reruns_contract.hpp"

#define BATON_INSTANTIATE_CHECKS_CONTRACT(prefix, kinds)                                           \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreLooks, testing::ValuesIn(kinds), kind_name);             \
    INSTANTIATE_TEST_SUITE_P(prefix, StorePostings, testing::ValuesIn(kinds), kind_name);          \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreReruns, testing::ValuesIn(kinds), kind_name);            \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreGate, testing::ValuesIn(kinds), kind_name);              \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreNotices, testing::ValuesIn(kinds), kind_name)
