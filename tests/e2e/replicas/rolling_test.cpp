// Upgrades of replicas on one database: each is restarted under load, the schema moves on under
// those that know it not, and a step that they could not live with is refused.

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/migrate.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "e2e/replicas/replicas_fixture.hpp"
#include "e2e/replicas/spread_load.hpp"
#include "e2e/stage.hpp"
#include "support/fault_proxy.hpp"
#include "support/process.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using store::sql::Migration;
using testing::HasSubstr;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
constexpr auto kEnd = 10s + 1s; // what SIGTERM promises, and a moment for who looks

class RollingReplicas : public Replicas {
protected:
    RollingReplicas()
        : Replicas("retry: {first: 100ms, longest: 1s}") {}

    /// As systemd stops it: SIGTERM, and it has ten seconds.
    void ask_to_stop(std::size_t which) {
        house_.process(which).send_signal(SIGTERM);
        const auto ended = house_.process(which).wait(kEnd);
        ASSERT_TRUE(ended) << "it is still there: " << house_.log(which);
        EXPECT_EQ(ended->exit_code, 0) << house_.log(which);
    }

    void restart_each() {
        for (std::size_t i = 0; i < kReplicas; ++i) {
            let_pass(drawn(200ms, 500ms));
            ask_to_stop(i);
            ASSERT_TRUE(house_.start(i)) << house_.log(i);
        }
    }

    static int known() { return store::postgres::embedded_migrations().back().number; }

    /// What a newer Baton does when it starts: one step more than these replicas know.
    Result<store::sql::MigrationReport> apply_next(const std::string& sql) {
        const auto embedded = store::postgres::embedded_migrations();
        std::vector<Migration> all(embedded.begin(), embedded.end());
        all.push_back({.number = known() + 1, .name = "next", .sql = sql.c_str()});
        return store::postgres::migrate(stage_.store_place(), kNow, all);
    }

    Finished baton(std::vector<std::string> words) const {
        words.insert(words.begin(), baton_binary());
        words.insert(words.end(), {"--store", stage_.store_place()});
        return run_command(std::move(words));
    }

    std::string ask(const char* sql) const {
        auto db = store::postgres::connect(stage_.store_place());
        EXPECT_TRUE(db) << db.error().detail;
        const store::sql::Query query{"ask", sql};
        auto rows = db->rows(query);
        return rows.next() ? rows.text(0) : db->ok() ? "" : db->failure().text;
    }

    /// Tables that every webhook writes to grow by a column, a rule and an index.
    static std::string compatible_step() {
        return fmt::format(
            "-- next\n-- beside: {:04}\n"
            "ALTER TABLE delivery ADD COLUMN colour text NOT NULL DEFAULT 'grey';\n"
            "ALTER TABLE dispatch ADD COLUMN weight bigint NOT NULL DEFAULT 1 CHECK (weight > 0);\n"
            "CREATE TABLE hue (name text PRIMARY KEY);\n"
            "CREATE INDEX dispatch_by_weight ON dispatch (weight);\n",
            known()
        );
    }
};

TEST_F(RollingReplicas, AreRestartedOneAfterTheOtherAndNoWebhookIsTurnedAway) {
    SpreadLoad load(stage_, house_, 3);
    const auto rounds = times("BATON_ROUNDS", 2);
    for (std::size_t i = 0; i < rounds; ++i) {
        restart_each();
    }
    const auto told = load.stop();
    expect_honest(told, {0, 200, 202}); // 0: nobody listens there, so the next one is asked
    EXPECT_GT(told.accepted.size(), rounds * kReplicas);
    const auto account =
        settle(fmt::format("{} restarts, {}", rounds * kReplicas, line_of(told)), told.accepted);
    EXPECT_EQ(account.unknown, 0U) << "who is asked to stop knows how each attempt ended";
    EXPECT_EQ(house_.logs().find("is left as it is"), std::string::npos) << "nobody was cut short";
}

TEST_F(RollingReplicas, GoOnBesideANewerSchemaAndStartOnIt) {
    SpreadLoad load(stage_, house_, 3);
    let_pass(500ms);
    const auto applied = apply_next(compatible_step());
    ASSERT_TRUE(applied) << applied.error().detail;
    EXPECT_EQ(applied->to, known() + 1);
    let_pass(500ms);
    restart_each();
    let_pass(500ms);
    const auto told = load.stop();
    expect_honest(told, {0, 200, 202});
    settle("beside a newer schema, " + line_of(told), told.accepted);
    EXPECT_EQ(ask("SELECT DISTINCT colour FROM delivery"), "grey");

    const auto looked = baton({"db", "migrate", "--dry-run"});
    EXPECT_EQ(looked.exit_code, 0) << looked.err;
    EXPECT_THAT(
        looked.out,
        HasSubstr(fmt::format(
            "schema {} of a newer Baton; this one knows {} and may go on beside it",
            known() + 1,
            known()
        ))
    );
    const auto verified = baton({"db", "verify"});
    EXPECT_EQ(verified.exit_code, 2) << verified.out;
    EXPECT_THAT(verified.err, HasSubstr("run db verify of the version that wrote it"));
}

TEST_F(RollingReplicas, KeepAwayAStepThatTheyCouldNotLiveWith) {
    const std::string step = "-- next\nALTER TABLE delivery RENAME COLUMN event TO incident;\n";
    const auto refused = apply_next(step);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_THAT(
        refused.error().detail,
        HasSubstr("older relays cannot go on beside it, and 3 of them serve right now")
    );
    EXPECT_EQ(Stage::post(stage_.opened_pull(), house_.port(0)), 202);

    for (std::size_t i = 0; i < kReplicas; ++i) {
        ask_to_stop(i);
    }
    const auto applied = apply_next(step);
    ASSERT_TRUE(applied) << applied.error().detail;
    EXPECT_FALSE(house_.start(0)) << "the way back is a backup";
    EXPECT_THAT(
        house_.log(0),
        HasSubstr(fmt::format(
            "the store was written by a newer Baton (schema {}, this one knows {} and would have "
            "to know {}): run that version or restore a backup",
            known() + 1,
            known(),
            known() + 1
        ))
    );
}

TEST_F(RollingReplicas, GiveAStepOfTheSchemaTheTimeThatItNeeds) {
    const auto seconds = times("BATON_LONG_STEP_SECONDS", 1);
    const auto step = fmt::format(
        "-- next\n-- beside: {:04}\n"
        "CREATE TABLE bounds AS SELECT current_setting('statement_timeout') || ' ' || "
        "current_setting('lock_timeout') AS said;\nSELECT pg_sleep({});\n",
        known(),
        seconds
    );
    // Two that start at once: the second waits for the first and finds it done.
    auto first = std::async(std::launch::async, [&] { return apply_next(step); });
    const auto second = apply_next(step);
    const auto done = first.get();
    ASSERT_TRUE(done) << done.error().detail;
    ASSERT_TRUE(second) << second.error().detail;
    EXPECT_EQ(ask("SELECT said FROM bounds"), "1h 10s");
    EXPECT_EQ(ask("SELECT current_setting('statement_timeout')"), "30s") << "everybody else's";
}

TEST_F(RollingReplicas, EndInTimeThoughTheDatabaseDoesNotAnswer) {
    house_.to_database(0).set(FaultProxy::Way::held);
    auto unanswered = std::async(std::launch::async, [this] {
        return Stage::post(stage_.opened_pull(), house_.port(0));
    });
    let_pass(300ms); // it is on its way, and so is what the relay asks by itself
    ask_to_stop(0);
    EXPECT_NE(unanswered.get() / 100, 2) << "nothing was kept, so nothing was promised";
    house_.to_database(0).set(FaultProxy::Way::open);
    ASSERT_TRUE(house_.start(0)) << house_.log(0);
    expect_back();
}

} // namespace
} // namespace baton::test
