// baton db move: what it moves, what it refuses, and that all of it or nothing is in the database.

#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "contract/store_fixture.hpp"
#include "e2e/cli_support.hpp"
#include "e2e/move/full_house.hpp"
#include "support/postgres_place.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr const char* kTables =
    "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";

class MoveCommand : public ::testing::Test {
protected:
    /// A store with three deliveries and a dispatch that waits.
    void make_store() const {
        const auto store = store::SqliteStore::open({.path = path_, .now = at(0)}).value();
        for (const auto* id : {"d1", "d2", "d3"}) {
            EXPECT_TRUE(run_awaitable(store->insert_delivery(a_delivery(id))));
        }
        EXPECT_TRUE(
            run_awaitable(store->commit_plan(a_plan("d1", {a_dispatch("d1", "a/one")}, at(1))))
        );
    }

    Finished move(std::vector<std::string> more = {}) const {
        more.insert(
            more.begin(), {"db", "move", "--from", "sqlite:" + path_, "--to", place_.url()}
        );
        return baton(std::move(more));
    }

    /// The first value of what a statement of the database answers.
    std::string ask(const char* sql) const {
        auto db = store::postgres::connect(place_.url()).value();
        const store::sql::Query query{"test", sql};
        auto rows = db.rows(query);
        auto answer = rows.next() ? rows.text(0) : std::string();
        EXPECT_TRUE(db.ok()) << db.failure().text;
        return answer;
    }

    void change_file(const char* sql) const {
        auto db = store::sqlite::open(path_, store::sqlite::Access::write).value();
        db.script(sql, "test");
        ASSERT_TRUE(db.ok()) << db.failure().text;
    }

    Finished verify() const { return baton({"db", "verify", "--store", place_.url()}); }

    TemporaryFolder folder_;
    std::string path_ = folder_.file("baton.db");
    PostgresPlace place_{PostgresPlace::Holds::nothing};
};

TEST_F(MoveCommand, MovesAStoreThatVerifiesAndGoesOn) {
    make_store();
    const auto moved = move();
    EXPECT_EQ(moved.exit_code, 0) << moved.err;
    EXPECT_THAT(
        moved.out,
        AllOf(
            ContainsRegex("\ndelivery +3\n"),
            HasSubstr("each one is in the database as it is in the file"),
            HasSubstr("put " + path_ + " away")
        )
    );
    const auto verified = verify();
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    EXPECT_THAT(verified.out, ContainsRegex("\npending dispatches +1  good\n"));
    EXPECT_EQ(
        ask("INSERT INTO delivery (id, event, action, repository, head_sha, received_at_ms, "
            "plan_at_ms, body_bytes) VALUES ('d4', 'push', '', 'a/b', '', 0, 0, 0) "
            "RETURNING sequence"),
        "4"
    );
    EXPECT_EQ(ask("SELECT n FROM tally WHERE name = 'delivery'"), "4") << "triggers are on again";
}

TEST_F(MoveCommand, GivesNoNumberTwice) {
    make_full_house(path_);
    ASSERT_EQ(move().exit_code, 0);
    EXPECT_EQ(ask("INSERT INTO news (topic) VALUES ('relay') RETURNING id"), "5000")
        << "4999 was given, and is gone";
    EXPECT_EQ(
        ask("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'"), "0"
    );
}

TEST_F(MoveCommand, MovesIntoAnEmptyDatabaseOnly) {
    make_store();
    ASSERT_EQ(move().exit_code, 0);
    for (const auto& more : {std::vector<std::string>{}, {"--dry-run"}}) {
        const auto again = move(more);
        EXPECT_EQ(again.exit_code, 2);
        EXPECT_THAT(again.err, ContainsRegex("the database holds rows of [a-z_]+ already"));
    }
    EXPECT_EQ(ask("SELECT count(*) FROM delivery"), "3");
}

TEST_F(MoveCommand, CountsTheRowsOfADryRunBesideAServingRelay) {
    make_store();
    const auto relay = store::SqliteStore::open({.path = path_, .now = at(2)}).value();
    const auto counted = move({"--dry-run"});
    EXPECT_EQ(counted.exit_code, 0) << counted.err;
    EXPECT_THAT(
        counted.out,
        AllOf(
            ContainsRegex("\ndelivery +3\n"),
            ContainsRegex("would move [0-9]+ rows in [0-9]+ tables to postgresql:"),
            HasSubstr("would make the schema first")
        )
    );
    const auto json = json_in(move({"--dry-run", "--json"}));
    EXPECT_TRUE(json.at("dry_run").as_bool());
    EXPECT_EQ(ask(kTables), "0");

    const auto refused = move();
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("is serving from this store"));
    EXPECT_EQ(ask(kTables), "0");
}

TEST_F(MoveCommand, LeavesNothingWhenACopyDiffers) {
    make_store();
    ASSERT_EQ(baton({"db", "migrate", "--store", place_.url()}).exit_code, 0);
    ask("ALTER TABLE delivery ALTER COLUMN event TYPE char(200)"); // it pads what it is given
    const auto refused = move();
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(
        refused.err, HasSubstr("nothing was moved: table delivery, row 1: event is 'pull_request'")
    );
    EXPECT_EQ(ask("SELECT count(*) FROM delivery"), "0");
    EXPECT_EQ(ask("SELECT sum(n) FROM tally"), "0");
    EXPECT_EQ(
        ask("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'"), "0"
    );
}

TEST_F(MoveCommand, SaysWhichRowsHeldTextThatPostgresCannotHold) {
    make_store();
    change_file("INSERT INTO acknowledgement (key, at_ms, until_ms, actor, reason) VALUES "
                "('ab', 0, 1, 'ann', 'whole'), ('a' || char(0) || 'b', 0, 1, 'ann', 'in the key'), "
                "('z', 0, 1, 'ann', CAST(x'62ff63' AS TEXT))");
    const auto moved = move();
    EXPECT_EQ(moved.exit_code, 0) << moved.err;
    EXPECT_THAT(moved.out, HasSubstr("2 rows with text that PostgreSQL cannot hold"));
    EXPECT_EQ(
        ask("SELECT reason FROM acknowledgement WHERE key = 'z'"),
        "b\xef\xbf\xbd"
        "c"
    );
    EXPECT_EQ(
        ask("SELECT reason FROM acknowledgement WHERE key = 'a\xef\xbf\xbd"
            "b'"),
        "in the key"
    );
}

TEST_F(MoveCommand, TakesOneOfThePlacesFromAConfiguration) {
    make_store();
    const Household house;
    house.add("store: sqlite:" + path_ + "\n");
    const auto moved = baton({"db", "move", "--config", house.config, "--to", place_.url()});
    EXPECT_EQ(moved.exit_code, 0) << moved.err;
    const auto unclear = baton({"db", "move", "--to", place_.url()});
    EXPECT_EQ(unclear.exit_code, 2);
    EXPECT_THAT(unclear.err, HasSubstr("say both places"));
}

TEST_F(MoveCommand, RefusesWhatIsNoFileAndNoDatabase) {
    EXPECT_THAT(move().err, HasSubstr("there is no store " + path_));
    const auto back = baton({"db", "move", "--from", place_.url(), "--to", path_});
    EXPECT_EQ(back.exit_code, 2);
    EXPECT_THAT(back.err, HasSubstr("from a SQLite file to a PostgreSQL database"));

    make_store();
    change_file("DELETE FROM schema_migration WHERE number = "
                "(SELECT max(number) FROM schema_migration)");
    const auto old = move();
    EXPECT_EQ(old.exit_code, 2);
    EXPECT_THAT(old.err, HasSubstr("run baton db migrate"));
    EXPECT_EQ(ask(kTables), "0");
}

TEST_F(MoveCommand, SaysTwoToADatabaseThatDoesNotLetItIn) {
    make_store();

    const struct {
        const char* role;
        const char* says;
    } cases[] = {
        {"user=nobody", "Baton's role is not there"},
        {"user=timid", "the database refuses Baton's role"},
    };

    ask("CREATE ROLE timid LOGIN");
    for (const auto& one : cases) {
        auto url = place_.url();
        const std::string_view owner = "user=baton";
        url.replace(url.find(owner), owner.size(), one.role);
        const auto refused = baton({"db", "move", "--from", path_, "--to", url});
        EXPECT_EQ(refused.exit_code, 2) << refused.out;
        EXPECT_THAT(refused.err, HasSubstr(one.says));
    }
    ask("DROP ROLE timid");
    EXPECT_EQ(ask(kTables), "0");
}

// What docs/operations/backup.md tells to do.
TEST_F(MoveCommand, IsDumpedAndRestoredByPostgresItself) {
    make_store();
    ASSERT_EQ(move().exit_code, 0);
    const auto dump = folder_.file("baton.dump");
    const auto dumped =
        run_command({"pg_dump", "--format=custom", "--file=" + dump, "--dbname=" + place_.url()});
    ASSERT_EQ(dumped.exit_code, 0) << dumped.err;
    const PostgresPlace other(PostgresPlace::Holds::nothing);
    const auto restored =
        run_command({"pg_restore", "--exit-on-error", "--no-owner", "--dbname=" + other.url(), dump}
        );
    ASSERT_EQ(restored.exit_code, 0) << restored.err;
    const auto verified = baton({"db", "verify", "--store", other.url()});
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    EXPECT_THAT(verified.out, ContainsRegex("\nbodies +3  good\n"));
}

} // namespace

} // namespace baton::test
