#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/verify_checks.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/lock_file.hpp"
#include "baton/store/sqlite/migrate.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/migration_rows.hpp"
#include "support/temp_folder.hpp"

namespace baton::store::sqlite {

using namespace sql;

namespace {

using testing::HasSubstr;

constexpr TimePoint kNow{Millis{1'800'000'000'000}};

std::string one_text(Connection& db, const Query& query) {
    auto rows = db.rows(query);
    return rows.next() ? rows.text(0) : std::string();
}

void expect_good_cells(Connection& db) {
    EXPECT_THAT(check_cells(db).findings, testing::IsEmpty());
    EXPECT_THAT(check_days(db).findings, testing::IsEmpty());
    EXPECT_THAT(check_downstreams(db).findings, testing::IsEmpty());
}

class Migrating : public testing::Test {
protected:
    Connection open() {
        auto db = sqlite::open(path, Access::create);
        EXPECT_TRUE(db.has_value());
        return *std::move(db);
    }

    void change(const char* sql) {
        auto db = open();
        db.script(sql, "test");
        ASSERT_TRUE(db.ok()) << db.failure().text;
    }

    /// What `open` and `migrate` both say.
    Error refusal() const {
        const auto report = migrate({.path = path, .now = kNow});
        const auto opened = SqliteStore::open({.path = path, .now = kNow});
        EXPECT_FALSE(report.has_value());
        EXPECT_FALSE(opened.has_value());
        if (report || opened) {
            return {};
        }
        EXPECT_EQ(report.error().detail, opened.error().detail);
        EXPECT_THAT(report.error().detail, HasSubstr(path));
        return report.error();
    }

    test::TempFolder folder;
    std::string path = folder.file("baton.db");
};

} // namespace

TEST_F(Migrating, BringsAnEmptyFileUpToDateOnce) {
    const auto first = migrate({.path = path, .now = kNow});
    ASSERT_TRUE(first.has_value()) << first.error().detail;
    EXPECT_EQ(first->from, 0);
    EXPECT_EQ(first->to, embedded_migrations().back().number);
    EXPECT_EQ(first->applied.size(), embedded_migrations().size());
    EXPECT_EQ(first->applied.front(), "0001_delivery");

    const auto second = migrate({.path = path, .now = kNow});
    ASSERT_TRUE(second.has_value());
    EXPECT_EQ(second->from, first->to);
    EXPECT_TRUE(second->applied.empty());
}

TEST_F(Migrating, OnlyLooksWhenItIsADryRun) {
    const auto nothing_there = migrate({.path = path, .now = kNow, .dry_run = true});
    ASSERT_TRUE(nothing_there.has_value());
    EXPECT_EQ(nothing_there->applied.size(), embedded_migrations().size());
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_FALSE(std::filesystem::exists(path + ".lock"));

    auto db = open();
    ASSERT_TRUE(apply_migrations(db, embedded_migrations().first(1), kNow).has_value());
    const auto rest = migrate({.path = path, .now = kNow, .dry_run = true});
    ASSERT_TRUE(rest.has_value());
    EXPECT_EQ(rest->from, 1);
    EXPECT_EQ(rest->applied.size(), embedded_migrations().size() - 1);
    EXPECT_EQ(pending_migrations(db, embedded_migrations())->from, 1);
}

TEST_F(Migrating, TriesEveryStepOnAFullHouse) {
    static constexpr Query kForeign{"foreign", "SELECT count(*) FROM pragma_foreign_key_check"};
    static constexpr Query kCells{"cells", "SELECT count(*) FROM cell"};
    static constexpr Query kIntegrity{"integrity", "PRAGMA integrity_check"};
    auto db = open();
    const auto all = embedded_migrations();
    for (std::size_t i = 0; i < all.size(); ++i) {
        SCOPED_TRACE(all[i].name);
        const auto report = apply_migrations(db, all.first(i + 1), kNow);
        ASSERT_TRUE(report.has_value()) << report.error().detail;
        EXPECT_EQ(report->applied.size(), 1U);
        if (all[i].name == std::string_view("hud")) { // it brought in what was there
            EXPECT_EQ(one_text(db, kCells), "3");
            // Today's check asks what was pruned; then there was no such thing.
            db.script("CREATE TEMP TABLE retention (one, results_until_ms)", "a later table");
            expect_good_cells(db);
            db.script("DROP TABLE temp.retention", "not yet");
        }
        db.script(test::rows_after(all[i]).c_str(), "rows");
        ASSERT_TRUE(db.ok()) << db.failure().text;
        EXPECT_EQ(one_text(db, kForeign), "0");
        EXPECT_EQ(one_text(db, kIntegrity), "ok");
    }
    expect_good_cells(db);
    EXPECT_THAT(check_failed_tests(db).findings, testing::IsEmpty());
    EXPECT_THAT(check_attributions(db).findings, testing::IsEmpty());
    const auto counts = verbs::counts(db);
    EXPECT_EQ(counts.deliveries, 4U);
    EXPECT_EQ(counts.to_plan, 3U);
    EXPECT_EQ(counts.dispatches.at(0).second, 3U); // pending: one free, one leased, one marked
    EXPECT_EQ(verbs::body_of(db, DeliveryId("delivery-1")).value_or("damaged"), "{}");
    EXPECT_EQ(verbs::adopt(db, InstanceId("relay-2"), kNow).voided_leases, 1U);
    EXPECT_TRUE(db.ok()) << db.failure().text;
}

TEST_F(Migrating, NumbersItsStepsFromOneWithoutGaps) {
    int number = 0;
    for (const auto& migration : embedded_migrations()) {
        EXPECT_EQ(migration.number, ++number);
        EXPECT_THAT(
            migration.sql,
            testing::StartsWith(fmt::format("-- {:04}_{}.sql\n-- ", number, migration.name))
        ) << "the reason stands on top";
    }
}

TEST_F(Migrating, RefusesAStoreOfANewerBaton) {
    ASSERT_TRUE(migrate({.path = path, .now = kNow}).has_value());
    change("INSERT INTO schema_migration (number, name, checksum, applied_at_ms) VALUES (99, "
           "'from_the_future', '0', 0)");
    const auto error = refusal();
    EXPECT_EQ(error.code, Errc::conflict);
    EXPECT_THAT(
        error.detail,
        HasSubstr(fmt::format(
            "was written by a newer Baton (schema 99, this one knows {} and would have to know "
            "99): "
            "run that version or restore a backup",
            embedded_migrations().back().number
        ))
    );
}

TEST_F(Migrating, GoesOnBesideANewerSchemaThatSaysSo) {
    const auto all = embedded_migrations();
    const int known = all.back().number;
    std::vector<Migration> newer(all.begin(), all.end());
    const auto text = fmt::format(
        "-- next\n-- beside: {:04}\nALTER TABLE delivery ADD COLUMN colour TEXT;", known
    );
    newer.push_back({.number = known + 1, .name = "next", .sql = text.c_str()});
    {
        auto db = open();
        ASSERT_TRUE(apply_migrations(db, newer, kNow).has_value());
    }
    const auto report = migrate({.path = path, .now = kNow});
    ASSERT_TRUE(report.has_value()) << report.error().detail;
    EXPECT_EQ(report->to, known + 1);
    EXPECT_EQ(report->known, known);
    EXPECT_TRUE(report->applied.empty());
    EXPECT_TRUE(SqliteStore::open({.path = path, .now = kNow}).has_value());

    change("UPDATE schema_migration SET checksum = 'edited' WHERE number = 2");
    EXPECT_THAT(refusal().detail, HasSubstr("0002_dispatch differs"));
}

TEST_F(Migrating, BelievesTheStepThatAsksForMost) {
    ASSERT_TRUE(migrate({.path = path, .now = kNow}).has_value());
    const int known = embedded_migrations().back().number;
    change(
        fmt::format(
            "INSERT INTO schema_migration (number, name, checksum, applied_at_ms, beside) VALUES "
            "({0}, 'wider', '0', 0, {2}), ({1}, 'narrower', '0', 0, {0})",
            known + 1,
            known + 2,
            known
        )
            .c_str()
    );
    EXPECT_EQ(refusal().code, Errc::conflict);
}

TEST_F(Migrating, LearnsToSayItInAStoreOfTheFirstVersion) {
    const auto all = embedded_migrations();
    {
        auto db = open();
        ASSERT_TRUE(apply_migrations(db, all.first(2), kNow).has_value());
    }
    change("ALTER TABLE schema_migration DROP COLUMN beside");
    const auto report = migrate({.path = path, .now = kNow});
    ASSERT_TRUE(report.has_value()) << report.error().detail;
    EXPECT_EQ(report->from, 2);
    static constexpr Query kSaid{
        "said",
        "SELECT group_concat(coalesce(beside, '-'), ' ') FROM schema_migration WHERE number < 4"
    };
    auto db = open();
    EXPECT_EQ(one_text(db, kSaid), "- - 3");
}

TEST_F(Migrating, LeavesOutAStepThatIsNotAllowed) {
    auto db = open();
    const auto all = embedded_migrations();
    const auto report = apply_migrations(db, all, kNow, [](Connection&, const Migration& step) {
        return step.number == 3 ? Result<void>(fail(Errc::conflict, "not now")) : Result<void>{};
    });
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().detail, "not now");
    EXPECT_EQ(pending_migrations(db, all)->from, 2);
}

TEST(Beside, IsTheStepItselfUnlessALineSaysAnother) {
    EXPECT_EQ(beside_of({.number = 18, .name = "a", .sql = "-- 0018_a.sql\n-- Why.\n"}), 18);
    EXPECT_EQ(
        beside_of({.number = 18, .name = "a", .sql = "-- 0018_a.sql\n-- beside: 0016\n"}), 16
    );
    EXPECT_EQ(beside_of({.number = 18, .name = "a", .sql = "-- a\n-- beside: all\n"}), 18);
}

TEST_F(Migrating, RefusesAStoreWhoseStepsDifferFromOurs) {
    ASSERT_TRUE(migrate({.path = path, .now = kNow}).has_value());
    change("UPDATE schema_migration SET checksum = 'edited' WHERE number = 2");
    const auto error = refusal();
    EXPECT_EQ(error.code, Errc::conflict);
    EXPECT_THAT(error.detail, HasSubstr("0002_dispatch differs"));
}

TEST_F(Migrating, RefusesTheFileOfAnotherProgram) {
    change("CREATE TABLE somebody (elses INTEGER)");
    EXPECT_EQ(refusal().code, Errc::conflict);
    static constexpr Query kMode{"mode", "PRAGMA journal_mode"};
    auto db = open();
    EXPECT_EQ(one_text(db, kMode), "delete") << "and leaves it as it was";
}

TEST_F(Migrating, RefusesAFileThatIsNoDatabase) {
    std::ofstream(path) << std::string(4096, 'x');
    EXPECT_EQ(refusal().code, Errc::invalid);
}

TEST_F(Migrating, DoesNotTouchAStoreThatARelayServesFrom) {
    const auto serving = LockFile::take(path + ".lock");
    ASSERT_TRUE(serving.has_value());
    EXPECT_EQ(migrate({.path = path, .now = kNow}).error().code, Errc::conflict);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Migrating, LeavesNothingOfAStepThatFails) {
    const Migration broken[] = {
        embedded_migrations().front(),
        {.number = 2,
         .name = "broken",
         .sql = "CREATE TABLE half (a INTEGER); CREATE TABLE half (a INTEGER);"},
    };
    auto db = open();
    const auto report = apply_migrations(db, broken, kNow);
    ASSERT_FALSE(report.has_value());
    EXPECT_THAT(report.error().detail, HasSubstr("0002_broken"));
    EXPECT_EQ(pending_migrations(db, embedded_migrations())->from, 1);
    static constexpr Query kHalf{"half", "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"};
    EXPECT_EQ(one_text(db, kHalf), "0");
}

TEST(Checksum, TellsTextsApart) {
    EXPECT_EQ(checksum_of(""), "cbf29ce484222325");
    EXPECT_EQ(checksum_of("a"), "af63dc4c8601ec8c"); // as published for FNV-1a
    EXPECT_NE(checksum_of("ab"), checksum_of("ba"));
}

} // namespace baton::store::sqlite
