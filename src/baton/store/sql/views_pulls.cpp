#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/views.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql::views {

namespace {

constexpr Query kNextUpstream{
    "view_next_upstream",
    "SELECT upstream FROM pull_request WHERE upstream > ?1 ORDER BY upstream LIMIT 1"
};
constexpr Query kPulls{
    "view_pulls",
    "SELECT upstream, number, head_sha, open, draft, author, updated_at_ms, title FROM "
    "pull_request "
    "INDEXED BY pull_request_newest WHERE upstream = ?1 AND open = ?2 AND "
    "(updated_at_ms, number) < (?3, ?4) ORDER BY updated_at_ms DESC, number DESC LIMIT ?5"
};
constexpr Query kPullsOfAuthor{
    "view_pulls_of_author",
    "SELECT upstream, number, head_sha, open, draft, author, updated_at_ms, title FROM "
    "pull_request INDEXED BY pull_request_of_author WHERE upstream = ?1 AND open = ?2 AND "
    "(updated_at_ms, number) < (?3, ?4) AND author = ?6 COLLATE NOCASE ORDER BY updated_at_ms "
    "DESC, number DESC LIMIT ?5",
    "SELECT upstream, number, head_sha, open, draft, author, updated_at_ms, title FROM "
    "pull_request WHERE upstream = $1 AND open = $2 AND (updated_at_ms, number) < ($3, $4) AND "
    "author::citext = $6 ORDER BY updated_at_ms DESC, number DESC LIMIT $5"
};
// The newest first. That a pull request was closed is a message, and nothing runs for it.
constexpr Query kSentFor{
    "view_sent_for_head",
    "SELECT d.downstream, d.level, d.state, d.silent_at_ms FROM dispatch AS d INDEXED BY "
    "dispatch_of_head CROSS JOIN delivery AS v ON v.sequence = d.delivery WHERE d.upstream = ?1 "
    "AND d.head_sha = ?2 AND d.pr_number = ?3 AND d.event_type = 'pull_request' AND "
    "v.action <> 'closed' ORDER BY d.id DESC"
};
constexpr Query kStandings{
    "view_cells_of_head",
    "SELECT downstream, success, flaky, failure, timed_out, neutral, cancelled, skipped, "
    "action_required, running FROM grid_row WHERE upstream = ?1 AND head_sha = ?2 AND "
    "event_type = 'pull_request' ORDER BY downstream"
};

constexpr auto kForever = std::numeric_limits<std::int64_t>::max();

/// Newest first; at the same moment by upstream, then the higher number.
bool stands_before(const ports::PullRow& a, const ports::PullRow& b) {
    if (a.updated_at != b.updated_at) {
        return a.updated_at > b.updated_at;
    }
    return a.upstream != b.upstream ? a.upstream < b.upstream : a.number > b.number;
}

/// Where in one upstream's list a page that ended at `place` goes on.
std::pair<std::int64_t, std::int64_t>
bound_of(const ports::PullQuery& query, const RepoName& upstream) {
    if (!query.before) {
        return {kForever, kForever};
    }
    const auto& place = *query.before;
    const auto at = to_ms(place.updated_at);
    if (upstream == place.upstream) {
        return {at, static_cast<std::int64_t>(place.number)};
    }
    return {at, upstream < place.upstream ? 0 : kForever}; // of that moment none, or all, are left
}

void add_pulls(
    Connection& db,
    const ports::PullQuery& query,
    const RepoName& upstream,
    bool open,
    std::vector<ports::PullRow>& found
) {
    const auto [at, number] = bound_of(query, upstream);
    auto rows =
        query.author.empty()
            ? db.rows(kPulls, upstream.text(), open, at, number, query.limit)
            : db.rows(kPullsOfAuthor, upstream.text(), open, at, number, query.limit, query.author);
    while (rows.next()) {
        found.push_back({
            .upstream = repo_name(rows.view(0)),
            .number = PrNumber{rows.integer(1)},
            .head = HeadSha(rows.text(2)),
            .open = rows.integer(3) != 0,
            .draft = rows.integer(4) != 0,
            .author = rows.text(5),
            .title = rows.text(7),
            .updated_at = rows.time(6),
            .backends = {},
        });
    }
}

std::vector<RepoName> upstreams_of(Connection& db, const ports::PullQuery& query) {
    if (query.upstream) {
        return {*query.upstream};
    }
    std::vector<RepoName> all;
    std::string last;
    while (true) {
        auto rows = db.rows(kNextUpstream, last);
        if (!rows.next()) {
            return all;
        }
        last = rows.text(0);
        all.push_back(repo_name(last));
    }
}

std::vector<ports::PullRow::Backend> backends_of(Connection& db, const ports::PullRow& pull) {
    std::map<RepoName, ports::PullRow::Backend> found;
    {
        auto rows = db.rows(kSentFor, pull.upstream.text(), pull.head.text(), pull.number);
        while (rows.next()) {
            const auto downstream = repo_name(rows.view(0));
            const auto [backend, is_newest] = found.try_emplace(downstream);
            if (is_newest) {
                backend->second = {
                    .downstream = downstream,
                    .level = static_cast<domain::Level>(rows.integer(1)), // 1 to 4 by the schema
                    .state = domain::dispatch_state_named(rows.view(2)),
                    .cells = {},
                    .silent = !rows.is_null(3),
                };
            }
        }
    }
    auto rows = db.rows(kStandings, pull.upstream.text(), pull.head.text());
    while (rows.next()) {
        if (const auto backend = found.find(repo_name(rows.view(0))); backend != found.end()) {
            backend->second.cells = cells_in(rows, 1);
        }
    }
    std::vector<ports::PullRow::Backend> backends;
    for (auto& [name, backend] : found) {
        backends.push_back(std::move(backend));
    }
    return backends;
}

} // namespace

std::vector<ports::PullRow> pulls(Connection& db, const ports::PullQuery& query) {
    std::vector<ports::PullRow> found;
    for (const auto& upstream : upstreams_of(db, query)) {
        for (const bool open : {true, false}) {
            const auto only = open ? ports::PullState::open : ports::PullState::closed;
            if (query.state == only || query.state == ports::PullState::all) {
                add_pulls(db, query, upstream, open, found);
            }
        }
    }
    std::ranges::sort(found, stands_before);
    found.resize(std::min(found.size(), query.limit));
    for (auto& pull : found) {
        pull.backends = backends_of(db, pull);
        std::erase_if(pull.backends, [&query](const ports::PullRow::Backend& backend) {
            return backend.level < query.level;
        });
    }
    return found;
}

} // namespace baton::store::sql::views
