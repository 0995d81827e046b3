#include "baton/store/sql/looking.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace baton::store::sql {

namespace {

constexpr Query kInForce{
    "allowlists_in_force",
    "SELECT upstream, source, mark, text, in_force_at_ms FROM allowlist_version WHERE id IN "
    "(SELECT max(id) FROM allowlist_version GROUP BY upstream) ORDER BY upstream"
};
constexpr Query kPendingOf{
    "pending_of_upstream",
    "SELECT downstream, count(*) FROM dispatch WHERE state = 'pending' AND upstream = ?1 GROUP "
    "BY downstream ORDER BY downstream"
};

} // namespace

Result<std::vector<ports::AllowlistVersion>> allowlists_in_force(Connection& db) {
    std::vector<ports::AllowlistVersion> versions;
    {
        auto rows = db.rows(kInForce);
        while (rows.next()) {
            versions.push_back(allowlist_row(rows));
        }
    }
    if (!db.ok()) {
        return fail(to_error(db.failure()));
    }
    return versions;
}

Result<std::map<RepoName, std::size_t>>
pending_by_downstream(Connection& db, const RepoName& upstream) {
    std::map<RepoName, std::size_t> pending;
    {
        auto rows = db.rows(kPendingOf, upstream.text());
        while (rows.next()) {
            pending[repo_name(rows.view(0))] = static_cast<std::size_t>(rows.integer(1));
        }
    }
    if (!db.ok()) {
        return fail(to_error(db.failure()));
    }
    return pending;
}

} // namespace baton::store::sql
