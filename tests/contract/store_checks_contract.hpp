#pragma once

/// The sentences of ports/store.hpp about checks, re-runs and the gate, for every store.
#include "contract/looks_contract.hpp"
#include "contract/notices_contract.hpp"
#include "contract/postings_contract.hpp"
#include "contract/reruns_contract.hpp"

#define BATON_INSTANTIATE_CHECKS_CONTRACT(prefix, ...)                                             \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreLooks, testing::Values(__VA_ARGS__), kind_name);         \
    INSTANTIATE_TEST_SUITE_P(prefix, StorePostings, testing::Values(__VA_ARGS__), kind_name);      \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreReruns, testing::Values(__VA_ARGS__), kind_name);        \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreGate, testing::Values(__VA_ARGS__), kind_name);          \
    INSTANTIATE_TEST_SUITE_P(prefix, StoreNotices, testing::Values(__VA_ARGS__), kind_name)
