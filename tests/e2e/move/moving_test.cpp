// The parts of a move: which tables there are, whether both sides have them, and what a comparison
// finds.

#include "baton/base/result.hpp"
#include "baton/store/move.hpp"
#include "baton/store/moving/copy.hpp"
#include "baton/store/moving/tables.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/sql/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "e2e/move/full_house.hpp"
#include "support/postgres_place.hpp"
#include "support/process.hpp"

namespace baton::test {

namespace {

using store::moving::Table;
using ::testing::HasSubstr;
using ::testing::Optional;

/// Enough for several statements and several FETCHes.
constexpr const char* kManyNotes =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
    "INSERT INTO note (id, about, subject, text, actor, at_ms) "
    "SELECT 100 + i, 'downstream', 'a/one', 'note ' || i, 'ann', i FROM n";

/// A store with many rows, and the database that it was moved to.
struct House {
    House() {
        make_full_house(path);
        auto db = store::sqlite::open(path, store::sqlite::Access::write).value();
        db.script(kManyNotes, "notes");
        EXPECT_TRUE(db.ok()) << db.failure().text;
        report = store::move_store({.from = path, .to = place.url()}, [](const auto& /*now*/) {
                 }).value();
    }

    TemporaryFolder folder;
    std::string path = folder.file("baton.db");
    PostgresPlace place;
    store::MoveReport report;
};

/// Both sides of one house; what a test changes is never committed.
class Moved : public ::testing::Test {
protected:
    static void SetUpTestSuite() { house = std::make_unique<House>(); }

    static void TearDownTestSuite() { house.reset(); }

    Moved()
        : file_(store::moving::open_to_move(house->path).value())
        , database_(store::postgres::connect(house->place.url()).value()) {
        tables_ = store::moving::tables_of(file_).value();
        database_.begin(store::sql::Scope::write);
    }

    void change(const char* sql) {
        database_.script(sql, "change");
        ASSERT_TRUE(database_.ok()) << database_.failure().text;
    }

    std::optional<std::string> difference_in(const std::string& name) {
        const auto table = std::ranges::find(tables_, name, &Table::name);
        auto found = first_difference(file_, database_, *table, [] {});
        EXPECT_TRUE(file_.ok() && database_.ok());
        return found;
    }

    static std::unique_ptr<House> house;
    std::vector<Table> tables_; // longer than the connections, which know their statements
    store::sql::Connection file_;
    store::sql::Connection database_;
};

std::unique_ptr<House> Moved::house;

TEST_F(Moved, HasEveryRowOfEveryTableOnBothSides) {
    ASSERT_EQ(house->report.tables.size(), tables_.size());
    for (const auto& table : house->report.tables) {
        if (table.name != "leaving") { // has rows within a transaction only
            EXPECT_GT(table.rows, 0U) << table.name << ": full_house.hpp has no row of it";
        }
        EXPECT_EQ(difference_in(table.name), std::nullopt) << table.name;
    }
}

TEST_F(Moved, FillsEachTableAfterThoseThatItRefersTo) {
    std::set<std::string> filled;
    for (const auto& table : tables_) {
        for (const auto& other : table.refers_to) {
            EXPECT_TRUE(filled.contains(other)) << table.name << " before " << other;
        }
        filled.insert(table.name);
    }
}

TEST_F(Moved, FindsTheOneRowThatChanged) {
    change("UPDATE note SET text = 'another' WHERE id = 1100");
    EXPECT_THAT(
        difference_in("note"),
        Optional(std::string("row 1100: text is 'note 1000' in the file and 'another' in the "
                             "database"))
    );
    EXPECT_EQ(difference_in("refusal"), std::nullopt);
}

TEST_F(Moved, FindsChangedBytesAndDoesNotShowThem) {
    change("UPDATE delivery_body SET zstd = '\\x00' WHERE sequence = 1");
    EXPECT_THAT(difference_in("delivery_body"), Optional(HasSubstr("and 1 bytes in the database")));
}

TEST_F(Moved, FindsRowsThatOneSideLacks) {
    change("DELETE FROM note WHERE id = 1100");
    EXPECT_THAT(difference_in("note"), Optional(std::string("row 1100 is in the file only")));
    change("INSERT INTO note (id, about, subject, text, actor, at_ms) "
           "VALUES (50, 'downstream', 'a/one', 'more', 'ann', 1)");
    EXPECT_THAT(difference_in("note"), Optional(std::string("row 50 is in the database only")));
}

TEST_F(Moved, FindsAZeroWhereThereWasNothing) {
    change("UPDATE downstream_event SET job = 0");
    EXPECT_THAT(
        difference_in("downstream_event"),
        Optional(HasSubstr("job is NULL in the file and 0 in the database"))
    );
}

TEST_F(Moved, RefusesASchemaThatDiffers) {
    change("ALTER TABLE note ADD COLUMN colour text");
    EXPECT_EQ(
        fit(tables_, database_).error().detail, "only the database has the column colour of note"
    );
    change("ALTER TABLE note DROP COLUMN colour; DROP TABLE pin");
    EXPECT_THAT(
        fit(tables_, database_).error().detail,
        ::testing::MatchesRegex("only the file has the column .* of pin")
    );
}

} // namespace

} // namespace baton::test
