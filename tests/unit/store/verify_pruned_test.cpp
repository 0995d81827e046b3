// What was pruned is not missed, and what is left still has to be counted.

#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/retention.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/store/sqlite/verify.hpp"
#include "baton/store/tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"

namespace baton::store::sqlite {

using namespace sql;
using namespace baton::test;

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A store with results of a day that is over, all of them pruned, and one that is kept.
class VerifyingPruned : public ::testing::Test {
protected:
    VerifyingPruned()
        : path_(folder_.file("baton.db")) {
        const auto store = SqliteStore::open({.path = path_, .now = at(0)}).value();
        report(*store, "d1", at(1));
        auto nightly = an_end(domain::Conclusion::failure);
        nightly.detail.failed_tests = {{.name = "t", .message = "boom"}};
        EXPECT_TRUE(run_awaitable(store->record_report(a_self_report(nightly, at(2)))));
        auto sweep = a_sweep(at(20'000)); // looks at the failure, too
        EXPECT_TRUE(run_awaitable(store->sweep(std::move(sweep))));
        const ports::PruneQuery query{.now = kLater, .keep_for = std::chrono::days{1}};
        EXPECT_EQ(run_awaitable(store->prune_results(query)).value().removed, 2U);
        EXPECT_EQ(run_awaitable(store->prune_dispatches(query)).value().removed, 1U);
        report(*store, "d2", kLater);
    }

    static void report(SqliteStore& store, const std::string& delivery, TimePoint now) {
        EXPECT_TRUE(run_awaitable(store.insert_delivery(a_delivery(delivery, now))));
        auto plan = a_plan(delivery, {a_dispatch(delivery, "a/one")}, now);
        EXPECT_TRUE(run_awaitable(store.commit_plan(std::move(plan))));
        const auto leased = run_awaitable(store.lease(a_lease("a/one", 1, now))).value().at(0);
        EXPECT_TRUE(run_awaitable(store.settle(ended(leased.lease, domain::DispatchState::sent, now)
        )));
        EXPECT_TRUE(run_awaitable(store.record_report(a_commit(leased.dispatch, an_end(), now))));
    }

    std::vector<std::string> findings_after(const char* sql) {
        {
            auto db = sqlite::open(path_, Access::write).value();
            db.script(sql, "damage");
            EXPECT_TRUE(db.ok()) << db.failure().text;
        }
        std::vector<std::string> all;
        const auto found = verify(path_, [](const auto&) {}).value();
        for (const auto& check : found.checks) {
            for (const auto& finding : check.findings) {
                all.push_back(check.what + ": " + finding);
            }
        }
        return all;
    }

    static constexpr TimePoint kLater = from_ms(1'800'000'000'000 + (10LL * 86'400'000));

    TempFolder folder_{TempFolder::fast_parent()};
    std::string path_;
};

TEST_F(VerifyingPruned, FindsNothingMissing) {
    EXPECT_THAT(findings_after("SELECT 1"), ElementsAre());
}

TEST_F(VerifyingPruned, StillCountsWhatIsLeft) {
    EXPECT_THAT(
        findings_after("UPDATE job_tally SET ended = ended + 1 WHERE span_ms = 86400000"),
        ElementsAre(HasSubstr("success of a/one from"))
    ) << "of the day that is pruned nobody can say";
}

TEST_F(VerifyingPruned, TellsOfAMarkThatWasLeftBehind) {
    EXPECT_THAT(
        findings_after("INSERT INTO leaving (job) VALUES (1)"),
        ElementsAre(HasSubstr("marked as being pruned"))
    );
}

} // namespace
} // namespace baton::store::sqlite
