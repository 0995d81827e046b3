#include "baton/store/sqlite/verify.hpp"

#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verify.hpp"
#include "baton/store/sql/verify_checks.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/migrate.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace baton::store::sqlite {

using sql::keep;
using sql::note;
using sql::number_of;

namespace {

constexpr Query kPages{"pages", "PRAGMA page_count"};
constexpr Query kIntegrity{"integrity", "PRAGMA integrity_check(100)"};
constexpr Query kForeignKeys{"foreign_keys", "PRAGMA foreign_key_check"};
constexpr Query kReferences{
    "references",
    "SELECT (SELECT count(*) FROM delivery_body) + (SELECT count(*) FROM dispatch) + "
    "(SELECT count(*) FROM attempt) + (SELECT count(*) FROM job) + "
    "(SELECT count(*) FROM job_detail) + (SELECT count(*) FROM claim) + "
    "(SELECT count(*) FROM job_latest) + (SELECT count(*) FROM outbox) + "
    "(SELECT count(*) FROM cell) + (SELECT count(*) FROM cell_job) + "
    "(SELECT count(*) FROM failed_test) + (SELECT count(*) FROM attribution)"
};

Checked check_pages(Connection& db) {
    Checked checked{.what = "pages", .count = number_of(db, kPages), .findings = {}};
    auto rows = db.rows(kIntegrity);
    while (rows.next()) {
        if (rows.view(0) != "ok") {
            note(checked, rows.text(0));
        }
    }
    return checked;
}

Checked check_references(Connection& db) {
    Checked checked{.what = "references", .count = number_of(db, kReferences), .findings = {}};
    auto rows = db.rows(kForeignKeys);
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "row {} of {} names a row of {} that is not there",
                rows.integer(1),
                rows.view(0),
                rows.view(2)
            )
        );
    }
    return checked;
}

} // namespace

Result<Verification> verify(const std::string& path, const Progress& progress) {
    std::error_code unreadable;
    if (!std::filesystem::is_regular_file(path, unreadable)) {
        return fail(Errc::not_found, fmt::format("there is no store {}", path));
    }
    if (::access(path.c_str(), R_OK) != 0) {
        return fail(
            Errc::forbidden, fmt::format("{} may not be read: run this as the relay's user", path)
        );
    }
    BATON_TRY(auto db, sqlite::open(path, Access::read));
    db.begin(sql::Scope::read); // a relay may write meanwhile: everything is checked as of now
    if (!db.ok()) {
        return fail(about(path, to_error(db.failure())));
    }
    Verification found{.path = path, .schema = 0, .schema_here = 0, .checks = {}};
    progress({.doing = "verifying", .done = 0, .total = 0});
    keep(found, db, check_pages(db));
    if (verify_schema_and_rows(db, embedded_migrations(), found, progress)) {
        keep(found, db, check_references(db));
    }
    db.roll_back();
    if (found.schema == 0 && is_good(found)) {
        found.refusal =
            Error{.code = Errc::not_found, .detail = "this file is empty, and no store"};
    }
    return found;
}

} // namespace baton::store::sqlite
