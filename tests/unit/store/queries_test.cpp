#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/migrate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "contract/checks_fixture.hpp"
#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "support/temp_folder.hpp"

namespace baton::store::sqlite {

using namespace sql;
using namespace baton::test;

namespace {

/// A bare connection, so that SQLite can be asked what its statements did.
class Queries : public testing::Test {
protected:
    void plant(const std::string& id, TimePoint now) {
        const auto delivery = a_delivery(id, now);
        verbs::insert_delivery(db, delivery, delivery.body.size(), compress(delivery.body));
        auto commit = a_plan(id, {a_dispatch(id, "a/one"), a_dispatch(id, "b/two")}, now);
        commit.plan.pull_request = a_pull_request("aaaa");
        const auto known = verbs::pull_request(db, {.upstream = upstream(), .number = PrNumber{7}});
        commit.plan.pull_request->version = known ? known->version : 0;
        commit.plan.cancel_pending = id == "d30";
        ASSERT_TRUE(verbs::commit_plan(db, commit).has_value());
    }

    TempFolder folder;
    std::string path = folder.file("baton.db");
    bool migrated = migrate({.path = path, .now = at(0)}).has_value();
    Connection db{*sqlite::open(path, Access::write)};
};

} // namespace

TEST_F(Queries, NeverWalkThroughHistory) {
    db.script("BEGIN", "begin"); // one flush is enough
    for (int i = 0; i < 40; ++i) {
        plant("d" + std::to_string(i), at(i));
    }
    for (const auto& leased : verbs::lease(db, a_lease("a/one", 5, at(50)))) {
        ASSERT_TRUE(
            verbs::settle(db, ended(leased.lease, domain::DispatchState::sent, at(51))).has_value()
        );
    }
    verbs::lease(db, a_lease("b/two", 5, at(50)));
    verbs::cancel_pending(db, upstream(), repo("b/two"), "left", at(52));
    verbs::lease(db, a_lease("b/two", 5, at(100)));
    verbs::adopt(db, InstanceId("relay-2"), at(60));
    verbs::due(db, {.now = at(100), .running_for = std::chrono::hours{6}});
    ports::DeliveryPageQuery page;
    verbs::list_deliveries(db, page);
    page.event = "pull_request";
    verbs::list_deliveries(db, page);
    page.pr = PrNumber{7};
    verbs::list_deliveries(db, page);
    page.with_state = domain::DispatchState::sent;
    verbs::list_deliveries(db, page);
    page.pr.reset();
    verbs::list_deliveries(db, page);
    ports::RedeliverQuery again;
    again.states = {domain::DispatchState::cancelled};
    again.now = at(101);
    ASSERT_TRUE(verbs::redeliver(db, again).has_value());
    again.delivery = DeliveryId("d1");
    ASSERT_TRUE(verbs::redeliver(db, again).has_value());
    ASSERT_TRUE(verbs::delivery_history(db, DeliveryId("d1")).has_value());
    ASSERT_TRUE(verbs::body_of(db, DeliveryId("d1")).has_value());
    verbs::record_allowlist(
        db, {.upstream = upstream(), .source = "s", .mark = "m", .text = "t", .in_force_at = at(1)}
    );
    verbs::last_allowlist(db, upstream());
    verbs::counts(db);
    verbs::suspend(
        db, {.downstream = repo("b/two"), .since = at(102), .reason = "r", .actor = "a"}
    );
    verbs::due(db, {.now = at(103), .running_for = std::chrono::hours{6}});
    verbs::lease(db, a_lease("b/two", 5, at(103)));
    verbs::downstream_figures(db, at(104));
    verbs::allowlists_at(db, at(104));
    verbs::pin_of(db, repo("b/two"));
    for (const auto* rests : {"a/one", "b/two"}) { // pending ones would keep their bodies
        verbs::cancel_pending(db, upstream(), repo(rests), "left", at(104));
    }
    EXPECT_GT(
        verbs::prune_bodies(db, {.now = at(105), .keep_for = Millis{0}, .limit = 30}).removed, 0U
    );
    ASSERT_TRUE(db.ok()) << db.failure().text;
    EXPECT_THAT(statements_that_scanned(db), testing::IsEmpty());
}

TEST_F(Queries, AboutResultsNeverWalkThroughHistory) {
    db.script("BEGIN", "begin");
    for (int i = 0; i < 40; ++i) {
        plant("d" + std::to_string(i), at(i));
    }
    const PackedReport packed{
        .detail = compress("{}"),
        .detail_bytes = 2,
        .letters = {{.sink = "hud", .zstd = compress("letter"), .body_bytes = 6}}
    };
    for (const auto& leased : verbs::lease(db, a_lease("a/one", 20, at(50)))) {
        ASSERT_TRUE(
            verbs::settle(db, ended(leased.lease, domain::DispatchState::sent, at(51))).has_value()
        );
        const auto number = static_cast<std::int64_t>(leased.dispatch.id);
        for (const auto& report : {a_start(), an_end()}) {
            if (number % 3 != 0 && (number % 3 == 1 || report.status == a_start().status)) {
                const auto commit = a_commit(leased.dispatch, report, at(52));
                ASSERT_TRUE(verbs::record_report(db, commit, packed).has_value());
            }
        }
        verbs::dispatches_to(db, leased.dispatch.key.delivery, repo("a/one"));
    }
    auto nightly = a_self_report(an_end(), at(53));
    nightly.commit = domain::CommitCheck::unverified;
    const auto job = verbs::record_report(db, nightly, packed)->job.id;
    EXPECT_EQ(verbs::unverified_jobs(db, 9).size(), 1U);
    ASSERT_TRUE(verbs::settle_commit(db, job, domain::CommitCheck::unknown, at(54)).has_value());
    ASSERT_TRUE(verbs::report_detail(db, job).has_value());
    const auto swept = verbs::sweep(db, a_sweep(at(99'000)));
    EXPECT_FALSE(swept.silent.empty());
    EXPECT_FALSE(swept.unheard.empty());
    EXPECT_FALSE(verbs::latest_jobs(db, {.upstream = upstream(), .number = PrNumber{7}}).empty());
    EXPECT_FALSE(
        verbs::job_tallies(db, {.downstream = repo("a/one"), .from = at(-90'000), .until = at(900)})
            .empty()
    );
    verbs::result_counts(db);
    db.script("DELETE FROM outbox", "no letter waits");
    db.script("UPDATE pull_request SET open = 0, updated_at_ms = 0", "closed long ago");
    const ports::PruneQuery prune{.now = at(200'000), .keep_for = Millis{0}, .limit = 30};
    EXPECT_GT(verbs::prune_results(db, prune).removed, 0U);
    EXPECT_GT(verbs::prune_dispatches(db, prune).removed, 0U);
    ASSERT_TRUE(db.ok()) << db.failure().text;
    EXPECT_THAT(statements_that_scanned(db), testing::IsEmpty());
}

TEST_F(Queries, AboutLettersWalkOnlyThroughWhatIsDue) {
    db.script("BEGIN", "begin");
    plant("d1", at(1));
    const auto leased = verbs::lease(db, a_lease("a/one", 1, at(2))).at(0);
    const PackedReport packed{
        .letters = {{.sink = "hud", .zstd = compress("letter"), .body_bytes = 6}}
    };
    for (int i = 0; i < 30; ++i) {
        const auto start = a_start("101", "job " + std::to_string(i));
        ASSERT_TRUE(
            verbs::record_report(db, a_commit(leased.dispatch, start, at(3)), packed).has_value()
        );
    }
    ports::LetterQuery query{
        .sink = "hud", .holder = InstanceId("r"), .now = at(4), .until = at(34), .limit = 10
    };
    const auto taken = verbs::take_letters(db, query);
    ASSERT_EQ(taken.size(), 10U);
    for (const auto& letter : taken) {
        ports::LetterEnd end{.id = letter.id, .fence = letter.fence, .now = at(5)};
        end.done = letter.id % 2 == 0;
        ASSERT_TRUE(verbs::end_letter(db, end).has_value());
    }
    EXPECT_EQ(verbs::dead_letters(db, 9).size(), 5U);
    EXPECT_EQ(verbs::revive_letters(db, "hud", "alice", at(6)), 5U);
    query.now = at(7);
    verbs::take_letters(db, query);
    verbs::void_letter_leases(db, at(8));
    verbs::result_counts(db);
    ASSERT_TRUE(db.ok()) << db.failure().text;
    EXPECT_THAT(statements_that_scanned(db), testing::IsEmpty());
}

TEST_F(Queries, AboutChecksWalkOnlyThroughWhatIsDueOrNamed) {
    db.script("BEGIN", "begin");
    for (int i = 0; i < 30; ++i) {
        plant("d" + std::to_string(i), at(i));
    }
    auto plan = a_plan("d1", {}, at(31));
    plan.plan.looks = {a_subject(), in_merge_queue("qqqq")};
    plan.plan.reruns = {a_rerun("k"), a_rerun("l")};
    ASSERT_TRUE(verbs::commit_plan(db, plan).has_value());
    const auto looks = verbs::looks(db, at(32), 9);
    ASSERT_EQ(looks.size(), 2U);
    ports::PostingCommit commit{.look = looks[0], .look_at = at(90), .now = at(33)};
    for (int i = 0; i < 20; ++i) {
        commit.wanted.push_back(a_check("crcr/" + std::to_string(i)));
    }
    commit.wanted.push_back(a_check("crcr/gate"));
    EXPECT_EQ(verbs::commit_postings(db, commit).changed, 21U);
    const auto taken = verbs::take_postings(
        db, {.holder = InstanceId("r"), .now = at(34), .until = at(64), .limit = 10}
    );
    ASSERT_EQ(taken.size(), 10U);
    for (const auto& one : taken) {
        ports::PostingEnd end{.id = one.posting.id, .fence = one.fence, .version = one.version};
        ASSERT_TRUE(verbs::end_posting(db, end).has_value());
    }
    verbs::take_postings(db, {.holder = InstanceId("r"), .now = at(34), .until = at(64)});
    const auto reruns =
        verbs::take_reruns(db, {.holder = InstanceId("r"), .now = at(34), .until = at(64)});
    ports::RerunEnd end{.id = reruns.at(0).order.id, .fence = reruns.at(0).fence};
    end.state = domain::RerunState::asked;
    ASSERT_TRUE(verbs::end_rerun(db, end).has_value());
    verbs::adopt(db, InstanceId("r2"), at(35));
    EXPECT_EQ(verbs::postings_of(db, a_subject()).size(), 21U);
    EXPECT_EQ(verbs::reruns_of(db, a_subject()).size(), 2U);
    EXPECT_EQ(verbs::look_again(db, {.upstream = upstream(), .now = at(36)}), 1U);
    EXPECT_TRUE(verbs::suspend_gate(db, a_gate_suspension(at(37), "silent")));
    EXPECT_TRUE(
        verbs::resume_gate(db, {.upstream = upstream(), .downstream = repo("a/one"), .now = at(38)})
    );
    verbs::runs(db, {.upstream = upstream(), .head = HeadSha("aaaa")});
    verbs::runs(db, {.upstream = upstream(), .downstream = repo("a/one")});
    verbs::runs(
        db,
        {.upstream = upstream(),
         .downstream = repo("a/one"),
         .event_types = {"push"},
         .ref = "no such branch",
         .started_only = true}
    );
    verbs::check_counts(db);
    ASSERT_TRUE(db.ok()) << db.failure().text;
    EXPECT_THAT(statements_that_scanned(db), testing::IsEmpty());
}

TEST_F(Queries, TellTheLedgerOfChecksThatAreGivenUpAndOfTheGate) {
    constexpr Query kLines{"lines", "SELECT kind || ' ' || detail FROM ledger ORDER BY sequence"};
    ports::PostingCommit commit{.look = {.subject = a_subject()}, .wanted = {a_check("crcr/x")}};
    verbs::commit_postings(db, commit);
    const auto taken = verbs::take_postings(db, {.until = at(9)}).at(0);
    ports::PostingEnd end{.id = taken.posting.id, .fence = taken.fence, .version = 1};
    end.detail = "GitHub said no";
    ASSERT_TRUE(verbs::end_posting(db, end).has_value());
    verbs::suspend_gate(db, a_gate_suspension(at(1), "silent"));
    verbs::resume_gate(
        db,
        {.upstream = upstream(),
         .downstream = repo("a/one"),
         .reason = "clean",
         .by_hand = true,
         .actor = "alice"}
    );
    std::vector<std::string> lines;
    auto rows = db.rows(kLines);
    while (rows.next()) {
        lines.push_back(rows.text(0));
    }
    const std::string suspended =
        R"({"upstream":"Up/Stream","downstream":"a/one","by_hand":false,"actor":"",)"
        R"("reason":"silent","evidence":{"runs":["101","102"]}})";
    EXPECT_THAT(
        lines,
        testing::ElementsAre(
            "posting_given_up crcr/x on Up/Stream #7 at aaaa: GitHub said no",
            "gate_suspended " + suspended,
            R"(gate_resumed {"upstream":"Up/Stream","downstream":"a/one","by_hand":true,)"
            R"("actor":"alice","reason":"clean","suspended_since_ms":1800000001000,"after":)" +
                suspended + "}"
        )
    );
}

TEST_F(Queries, WalkOnlyThroughTheBacklogOfPlanning) {
    plant("d1", at(1));
    for (const auto* id : {"d2", "d3", "d4"}) {
        const auto delivery = a_delivery(id, at(2));
        verbs::insert_delivery(db, delivery, delivery.body.size(), compress(delivery.body));
    }
    ASSERT_EQ(verbs::deliveries_to_plan(db, at(3), 10)->size(), 3U);
    EXPECT_EQ(verbs::counts(db).to_plan, 3U);
    // Both read a partial index from end to end: it holds what waits to be planned and nothing
    // else.
    EXPECT_THAT(
        statements_that_scanned(db),
        testing::UnorderedElementsAre("deliveries_to_plan", "count_to_plan")
    );
}

TEST_F(Queries, CannotChangeTheLedger) {
    plant("d1", at(1));
    for (const auto* sql : {"UPDATE ledger SET detail = 'better'", "DELETE FROM ledger"}) {
        SCOPED_TRACE(sql);
        db.script(sql, "tampering");
        EXPECT_FALSE(db.ok());
        EXPECT_THAT(db.failure().text, testing::HasSubstr("the ledger is append-only"));
        db.forgive();
    }
    EXPECT_EQ(verbs::delivery_history(db, DeliveryId("d1"))->ledger.size(), 1U);
}

TEST_F(Queries, CannotWriteAStateThatDoesNotExist) {
    plant("d1", at(1));
    db.script("UPDATE dispatch SET state = 'lost'", "tampering");
    EXPECT_EQ(to_error(db.failure()).code, Errc::conflict);
    EXPECT_EQ(db.failure().harm, sql::Harm::operation);
}

TEST_F(Queries, StopAtTheFirstFailureUntilItIsForgiven) {
    static constexpr Query kTwice{
        "insert_tally", "INSERT INTO tally (name, n) VALUES ('delivery', 1)"
    };
    static constexpr Query kOther{"insert_other", "INSERT INTO tally (name, n) VALUES (?1, 1)"};
    EXPECT_EQ(db.change(kTwice), 0);
    EXPECT_FALSE(db.ok());
    EXPECT_THAT(db.failure().text, testing::StartsWith("insert_tally: "));
    EXPECT_EQ(db.change(kOther, std::string("one")), 0);
    db.forgive();
    EXPECT_EQ(db.change(kOther, std::string("one")), 1);
}

TEST(Body, ComesBackAsItWas) {
    const auto raw = std::string(100'000, 'a') + "b";
    const auto packed = compress(raw);
    EXPECT_LT(packed.size(), raw.size() / 100);
    EXPECT_EQ(decompress(packed, raw.size()).value_or(""), raw);
}

TEST(Body, IsRefusedWhenDamaged) {
    const auto packed = compress("some body");
    EXPECT_EQ(decompress(packed.substr(0, packed.size() - 1), 9).error().code, Errc::unavailable);
    EXPECT_EQ(decompress(packed, 8).error().code, Errc::unavailable);
    EXPECT_EQ(decompress(packed, 10).error().code, Errc::unavailable);
    EXPECT_EQ(decompress("no frame at all", 9).error().code, Errc::unavailable);
}

} // namespace baton::store::sqlite
