#include "baton/base/result.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/store/sqlite/verify.hpp"
#include "baton/store/tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "contract/filled_store.hpp"
#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"

namespace baton::store::sqlite {

using namespace sql;
using namespace baton::test;

namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A store with a bit of everything, damaged by SQL.
class Verifying : public ::testing::Test {
protected:
    Verifying()
        : path_(folder_.file("baton.db")) {
        const auto store = SqliteStore::open({.path = path_, .now = at(0)}).value();
        fill(*store);
    }

    /// A nightly with a failed test.
    void fail_a_test() {
        const auto store = SqliteStore::open({.path = path_, .now = at(8)}).value();
        auto failed = an_end(domain::Conclusion::failure);
        failed.detail.failed_tests = {{.name = "t", .message = "boom"}};
        EXPECT_TRUE(run_awaitable(store->record_report(a_self_report(std::move(failed), at(9)))));
    }

    void damage(const char* sql) {
        auto db = sqlite::open(path_, Access::write).value();
        db.script("PRAGMA foreign_keys = OFF", "off");
        db.script(sql, "damage");
        ASSERT_TRUE(db.ok()) << db.failure().text;
    }

    /// `what: finding`, all of them.
    std::vector<std::string> findings() const {
        std::vector<std::string> all;
        const auto found = verify(path_, [](const auto&) {}).value();
        for (const auto& check : found.checks) {
            for (const auto& finding : check.findings) {
                all.push_back(check.what + ": " + finding);
            }
        }
        return all;
    }

    TempFolder folder_{TempFolder::fast_parent()};
    std::string path_;
};

TEST_F(Verifying, PayloadsThatWereForgottenAreNotMissed) {
    {
        const auto store = SqliteStore::open({.path = path_, .now = at(8)}).value();
        const ports::PruneQuery query{.now = at(9), .keep_for = Millis{0}};
        EXPECT_EQ(run_awaitable(store->prune_bodies(query)).value().removed, 3U)
            << "one has a dispatch that waits";
    }
    EXPECT_EQ(findings(), std::vector<std::string>{});
}

TEST_F(Verifying, FindsNothingInAGoodStoreAndCountsWhatItLookedAt) {
    fail_a_test();
    damage("INSERT INTO ladder_standing (upstream, downstream, listed, effective, state, since_ms, "
           "as_of_ms, detail) VALUES ('Up/Stream', 'a/one', 4, 4, 'ok', 1, 1, '{}')");
    const auto found = verify(path_, [](const auto&) {}).value();
    EXPECT_TRUE(is_good(found));
    EXPECT_TRUE(is_complete(found));
    EXPECT_EQ(findings(), std::vector<std::string>{});
    for (const auto& check : found.checks) {
        EXPECT_GT(check.count, 0U) << check.what;
    }
}

TEST_F(Verifying, FindsClustersThatDoNotCountTheirFailedTests) {
    fail_a_test();
    damage("UPDATE cluster_day SET failures = 7; DELETE FROM cluster_test");
    EXPECT_THAT(
        findings(),
        ElementsAre(
            HasSubstr("at a/one does not count its failed tests by day"),
            HasSubstr("clusters count")
        )
    );
}

TEST_F(Verifying, FindsExcusesThatNothingStandsBehind) {
    fail_a_test();
    damage("UPDATE cell_day SET excused = 1 WHERE failure > 0");
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("are kept as 1, counted 0")));
}

TEST_F(Verifying, FindsATallyThatDoesNotCountWhatIsThere) {
    damage("UPDATE tally SET n = 7 WHERE name = 'sent'");
    EXPECT_THAT(findings(), ElementsAre("tallies: sent is kept as 7, counted 1"));
}

TEST_F(Verifying, FindsASlotThatDoesNotCountWhatWasSent) {
    damage("UPDATE sent_slot SET sent = 3 WHERE downstream = 'a/one'");
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("what was sent to a/one from ")));
}

TEST_F(Verifying, FindsANotificationThatNobodyCouldRead) {
    damage("UPDATE notification SET kind = 'shouted'");
    EXPECT_THAT(findings(), ElementsAre("notifications: notification 1 does not read"));
}

TEST_F(Verifying, FindsAnIncidentThatWasToldTwice) {
    damage("INSERT INTO notification SELECT 2, kind, upstream, downstream, level, oncalls, reason, "
           "evidence, by_hand, actor, since_ms, at_ms FROM notification");
    EXPECT_THAT(
        findings(), ElementsAre("notifications: notification 2 says what the one before it said")
    );
}

TEST_F(Verifying, FindsAHoleInTheLedger) {
    damage("DROP TRIGGER ledger_is_not_shortened; DELETE FROM ledger WHERE sequence = 1");
    EXPECT_THAT(findings(), ElementsAre("ledger lines: lines 1 to 1 are missing"));
}

TEST_F(Verifying, FindsABodyThatDoesNotUnfold) {
    damage("UPDATE delivery SET body_bytes = body_bytes + 1 WHERE id = 'd2'");
    EXPECT_THAT(
        findings(), ElementsAre(HasSubstr("bodies: the body of delivery d2 does not unfold"))
    );
}

TEST_F(Verifying, LooksAtMoreBodiesThanItFetchesAtOnce) {
    damage("WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 169) "
           "INSERT INTO delivery (sequence, id, event, action, repository, head_sha, "
           "received_at_ms, plan_at_ms, body_bytes) SELECT i, 'n' || i, 'push', '', 'up/stream', "
           "'', 0, 0, 9 FROM n; INSERT INTO delivery_body (sequence, zstd) "
           "SELECT sequence, x'00' FROM delivery WHERE sequence >= 100");
    EXPECT_EQ(findings().size(), 70U);
}

TEST_F(Verifying, FindsAPendingDispatchThatCouldNotBeSent) {
    damage("DELETE FROM delivery_body WHERE sequence = 2");
    EXPECT_THAT(findings(), ElementsAre(HasSubstr(" to a/one has no body to send")));
}

TEST_F(Verifying, FindsARowWhoseParentIsGone) {
    damage("UPDATE dispatch SET delivery = 99 WHERE state = 'sent'");
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("of dispatch names a row of delivery")));
}

TEST_F(Verifying, FindsFiguresThatDoNotCountTheJobsThatAreThere) {
    damage("UPDATE job_tally SET ended = 2 WHERE span_ms = 3600000");
    EXPECT_THAT(
        findings(),
        ElementsAre(AllOf(
            HasSubstr("roll-ups: success of b/two from "), HasSubstr(" is kept as 2, counted 1")
        ))
    );
    damage("DELETE FROM job_tally");
    EXPECT_EQ(findings().size(), 2U);
}

TEST_F(Verifying, FindsAJobThatCountsWithoutAClaim) {
    damage("UPDATE claim SET run_id = '102'");
    EXPECT_THAT(findings(), ElementsAre("claims: job 1 counts, and its run 101 has no claim"));
}

TEST_F(Verifying, FindsWhatIsShownInAnothersPlace) {
    damage("UPDATE job_latest SET pr_number = 8");
    EXPECT_THAT(
        findings(),
        ElementsAre(
            "latest jobs: job 1 stands in another's place",
            "latest jobs: job 1 is not shown, nor another of its name"
        )
    );
}

TEST_F(Verifying, FindsADetailThatDoesNotRead) {
    damage("UPDATE job_detail SET zstd = x'00'");
    EXPECT_THAT(findings(), ElementsAre("report details: the detail of job 1 does not read"));
}

TEST_F(Verifying, FindsALetterThatWouldNeverBeSent) {
    damage("UPDATE outbox SET due_at_ms = NULL");
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("to hud not exactly one is due")));
}

TEST_F(Verifying, FindsAPostingThatNobodyHolds) {
    damage("UPDATE posting SET lease_holder = ''");
    EXPECT_THAT(
        findings(),
        ElementsAre("postings: posting 1 (crcr/gate) has a lease and no holder, or a holder and no "
                    "lease")
    );
}

TEST_F(Verifying, FindsAPostingInStepThatGitHubHasNoIdFor) {
    damage("PRAGMA ignore_check_constraints = ON; UPDATE posting SET state = 'in_step', "
           "lease_until_ms = 0, lease_holder = '', due_at_ms = NULL");
    EXPECT_THAT(findings(), ElementsAre("pages: CHECK constraint failed in posting"));
}

TEST_F(Verifying, FindsAGateThatWouldNotGoFirst) {
    damage("UPDATE posting SET gate = 0");
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("posting 1 (crcr/gate) is taken for a gate")));
}

TEST_F(Verifying, FindsAPostingThatNobodyLooksAt) {
    damage("UPDATE look SET head_sha = 'eeee'");
    EXPECT_THAT(
        findings(),
        ElementsAre(
            "looks: look 1 (eeee) is at a pull request that nobody knows",
            "postings: posting 1 (crcr/gate) stands on a commit that nobody looks at"
        )
    );
}

TEST_F(Verifying, FindsFiguresThatDoNotCountTheChecksThatAreThere) {
    damage("UPDATE tally SET n = 5 WHERE name IN ('posting_waiting', 'rerun_waiting')");
    EXPECT_THAT(
        findings(),
        ElementsAre(
            "tallies: posting_waiting is kept as 5, counted 1",
            "tallies: rerun_waiting is kept as 5, counted 1"
        )
    );
}

TEST_F(Verifying, FindsAJobThatIsNotInItsCell) {
    damage("DELETE FROM cell_job");
    EXPECT_THAT(
        findings(),
        ElementsAre(
            "cells: job 1 counts, and is not in its cell",
            "cells: cell 1 (ci test) is kept as success, counted , or some of its numbers differ"
        )
    );
}

TEST_F(Verifying, FindsAnAttemptInACellThatIsNotItsOwn) {
    damage("INSERT INTO cell_job SELECT cell, dispatch, attempt + 1, job FROM cell_job");
    EXPECT_THAT(findings(), Contains("cells: 2 attempts are in cells, and 1 count"));
}

TEST_F(Verifying, FindsACellThatStandsOtherwiseThanItsJobsSay) {
    damage("DROP TRIGGER cell_on_grid; DROP TRIGGER cell_on_day; DROP TRIGGER cell_off_day;"
           "UPDATE cell SET outcome = 'failure'");
    EXPECT_THAT(
        findings(),
        ElementsAre(
            "cells: cell 1 (ci test) is kept as failure, counted success, or some of its numbers "
            "differ",
            "cells: row 1 of the grid (b/two at aaaa) does not count its cells",
            HasSubstr("days: what ended at b/two from 1799971200000 on, all together, does not"),
            HasSubstr("days: what ended at b/two from 1799971200000 on, by job, does not count")
        )
    );
}

TEST_F(Verifying, FindsDaysThatDoNotCountTheCellsThatAreThere) {
    damage("UPDATE cell_day SET first_passed = 2; DELETE FROM job_day");
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("all together"), HasSubstr("by job")));
    damage("UPDATE cell_day SET first_passed = 1, silent = 4");
    EXPECT_THAT(findings(), Contains(HasSubstr("from 1799971200000 on is kept as 4, counted 0")));
}

TEST_F(Verifying, FindsADownstreamThatIsSaidToHaveMoreWaitingThanItHas) {
    damage("UPDATE downstream_now SET pending = 3, running = 2 WHERE downstream = 'a/one'");
    EXPECT_THAT(
        findings(),
        ElementsAre("downstreams: a/one is kept with 3 pending and 2 running, counted 1 and 0")
    );
}

TEST_F(Verifying, FindsADownstreamThatStandsElsewhereThanItsLastMoveLed) {
    damage("INSERT INTO ladder_standing (upstream, downstream, listed, effective, state, since_ms, "
           "as_of_ms, detail) VALUES ('Up/Stream', 'a/one', 4, 4, 'ok', 1, 1, '{}'), "
           "('Up/Stream', 'b/two', 3, 2, 'temporary', 1, 1, '{}');"
           "INSERT INTO ladder_transition (upstream, downstream, at_ms, as_of_ms, move, "
           "from_state, to_state, from_level, to_level, rules, reason, figures, profile, digest, "
           "actor) VALUES ('Up/Stream', 'a/one', 1, 1, 'demoted', 'ok', 'temporary', 4, 3, '[]', "
           "'', '{}', 'baton/1', '', 'baton')");
    EXPECT_THAT(
        findings(),
        ElementsAre(
            "levels: a/one of Up/Stream is kept as ok at L4, and its last move led to temporary at "
            "L3",
            "levels: b/two of Up/Stream is kept as temporary at L2 of L3, and nothing moved it"
        )
    );
}

TEST_F(Verifying, NobodyChangesTheLedgerOfLevels) {
    damage("INSERT INTO ladder_transition (upstream, downstream, at_ms, as_of_ms, move, "
           "from_state, to_state, from_level, to_level, rules, reason, figures, profile, digest, "
           "actor) VALUES ('Up/Stream', 'a/one', 1, 1, 'demoted', 'ok', 'temporary', 4, 3, '[]', "
           "'', '{}', 'baton/1', '', 'baton')");
    auto db = sqlite::open(path_, Access::write).value();
    for (const auto* sql :
         {"UPDATE ladder_transition SET actor = 'me'", "DELETE FROM ladder_transition"}) {
        db.script(sql, "test");
        EXPECT_THAT(db.failure().text, HasSubstr("append-only"));
        db.forgive();
    }
}

TEST_F(Verifying, FindsAStepThatWasChangedAndSaysWhichSchemaItIs) {
    damage("UPDATE schema_migration SET checksum = 'edited' WHERE number = 2");
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("schema step 0002_dispatch differs from")));
    const auto found = verify(path_, [](const auto&) {}).value();
    EXPECT_EQ(found.checks.back().count, static_cast<std::size_t>(found.schema_here));
    EXPECT_FALSE(is_complete(found));
}

TEST_F(Verifying, CallsNeitherAnEmptyFileGoodNorANewerStore) {
    const auto empty = folder_.file("empty.db");
    EXPECT_TRUE(sqlite::open(empty, Access::create).has_value());
    const auto nothing = verify_store(empty, [](const auto&) {});
    ASSERT_FALSE(nothing.has_value());
    EXPECT_EQ(nothing.error().detail, empty + ": this file is empty, and no store");

    damage("INSERT INTO schema_migration (number, name, checksum, applied_at_ms, beside) VALUES "
           "(99, 'next', '0', 0, 1)");
    EXPECT_EQ(findings(), std::vector<std::string>{}) << "a backup of it is made as ever";
    const auto newer = verify_store(path_, [](const auto&) {});
    ASSERT_FALSE(newer.has_value());
    EXPECT_EQ(newer.error().code, Errc::conflict);
    EXPECT_THAT(newer.error().detail, HasSubstr("schema 99 is a newer Baton's"));
}

TEST_F(Verifying, LooksAsFarAsItCanAtAStoreOfAnOlderSchema) {
    damage("DELETE FROM schema_migration WHERE number = (SELECT max(number) FROM schema_migration)"
    );
    const auto found = verify(path_, [](const auto&) {}).value();
    EXPECT_TRUE(is_good(found));
    EXPECT_FALSE(is_complete(found));
    EXPECT_EQ(found.checks.size(), 2U);
}

} // namespace

} // namespace baton::store::sqlite
