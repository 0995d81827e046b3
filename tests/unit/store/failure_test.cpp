#include "baton/base/result.hpp"
#include "baton/store/postgres/failure.hpp"
#include "baton/store/sql/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace baton::store::postgres {
namespace {

using sql::Harm;

struct FailureCase {
    const char* state;
    const char* words;
    Errc code;
    Harm harm;
    const char* sentence;
};

constexpr FailureCase kFailures[] = {
    {"23505", "", Errc::conflict, Harm::operation, "contradicts what the store holds"},
    {"22003", "", Errc::conflict, Harm::operation, "contradicts what the store holds"},
    {"53100", "", Errc::unavailable, Harm::transaction, "disk is full"},
    {"42501", "", Errc::invalid, Harm::transaction, "refuses Baton's role"},
    {"0A000",
     "0001: ERROR: extension \"citext\" is not available",
     Errc::invalid,
     Harm::transaction,
     "postgresql-contrib"},
    {"0A000",
     "ERROR: cached plan must not change result type",
     Errc::unavailable,
     Harm::transaction,
     "cannot be used now"},
    {"55P03", "", Errc::unavailable, Harm::transaction, "took too long"},
    {"57P01", "", Errc::unavailable, Harm::transaction, "cannot be reached"},
    {"", "", Errc::unavailable, Harm::transaction, "cannot be reached"},
};

TEST(PostgresFailure, SaysWhatItMeansForTheCaller) {
    for (const auto& [state, words, code, harm, sentence] : kFailures) {
        const auto failure = failure_of(state, words);
        EXPECT_EQ(failure.code, code) << state << " " << words;
        EXPECT_EQ(failure.harm, harm) << state << " " << words;
        EXPECT_THAT(failure.sentence, testing::HasSubstr(sentence)) << state << " " << words;
    }
}

} // namespace
} // namespace baton::store::postgres
