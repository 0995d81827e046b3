#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql {

namespace {

constexpr Query kRaise{
    "raise_look",
    "INSERT INTO look (upstream, pr_number, head_sha, version, first_at_ms, due_at_ms) VALUES "
    "(?1, ?2, ?3, 1, ?4, ?4) ON CONFLICT (upstream, pr_number, head_sha) DO UPDATE SET version "
    "= look.version + 1, due_at_ms = CASE WHEN look.due_at_ms < ?4 THEN look.due_at_ms ELSE ?4 "
    "END"
};
constexpr Query kRaiseAgain{
    "raise_look_again",
    "UPDATE look SET version = version + 1, due_at_ms = CASE WHEN due_at_ms < ?2 THEN "
    "due_at_ms ELSE ?2 END WHERE id = ?1"
};
constexpr Query kLooks{
    "looks",
    "SELECT upstream, pr_number, head_sha, version, first_at_ms FROM look INDEXED BY look_due "
    "WHERE due_at_ms <= ?1 ORDER BY due_at_ms, id LIMIT ?2"
};
// As many as there are open pull requests, and checks that have not ended.
constexpr Query kOpenHeads{
    "open_heads",
    "SELECT l.id FROM pull_request AS p INDEXED BY pull_request_open CROSS JOIN look AS l ON "
    "l.upstream = p.upstream AND l.pr_number = p.number AND l.head_sha = p.head_sha WHERE "
    "p.upstream = ?1 AND p.open = 1 AND (?2 = '' OR EXISTS (SELECT 1 FROM dispatch AS d "
    "INDEXED BY dispatch_of_head WHERE d.upstream = l.upstream AND d.head_sha = l.head_sha AND "
    "d.downstream = ?2 AND d.pr_number IS NOT DISTINCT FROM nullif(l.pr_number, 0))) ORDER BY "
    "p.number",
    "SELECT l.id FROM pull_request AS p JOIN look AS l ON l.upstream = p.upstream AND "
    "l.pr_number = p.number AND l.head_sha = p.head_sha WHERE p.upstream = $1 AND p.open = 1 "
    "AND ($2::citext = '' OR EXISTS (SELECT 1 FROM dispatch AS d WHERE d.upstream = l.upstream "
    "AND d.head_sha = l.head_sha AND d.downstream = $2 AND d.pr_number IS NOT DISTINCT FROM "
    "nullif(l.pr_number, 0))) ORDER BY p.number"
};
constexpr Query kLookAtOpenHeads{
    "look_at_open_heads",
    "INSERT INTO look (upstream, pr_number, head_sha, version, first_at_ms, due_at_ms) SELECT "
    "upstream, number, head_sha, 1, ?2, ?2 FROM pull_request INDEXED BY pull_request_open "
    "WHERE upstream = ?1 AND open = 1 ORDER BY number ON CONFLICT DO NOTHING"
};
constexpr Query kOpenChecks{
    "open_checks",
    "SELECT l.id FROM posting AS p INDEXED BY posting_open CROSS JOIN look AS l ON l.upstream "
    "= p.upstream AND l.pr_number = p.pr_number AND l.head_sha = p.head_sha WHERE p.upstream = "
    "?1 AND p.kind = 'check' AND p.status <> 'completed' AND (?2 = '' OR EXISTS (SELECT 1 FROM "
    "dispatch AS d INDEXED BY dispatch_of_head WHERE d.upstream = l.upstream AND d.head_sha = "
    "l.head_sha AND d.downstream = ?2 AND d.pr_number IS NOT DISTINCT FROM nullif(l.pr_number, "
    "0))) ORDER BY p.pr_number, p.head_sha",
    "SELECT l.id FROM posting AS p JOIN look AS l ON l.upstream = p.upstream AND l.pr_number = "
    "p.pr_number AND l.head_sha = p.head_sha WHERE p.upstream = $1 AND p.kind = 'check' AND "
    "p.status <> 'completed' AND ($2::citext = '' OR EXISTS (SELECT 1 FROM dispatch AS d WHERE "
    "d.upstream = l.upstream AND d.head_sha = l.head_sha AND d.downstream = $2 AND d.pr_number "
    "IS NOT DISTINCT FROM nullif(l.pr_number, 0))) ORDER BY p.pr_number, p.head_sha"
};

// --- runs: by what is named

constexpr Query kRunsOfHead{
    "runs_of_head",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE upstream = ?1 AND head_sha = ?2 ORDER BY id DESC"
};
constexpr Query kRunsOfPair{
    "runs_of_pair",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE upstream = ?1 AND downstream = ?2 AND event_type = ?3 "
    "ORDER BY id DESC LIMIT ?4"
};
constexpr Query kNextEventType{
    "next_event_type",
    "SELECT min(event_type) FROM dispatch INDEXED BY dispatch_of_pair WHERE upstream = ?1 AND "
    "downstream = ?2 AND event_type > ?3"
};
constexpr Query kRunsOfUpstream{
    "runs_of_upstream",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE upstream = ?1 ORDER BY id DESC LIMIT ?2"
};

void keep_ids(Rows rows, std::set<std::int64_t>& ids) {
    while (rows.next()) {
        ids.insert(rows.integer(0));
    }
}

/// Reads no further than it has to.
void collect(
    Connection& db, Rows rows, const ports::RunsQuery& query, std::vector<domain::Run>& found
) {
    const auto full = found.size() + std::min(query.limit, limits::kPageRowsMax);
    while (found.size() < full && rows.next()) {
        auto row = dispatch_row(rows);
        if (row.tells_of_closing || !matches(query, row.dispatch)) {
            continue;
        }
        auto jobs = jobs_of(db, row.dispatch.id);
        domain::Run run{
            .dispatch = std::move(row.dispatch),
            .silent_at = row.silent_at,
            .jobs = std::move(jobs),
        };
        if (has_come_far_enough(query, run)) {
            found.push_back(std::move(run));
        }
    }
}

std::set<std::string> event_types_of(Connection& db, const ports::RunsQuery& query) {
    std::set<std::string> types(query.event_types.begin(), query.event_types.end());
    std::string last;
    while (query.event_types.empty()) {
        auto rows = db.rows(kNextEventType, query.upstream.text(), query.downstream->text(), last);
        if (!rows.next() || rows.is_null(0)) {
            break;
        }
        last = rows.text(0);
        types.insert(last);
    }
    return types;
}

} // namespace

void raise_look(Connection& db, const domain::Subject& subject, TimePoint now) {
    db.run(kRaise, subject.upstream.text(), kept_number(subject), subject.head.text(), now);
}

void look_at(
    Connection& db, const domain::Dispatch& dispatch, TimePoint now, domain::Level reported
) {
    if (const auto subject = look_of(dispatch, reported)) {
        raise_look(db, *subject, now);
    }
}

namespace verbs {

std::vector<ports::Look> looks(Connection& db, TimePoint now, std::size_t limit) {
    std::vector<ports::Look> found;
    auto rows = db.rows(kLooks, now, limit);
    while (rows.next()) {
        found.push_back({
            .subject = subject_from(rows, 0),
            .version = rows.integer(3),
            .first_at = rows.time(4),
        });
    }
    return found;
}

std::size_t look_again(Connection& db, const ports::LookAgain& again) {
    std::set<std::int64_t> ids;
    const auto& upstream = again.upstream.text();
    const auto downstream = again.downstream ? again.downstream->text() : std::string();
    if (again.all_open) {
        db.run(kLookAtOpenHeads, upstream, again.now);
    }
    keep_ids(db.rows(kOpenHeads, upstream, downstream), ids);
    keep_ids(db.rows(kOpenChecks, upstream, downstream), ids);
    for (const auto id : ids) {
        db.run(kRaiseAgain, id, again.now);
    }
    return ids.size();
}

std::vector<domain::Run> runs(Connection& db, const ports::RunsQuery& query) {
    std::vector<domain::Run> found;
    const auto& upstream = query.upstream.text();
    if (!query.head.empty()) {
        collect(db, db.rows(kRunsOfHead, upstream, query.head.text()), query, found);
    } else if (query.downstream) {
        for (const auto& type : event_types_of(db, query)) {
            collect(
                db,
                db.rows(
                    kRunsOfPair,
                    upstream,
                    query.downstream->text(),
                    type,
                    ports::RunsQuery::kWalkedMax
                ),
                query,
                found
            );
        }
        std::ranges::sort(found, std::greater{}, [](const domain::Run& run) {
            return run.dispatch.id;
        });
        const auto kept = std::min({found.size(), query.limit, limits::kPageRowsMax});
        found.erase(std::next(found.begin(), static_cast<std::ptrdiff_t>(kept)), found.end());
    } else {
        collect(db, db.rows(kRunsOfUpstream, upstream, ports::RunsQuery::kWalkedMax), query, found);
    }
    return found;
}

} // namespace verbs

} // namespace baton::store::sql
