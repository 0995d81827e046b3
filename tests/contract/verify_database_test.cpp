#include "baton/base/result.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/postgres_store.hpp"
#include "baton/store/postgres/verify.hpp"
#include "baton/store/tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/filled_store.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "support/postgres_place.hpp"

// What `baton db verify` finds in a database; each of its questions is asked of SQLite by
// tests/unit/store/verify_test.cpp.

namespace baton::test {

namespace {

struct Damage {
    const char* sql;
    const char* finding;
};

constexpr Damage kDamages[] = {
    {"UPDATE tally SET n = 7 WHERE name = 'sent'", "tallies: sent is kept as 7, counted 1"},
    {"UPDATE sent_slot SET sent = 3 WHERE downstream = 'a/one'", "what was sent to a/one from "},
    {"UPDATE notification SET kind = 'shouted'", "notification 1 does not read"},
    {"ALTER TABLE ledger DISABLE TRIGGER USER; DELETE FROM ledger WHERE sequence = 1",
     "ledger lines: lines 1 to 1 are missing"},
    {"UPDATE delivery SET body_bytes = body_bytes + 1 WHERE id = 'd2'",
     "the body of delivery d2 does not unfold"},
    {"DELETE FROM delivery_body WHERE sequence = 2", " to a/one has no body to send"},
    {"UPDATE job_tally SET ended = 2 WHERE span_ms = 3600000", "roll-ups: success of b/two from "},
    {"UPDATE claim SET run_id = '102'", "job 1 counts, and its run 101 has no claim"},
    {"UPDATE job_detail SET zstd = decode('00', 'hex')", "the detail of job 1 does not read"},
    {"UPDATE outbox SET due_at_ms = NULL", "to hud not exactly one is due"},
    {"UPDATE posting SET gate = 0", "posting 1 (crcr/gate) is taken for a gate"},
    {"DELETE FROM cell_job", "job 1 counts, and is not in its cell"},
    {"UPDATE downstream_now SET pending = 3 WHERE downstream = 'a/one'",
     "a/one is kept with 3 pending and 0 running, counted 1 and 0"},
    {"INSERT INTO ladder_standing (upstream, downstream, listed, effective, state, since_ms, "
     "as_of_ms, detail) VALUES ('up/stream', 'a/one', 4, 3, 'ok', 1, 1, '{}')",
     "levels: a/one of up/stream is kept as ok at L3 of L4, and nothing moved it"},
};

class VerifyingADatabase : public testing::TestWithParam<StoreKind> {
protected:
    VerifyingADatabase() {
        const auto store = store::PostgresStore::open({.url = place_.url(), .now = at(0)});
        fill(*store.value());
    }

    std::vector<std::string> findings() const {
        std::vector<std::string> all;
        const auto found = store::postgres::verify(place_.url(), [](const auto&) {}).value();
        for (const auto& check : found.checks) {
            for (const auto& finding : check.findings) {
                all.push_back(check.what + ": " + finding);
            }
        }
        return all;
    }

    PostgresPlace place_;
};

TEST_P(VerifyingADatabase, CallsNoneGoodThatHoldsNoStore) {
    const PostgresPlace empty(PostgresPlace::Holds::nothing);
    const auto refused = store::postgres::verify(empty.url(), [](const auto&) {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::not_found);
    EXPECT_THAT(refused.error().detail, testing::StartsWith("there is no store in postgresql:"));
}

TEST_P(VerifyingADatabase, FindsNothingInAGoodOneAndEachDamage) {
    EXPECT_EQ(findings(), std::vector<std::string>{});
    for (const auto& [sql, finding] : kDamages) {
        auto db = store::postgres::connect(place_.url()).value();
        db.script(sql, "damage");
        ASSERT_TRUE(db.ok()) << db.failure().text;
        EXPECT_THAT(findings(), testing::Contains(testing::HasSubstr(finding))) << sql;
    }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(VerifyingADatabase);
INSTANTIATE_TEST_SUITE_P(Every, VerifyingADatabase, testing::ValuesIn(postgres_kind()), kind_name);

} // namespace

} // namespace baton::test
