#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verify_checks.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>

#include <string_view>

namespace baton::store::sql {

namespace {

constexpr Query kLookCount{"look_count", "SELECT count(*) FROM look"};
constexpr Query kLooksNowhere{
    "looks_nowhere",
    "SELECT id, head_sha FROM look AS l WHERE pr_number > 0 AND NOT EXISTS (SELECT 1 FROM "
    "pull_request AS p WHERE p.upstream = l.upstream AND p.number = l.pr_number) AND NOT EXISTS "
    "(SELECT 1 FROM dispatch AS d WHERE d.upstream = l.upstream AND d.head_sha = l.head_sha) "
    "LIMIT 100"
};
constexpr Query kPostingCount{"posting_count", "SELECT count(*) FROM posting"};
// That one in step has an id, and one that waits a time, the schema sees to.
constexpr Query kHeldByNobody{
    "postings_held_by_nobody",
    "SELECT id, name FROM posting WHERE (lease_until_ms > 0) <> (lease_holder <> '') LIMIT 100"
};
constexpr Query kNobodyLooks{
    "postings_nobody_looks_at",
    "SELECT p.id, p.name FROM posting AS p LEFT JOIN look AS l ON l.upstream = p.upstream AND "
    "l.pr_number = p.pr_number AND l.head_sha = p.head_sha WHERE p.kind = 'check' AND "
    "l.id IS NULL LIMIT 100"
};
constexpr Query kWrongGate{
    "wrong_gates",
    "SELECT id, name FROM posting WHERE gate <> CASE WHEN kind = 'check' AND substr(name, "
    "length(name) - 4) = '/gate' THEN 1 ELSE 0 END LIMIT 100"
};
constexpr Query kRerunCount{"rerun_count", "SELECT count(*) FROM rerun"};
constexpr Query kRerunsHeldByNobody{
    "reruns_held_by_nobody",
    "SELECT id, key FROM rerun WHERE (lease_until_ms > 0) <> (lease_holder <> '') LIMIT 100"
};

constexpr std::string_view kLeaseAlone = "has a lease and no holder, or a holder and no lease";

void note_each(
    Connection& db,
    Checked& checked,
    const Query& query,
    std::string_view what,
    std::string_view finding
) {
    auto rows = db.rows(query);
    while (rows.next()) {
        note(checked, fmt::format("{} {} ({}) {}", what, rows.integer(0), rows.view(1), finding));
    }
}

} // namespace

Checked check_looks(Connection& db) {
    Checked checked{.what = "looks", .count = number_of(db, kLookCount), .findings = {}};
    note_each(db, checked, kLooksNowhere, "look", "is at a pull request that nobody knows");
    return checked;
}

Checked check_postings(Connection& db) {
    Checked checked{.what = "postings", .count = number_of(db, kPostingCount), .findings = {}};
    note_each(db, checked, kHeldByNobody, "posting", kLeaseAlone);
    note_each(db, checked, kNobodyLooks, "posting", "stands on a commit that nobody looks at");
    note_each(db, checked, kWrongGate, "posting", "is taken for a gate, or is one and is not");
    return checked;
}

Checked check_reruns(Connection& db) {
    Checked checked{.what = "re-runs", .count = number_of(db, kRerunCount), .findings = {}};
    note_each(db, checked, kRerunsHeldByNobody, "re-run", kLeaseAlone);
    return checked;
}

} // namespace baton::store::sql
