// db backup, verify and restore: what they promise, what they refuse, and what they leave behind.

#include "baton/base/ids.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <string>
#include <vector>

#include "contract/store_fixture.hpp"
#include "e2e/cli_support.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class DbCommand : public ::testing::Test {
protected:
    DbCommand()
        : path_(folder_.file("baton.db"))
        , backup_(folder_.file("copy.db")) {
        relay_ = store::SqliteStore::open({.path = path_, .now = at(0)}).value();
        for (const auto* id : {"d1", "d2", "d3"}) {
            EXPECT_TRUE(run_awaitable(relay_->insert_delivery(a_delivery(id))));
        }
        EXPECT_TRUE(
            run_awaitable(relay_->commit_plan(a_plan("d1", {a_dispatch("d1", "a/one")}, at(1))))
        );
    }

    static void damage(const std::string& path, std::streamoff at) {
        std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(at);
        file << std::string(64, '\x5a');
    }

    static void change(const std::string& path, const char* sql) {
        auto db = store::sqlite::open(path, store::sqlite::Access::create).value();
        db.script(sql, "test");
        ASSERT_TRUE(db.ok()) << db.failure().text;
    }

    Finished back_up(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"db", "backup", backup_, "--store", path_});
        return baton(std::move(more));
    }

    TemporaryFolder folder_;
    std::string path_;
    std::string backup_;
    std::unique_ptr<store::SqliteStore> relay_; // serves all the while
};

TEST_F(DbCommand, BackupIsOneVerifiedFileMadeBesideAServingRelay) {
    const auto done = back_up();
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_THAT(
        done.out, AllOf(ContainsRegex("bodies +3  good"), HasSubstr("verified and on disk"))
    );
    EXPECT_TRUE(std::filesystem::exists(backup_));
    for (const auto* beside : {".partial", ".partial-journal", "-wal", "-shm", "-journal"}) {
        EXPECT_FALSE(std::filesystem::exists(backup_ + beside)) << beside;
    }
    EXPECT_TRUE(run_awaitable(relay_->insert_delivery(a_delivery("later"))));
    const auto copy = store::SqliteStore::open({.path = backup_, .now = at(2)}).value();
    EXPECT_EQ(run_awaitable(copy->counts())->deliveries, 3U);
}

TEST_F(DbCommand, BackupReplacesNothingUnlessTold) {
    folder_.write("copy.db", "precious");
    const auto refused = back_up();
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(
        refused.err, HasSubstr("copy.db is there already; choose another name, or --force")
    );
    EXPECT_EQ(slurp(backup_), "precious");
    const auto forced = back_up({"--force", "--json"});
    EXPECT_EQ(forced.exit_code, 0) << forced.err;
    EXPECT_TRUE(json_in(forced).at("verified").at("ok").as_bool());
    const auto itself = baton({"db", "backup", path_, "--store", path_, "--force"});
    EXPECT_EQ(itself.exit_code, 2);
}

TEST_F(DbCommand, BackupTakesOverWhatAKilledOneLeft) {
    folder_.write("copy.db.partial", "half a backup");
    folder_.write("copy.db.partial-journal", "and its journal");
    EXPECT_EQ(back_up().exit_code, 0);
    EXPECT_EQ(baton({"db", "verify", "--store", backup_}).exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists(backup_ + ".partial-journal"));
}

TEST_F(DbCommand, VerifyPrintsWhatWasLookedAtWithNumbers) {
    const auto looked = baton({"db", "verify", "--store", path_});
    EXPECT_EQ(looked.exit_code, 0) << looked.out << looked.err;
    EXPECT_THAT(
        looked.out,
        AllOf(
            ContainsRegex("^pages +[0-9]+  good\n"),
            ContainsRegex("\nreferences +4  good\n"),
            ContainsRegex("\nledger lines +1  good\n"),
            ContainsRegex("\nbodies +3  good\n"),
            ContainsRegex("\npending dispatches +1  good\n"),
            HasSubstr("baton.db: good\n")
        )
    );
}

TEST_F(DbCommand, VerifyFindsADamagedCopy) {
    ASSERT_EQ(back_up().exit_code, 0);
    const auto size = static_cast<std::streamoff>(std::filesystem::file_size(backup_));
    std::size_t found = 0;
    for (std::streamoff page = 8192; page < size;
         page += 8192) { // the first page makes it no database
        const auto copy = folder_.file("damaged.db");
        std::filesystem::copy_file(
            backup_, copy, std::filesystem::copy_options::overwrite_existing
        );
        damage(copy, page);
        const auto looked = baton({"db", "verify", "--store", copy});
        found += looked.exit_code == 1 ? 1U : 0U;
        // Some pages hold what SQLite needs to open the file at all.
        const bool told = looked.exit_code == 1 || looked.err.find("damaged") != std::string::npos;
        EXPECT_TRUE(told) << "page " << page / 8192 << "\n" << looked.out << looked.err;
    }
    EXPECT_GT(found, 5U);
}

TEST_F(DbCommand, VerifySaysTwoToWhatIsNoStore) {
    EXPECT_EQ(baton({"db", "verify", "--store", folder_.file("none.db")}).exit_code, 2);
    const auto text = folder_.write("text.db", std::string(10'000, 'x'));
    const auto looked = baton({"db", "verify", "--store", text});
    EXPECT_EQ(looked.exit_code, 2) << looked.out;
    EXPECT_THAT(looked.err, HasSubstr("not a SQLite database"));
}

TEST_F(DbCommand, VerifySaysTwoToWhatItCannotJudge) {
    const struct {
        const char* sql;
        const char* says;
    } cases[] = {
        {"SELECT 0", ": this file is empty, and no store\n"},
        {"CREATE TABLE somebody (elses INTEGER)", ": this database belongs to another program: "},
        {"CREATE TABLE schema_migration (number, name, checksum, beside); "
         "INSERT INTO schema_migration VALUES (9999, 'next', '0', 9999)",
         ": the store was written by a newer Baton (schema 9999, "},
    };

    for (const auto& one : cases) {
        SCOPED_TRACE(one.says);
        const TemporaryFolder folder;
        const auto path = folder.file("strange.db");
        change(path, one.sql);
        const auto looked = baton({"db", "verify", "--store", path});
        EXPECT_EQ(looked.exit_code, 2);
        EXPECT_EQ(looked.out, "");
        EXPECT_THAT(looked.err, StartsWith("baton: " + path + one.says));
    }
}

TEST_F(DbCommand, VerifyLeavesANewerStoreToTheVersionThatWroteIt) {
    ASSERT_EQ(back_up().exit_code, 0);
    change(
        backup_,
        "INSERT INTO schema_migration (number, name, checksum, applied_at_ms, beside) VALUES "
        "(9999, 'next', '0', 0, 1)"
    );
    const auto looked = baton({"db", "verify", "--store", backup_});
    EXPECT_EQ(looked.exit_code, 2) << looked.out;
    EXPECT_EQ(looked.out, "");
    EXPECT_THAT(
        looked.err,
        AllOf(
            StartsWith("baton: " + backup_ + ": schema 9999 is a newer Baton's"),
            HasSubstr("run db verify of the version that wrote it")
        )
    );
}

TEST_F(DbCommand, VerifyPrintsTheSchemaBesideAStepThatWasChanged) {
    ASSERT_EQ(back_up().exit_code, 0);
    change(backup_, "UPDATE schema_migration SET checksum = 'edited' WHERE number = 2");
    const auto looked = baton({"db", "verify", "--store", backup_});
    EXPECT_EQ(looked.exit_code, 1) << looked.err;
    EXPECT_THAT(
        looked.out,
        AllOf(
            ContainsRegex("\nschema +[1-9][0-9]*  1 finding\n"),
            HasSubstr("schema step 0002_dispatch differs"),
            HasSubstr("copy.db: 1 finding\nWhat its tables hold was not looked at.\n")
        )
    );
    const auto json = json_in(baton({"db", "verify", "--store", backup_, "--json"}));
    EXPECT_FALSE(json.at("ok").as_bool());
    EXPECT_FALSE(json.at("complete").as_bool());
}

TEST_F(DbCommand, VerifySaysTwoToAFileThatMayNotBeRead) {
    ASSERT_EQ(back_up().exit_code, 0);
    std::filesystem::permissions(backup_, std::filesystem::perms::none);
    if (std::ifstream(backup_).good()) {
        GTEST_SKIP() << "root may read everything";
    }
    const auto looked = baton({"db", "verify", "--store", backup_});
    EXPECT_EQ(looked.exit_code, 2) << looked.out;
    EXPECT_THAT(looked.err, HasSubstr("may not be read: run this as the relay's user"));
}

TEST(Db, TakesNoPasswordFromTheCommandLine) {
    for (const std::string url :
         {"postgresql://baton:hunter2@127.0.0.1:1/baton",
          "postgres://127.0.0.1:1/baton?user=baton&password=hunter2"}) {
        for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
                 {"db", "verify", "--store", url},
                 {"db", "migrate", "--dry-run", "--store", url},
                 {"db", "move", "--from", "baton.db", "--to", url},
                 {"deliveries", "list", "--store", url},
                 {"demo", "--store", url}
             }) {
            const auto refused = baton(words);
            EXPECT_EQ(refused.exit_code, 2);
            EXPECT_EQ(refused.out, "");
            EXPECT_THAT(
                refused.err,
                AllOf(
                    StartsWith("baton: a password does not belong into a command line"),
                    HasSubstr("PGPASSFILE"),
                    Not(HasSubstr("hunter2"))
                )
            );
        }
    }
}

TEST(Db, ReadsAPasswordFromTheConfiguration) {
    const Household house;
    house.folder.write("store", "postgresql://baton:hunter2@127.0.0.1:1/baton");
    house.add("store: {file: store}\n");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"db", "verify", "--config", house.config}, {"explain", "#1", "--config", house.config}
         }) {
        const auto away = baton(words);
        EXPECT_EQ(away.exit_code, 2);
        EXPECT_THAT(away.err, AllOf(HasSubstr("the store's database"), Not(HasSubstr("hunter2"))));
    }
}

TEST_F(DbCommand, RestoreIsRefusedWhileARelayServes) {
    ASSERT_EQ(back_up().exit_code, 0);
    const auto refused = baton({"db", "restore", backup_, "--store", path_, "--force"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("is serving from this store"));
    EXPECT_FALSE(std::filesystem::exists(path_ + ".partial"));
}

TEST_F(DbCommand, RestoreKeepsTheOldStoreAsideAndSaysWhatComesNext) {
    ASSERT_EQ(back_up().exit_code, 0);
    EXPECT_TRUE(run_awaitable(relay_->insert_delivery(a_delivery("later"))));
    relay_.reset();
    const auto refused = baton({"db", "restore", backup_, "--store", path_});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("baton.db is there already; --force keeps it aside"));

    const auto restored = baton({"db", "restore", backup_, "--store", path_, "--force"});
    EXPECT_EQ(restored.exit_code, 0) << restored.err;
    EXPECT_THAT(
        restored.out,
        AllOf(
            HasSubstr("kept as " + path_ + ".before-"),
            HasSubstr("1 dispatch waited when the backup was made"),
            HasSubstr("GitHub's delivery log")
        )
    );
    {
        const auto store = store::SqliteStore::open({.path = path_, .now = at(9)}).value();
        EXPECT_EQ(run_awaitable(store->counts())->deliveries, 3U);
    }
    std::string aside;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
        const auto name = entry.path().string();
        if (name.starts_with(path_ + ".before-") && name.ends_with("Z")) {
            aside = name;
        }
    }
    const auto old = store::SqliteStore::open({.path = aside, .now = at(9)}).value();
    EXPECT_EQ(run_awaitable(old->counts())->deliveries, 4U);
}

TEST_F(DbCommand, RestoreTouchesNothingWhenTheBackupIsDamaged) {
    ASSERT_EQ(back_up().exit_code, 0);
    relay_.reset();
    damage(backup_, static_cast<std::streamoff>(2 * 8192));
    const auto refused = baton({"db", "restore", backup_, "--store", path_, "--force"});
    EXPECT_EQ(refused.exit_code, 1) << refused.out;
    EXPECT_THAT(refused.err, StartsWith("baton: the backup does not verify: "));
    EXPECT_EQ(baton({"db", "verify", "--store", path_}).exit_code, 0);
}

} // namespace

} // namespace baton::test
