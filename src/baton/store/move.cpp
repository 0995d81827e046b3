#include "baton/store/move.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/moving/copy.hpp"
#include "baton/store/moving/tables.hpp"
#include "baton/store/place.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/migrate.hpp"
#include "baton/store/postgres/patience.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/lock_file.hpp"
#include "baton/store/sqlite/migrate.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace baton::store {

namespace {

using moving::Table;
using sql::Connection;

constexpr std::size_t kTellEvery = 256; // rows

// The file is read between two statements.
constexpr const char* kPatience = "SET LOCAL idle_in_transaction_session_timeout = '10min'";

/// Says how far the work on all rows has come.
class Walk {
public:
    Walk(const Progress& progress, std::string_view doing, std::size_t total)
        : progress_(progress)
        , doing_(doing)
        , total_(total) {}

    void step() {
        if (done_++ % kTellEvery == 0) {
            progress_({.doing = doing_, .done = done_, .total = total_});
        }
    }

private:
    const Progress& progress_;
    std::string_view doing_;
    std::size_t total_;
    std::size_t done_{0};
};

/// What cannot be used from the start, whatever keeps it from that: nothing failed on the way.
template <class T> Result<T> or_unusable(Result<T> opened) {
    const bool failed = !opened && (opened.error().code == Errc::invalid ||
                                    opened.error().code == Errc::unavailable);
    return failed ? fail(Errc::not_found, std::move(opened).error().detail) : std::move(opened);
}

Result<void> ensure_usable(const MoveOrder& order) {
    if (is_database(order.from) || !is_database(order.to)) {
        return fail(
            Errc::forbidden,
            "a store moves from a SQLite file to a PostgreSQL database, and no other way"
        );
    }
    std::error_code unreadable;
    if (!std::filesystem::is_regular_file(order.from, unreadable)) {
        return fail(Errc::not_found, fmt::format("there is no store {}", order.from));
    }
    return {};
}

/// The file as of one moment; its schema is this version's.
Result<Connection> open_file(const std::string& path) {
    BATON_TRY(auto file, moving::open_to_move(path));
    file.begin(sql::Scope::read);
    const auto steps = pending_migrations(file, sqlite::embedded_migrations());
    if (!steps) {
        return fail(sqlite::about(path, steps.error()));
    }
    if (steps->from > steps->known) {
        return fail(
            Errc::conflict,
            fmt::format(
                "{} is at schema {} and this Baton knows {}: a store is moved by the version that "
                "wrote it",
                path,
                steps->from,
                steps->known
            )
        );
    }
    if (!steps->applied.empty()) {
        return fail(
            Errc::conflict,
            fmt::format(
                "{} is at schema {} and this Baton needs {}: run baton db migrate",
                path,
                steps->from,
                steps->to
            )
        );
    }
    return file;
}

/// True when there is no schema yet.
Result<bool> lacks_schema(Connection& database) {
    BATON_TRY(const auto steps, pending_migrations(database, postgres::embedded_migrations()));
    if (steps.from == 0) {
        return true;
    }
    if (auto checked = postgres::ensure_up_to_date(database); !checked) {
        return fail(std::move(checked).error());
    }
    return false;
}

/// What both connections have to say; the first failure counts.
Result<void> judged(Connection& file, Connection& database, const Table& table) {
    for (auto* db : {&file, &database}) {
        if (!db->ok()) {
            auto error = to_error(db->failure());
            error.detail = fmt::format("table {}: {}", table.name, error.detail);
            return fail(std::move(error));
        }
    }
    return {};
}

/// A new schema brings rows of its own, and nothing else may be there.
Result<void> ensure_fresh(Connection& database, const std::vector<Table>& tables, TimePoint now) {
    BATON_TRY(auto fresh, moving::open_to_move(":memory:"));
    if (auto made = apply_migrations(fresh, sqlite::embedded_migrations(), now); !made) {
        return fail(std::move(made).error());
    }
    for (const auto& table : tables) {
        const auto found = first_difference(fresh, database, table, [] {});
        if (auto asked = judged(fresh, database, table); !asked) {
            return asked;
        }
        if (found) {
            return fail(
                Errc::forbidden,
                fmt::format(
                    "the database holds rows of {} already; a store moves into an empty "
                    "database: make another one",
                    table.name
                )
            );
        }
    }
    return {};
}

/// `ALTER TABLE … DISABLE TRIGGER USER` for each; `what` names it.
std::string for_each(const std::vector<Table>& tables, std::string_view what) {
    std::string sql;
    for (const auto& table : tables) {
        sql += fmt::format(fmt::runtime(what), moving::quoted(table.name)) + ";\n";
    }
    return sql;
}

/// Triggers keep figures and news of what is written; the figures are copied, so they stand aside.
void clear(Connection& database, const std::vector<Table>& tables) {
    database.script(kPatience, "move_patience");
    const auto off = for_each(tables, "ALTER TABLE {} DISABLE TRIGGER USER");
    database.script(off.c_str(), "move_triggers");
    for (auto table = tables.rbegin(); table != tables.rend(); ++table) {
        const auto sql = fmt::format("DELETE FROM {}", moving::quoted(table->name));
        database.script(sql.c_str(), "move_clear");
    }
}

void finish(Connection& database, const std::vector<Table>& tables) {
    const auto on = for_each(tables, "ALTER TABLE {} ENABLE TRIGGER USER");
    database.script(on.c_str(), "move_triggers");
    const auto known = for_each(tables, "ANALYZE {}"); // pages are quick from the first moment
    database.script(known.c_str(), "move_analyze");
}

struct Move {
    Connection& file;
    Connection& database;
    const std::vector<Table>& tables;
    const Progress& progress;
};

Result<void> copy_all(const Move& move, MoveReport& report) {
    Walk walk(move.progress, "copying", rows_in(report));
    for (std::size_t i = 0; i < move.tables.size(); ++i) {
        const auto& table = move.tables[i];
        report.tables[i] = copy(move.file, move.database, table, [&walk] { walk.step(); });
        if (auto copied = judged(move.file, move.database, table); !copied) {
            return copied;
        }
    }
    return {};
}

Result<void> compare_all(const Move& move, const MoveReport& report) {
    Walk walk(move.progress, "comparing", rows_in(report));
    for (const auto& table : move.tables) {
        const auto found =
            first_difference(move.file, move.database, table, [&walk] { walk.step(); });
        if (auto compared = judged(move.file, move.database, table); !compared) {
            return compared;
        }
        if (found) {
            return fail(
                Errc::invalid, fmt::format("nothing was moved: table {}, {}", table.name, *found)
            );
        }
    }
    return {};
}

Result<void> number_on(const Move& move, const std::vector<moving::Identity>& identities) {
    for (const auto& identity : identities) {
        const auto table = std::ranges::find(move.tables, identity.table, &Table::name);
        go_on_after(move.file, move.database, *table);
        if (auto numbered = judged(move.file, move.database, *table); !numbered) {
            return numbered;
        }
    }
    return {};
}

/// Inside the transaction, to just before its end.
Result<void> carry(const Move& move, TimePoint now, MoveReport& report) {
    BATON_TRY(const auto identities, moving::fit(move.tables, move.database));
    if (auto fresh = ensure_fresh(move.database, move.tables, now); !fresh) {
        return fresh;
    }
    clear(move.database, move.tables);
    if (auto copied = copy_all(move, report); !copied) {
        return copied;
    }
    if (auto compared = compare_all(move, report); !compared) {
        return compared;
    }
    if (auto numbered = number_on(move, identities); !numbered) {
        return numbered;
    }
    finish(move.database, move.tables);
    move.database.commit();
    if (!move.database.ok()) {
        return fail(to_error(move.database.failure()));
    }
    return {};
}

/// What a dry run asks of a database that has a schema.
Result<void> look_at(const Move& move, TimePoint now) {
    BATON_TRY(const auto identities, moving::fit(move.tables, move.database));
    return ensure_fresh(move.database, move.tables, now);
}

Result<void> perform(const Move& move, const MoveOrder& order, MoveReport& report) {
    if (order.dry_run && report.makes_schema) {
        return {};
    }
    if (report.makes_schema) {
        const auto all = postgres::embedded_migrations();
        if (auto made = apply_migrations(move.database, all, order.now); !made) {
            auto error = std::move(made).error();
            if (error.code == Errc::invalid) { // the role may not make it
                error.code = Errc::forbidden;
            }
            return fail(std::move(error));
        }
    }
    move.database.begin(order.dry_run ? sql::Scope::read : sql::Scope::write);
    if (!move.database.ok()) {
        return fail(to_error(move.database.failure()));
    }
    auto done = order.dry_run ? look_at(move, order.now) : carry(move, order.now, report);
    move.database.roll_back(); // of what was not committed
    return done;
}

} // namespace

std::size_t rows_in(const MoveReport& report) {
    std::size_t rows = 0;
    for (const auto& table : report.tables) {
        rows += table.rows;
    }
    return rows;
}

Result<MoveReport> move_store(const MoveOrder& order, const Progress& progress) {
    if (auto usable = ensure_usable(order); !usable) {
        return fail(std::move(usable).error());
    }
    std::optional<sqlite::LockFile> lock;
    if (!order.dry_run) {
        BATON_TRY(lock, or_unusable(sqlite::LockFile::take(order.from + ".lock")));
    }
    BATON_TRY(auto file, or_unusable(open_file(order.from)));
    BATON_TRY(const auto tables, moving::tables_of(file));
    BATON_TRY( // one statement may sort a large table
        auto database,
        or_unusable(
            postgres::connect(order.to, postgres::Telling::nobody, postgres::Patience::hours)
        )
    );
    MoveReport report;
    BATON_TRY(report.makes_schema, or_unusable(lacks_schema(database)));
    for (const auto& table : tables) {
        report.tables.push_back(counted(file, table));
    }
    const Move move{.file = file, .database = database, .tables = tables, .progress = progress};
    if (auto done = perform(move, order, report); !done) {
        return fail(std::move(done).error());
    }
    return report;
}

} // namespace baton::store
