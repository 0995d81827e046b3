#include "baton/store/postgres/verify.hpp"

#include "baton/base/result.hpp"
#include "baton/store/place.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/migrate.hpp"
#include "baton/store/postgres/patience.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verify.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace baton::store::postgres {

Result<Verification> verify(const std::string& url, const Progress& progress) {
    auto connected = connect(url, Telling::nobody, Patience::hours); // it counts all rows
    if (!connected) { // no finding: nothing was looked at
        return fail(Errc::not_found, std::move(connected).error().detail);
    }
    auto db = *std::move(connected);
    db.begin(sql::Scope::read); // relays may write meanwhile: everything is checked as of now
    if (!db.ok()) {
        return fail(to_error(db.failure()));
    }
    Verification found{.path = shown(url), .schema = 0, .schema_here = 0, .checks = {}};
    progress({.doing = "verifying", .done = 0, .total = 0});
    verify_schema_and_rows(db, embedded_migrations(), found, progress);
    db.roll_back();
    if (found.schema == 0 && is_good(found)) {
        return fail(
            Errc::not_found,
            fmt::format(
                "there is no store in {}: is it the right database? baton db migrate makes one in "
                "it",
                shown(url)
            )
        );
    }
    return found;
}

} // namespace baton::store::postgres
