#include "baton/store/postgres/migrate.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"

#include <fmt/format.h>

#include <string>

namespace baton::store::postgres {

Result<sql::MigrationReport> migrate(const std::string& url, TimePoint now) {
    BATON_TRY(auto db, connect(url));
    return apply_migrations(db, embedded_migrations(), now);
}

Result<sql::MigrationReport> pending(const std::string& url) {
    BATON_TRY(auto db, connect(url));
    return pending_migrations(db, embedded_migrations());
}

Result<void> ensure_up_to_date(Connection& db) {
    BATON_TRY(const auto report, pending_migrations(db, embedded_migrations()));
    if (!report.applied.empty()) {
        return fail(
            Errc::conflict,
            fmt::format(
                "the database is at schema {} and this Baton needs {}: run baton db migrate",
                report.from,
                report.to
            )
        );
    }
    return {};
}

} // namespace baton::store::postgres
