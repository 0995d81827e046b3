#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/ports/failures.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/views.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace baton::store::sql::verbs {

namespace {

namespace json = boost::json;

constexpr std::size_t kCellsMax = 50;  // of one round
constexpr std::size_t kCommitsMax = 5; // they are of; what is left waits for the next round
// Evidence comes late: other downstreams end, nightlies run, other pull requests fail the same way.
constexpr std::array kAgainAfter{
    std::chrono::hours{1}, std::chrono::hours{6}, std::chrono::hours{24}
};

constexpr Query kDue{
    "attribution_due",
    "SELECT a.cell, a.looks, g.upstream, g.head_sha, g.event_type FROM attribution AS a "
    "INDEXED BY attribution_due CROSS JOIN cell AS c ON c.id = a.cell CROSS JOIN grid_row AS g "
    "ON g.id = c.grid_row WHERE a.due_at_ms <= ?1 ORDER BY a.due_at_ms, a.cell LIMIT ?2"
};
constexpr Query kEverybody{
    "downstreams_of_upstream",
    "SELECT downstream FROM downstream_now WHERE upstream = ?1 ORDER BY downstream"
};
constexpr Query kAttribute{
    "attribute",
    "UPDATE attribution SET verdict = ?2, confidence = ?3, evidence = ?4, looks = looks + 1, "
    "looked_ms = ?5, due_at_ms = ?6 WHERE cell = ?1"
};

using Commit = std::tuple<RepoName, std::string, std::string>; // upstream, head, event
using Looks = std::map<std::int64_t, std::size_t>;             // cell: how often looked at

std::map<Commit, Looks> due_commits(Connection& db, TimePoint now) {
    std::map<Commit, Looks> due;
    auto rows = db.rows(kDue, now, kCellsMax);
    while (rows.next()) {
        const Commit commit{repo_name(rows.view(2)), rows.text(3), rows.text(4)};
        if (due.contains(commit) || due.size() < kCommitsMax) {
            due[commit][rows.integer(0)] = static_cast<std::size_t>(rows.integer(1));
        }
    }
    return due;
}

ports::CommitQuery query_of(Connection& db, const Commit& commit) {
    const auto& [upstream, head, event_type] = commit;
    ports::CommitQuery query{
        .upstream = upstream, .head = HeadSha(head), .event_type = event_type, .among = {}
    };
    auto rows = db.rows(kEverybody, upstream.text());
    while (rows.next()) {
        query.among.push_back({.upstream = upstream, .downstream = repo_name(rows.view(0))});
    }
    return query;
}

std::string text_of(const domain::Attribution& made) {
    json::array lines;
    for (const auto& one : made.evidence) {
        lines.push_back(json::object{
            {"rule", domain::name_of(one.rule)},
            {"verdict", domain::name_of(one.verdict)},
            {"weight", one.weight},
            {"text", one.text},
        });
    }
    return json::serialize(lines);
}

void attribute_cells(Connection& db, const Commit& commit, Looks looks, TimePoint now) {
    const auto put = [&](std::int64_t cell, const domain::Attribution& made) {
        const auto done = looks.at(cell);
        const auto again =
            done < kAgainAfter.size() ? std::optional(now + kAgainAfter.at(done)) : std::nullopt;
        db.run(
            kAttribute,
            cell,
            domain::name_of(made.verdict),
            domain::name_of(made.confidence),
            text_of(made),
            now,
            again
        );
        looks.erase(cell);
    };
    for (const auto& cell : views::commit_cells(db, query_of(db, commit))) {
        if (cell.facts && looks.contains(cell.cell)) {
            put(cell.cell, domain::attribute(*cell.facts));
        }
    }
    while (!looks.empty()) { // of a downstream that nobody knows: it must not come up for ever
        put(looks.begin()->first, {});
    }
}

} // namespace

void attribute_due(Connection& db, TimePoint now) {
    for (const auto& [commit, looks] : due_commits(db, now)) {
        attribute_cells(db, commit, looks, now);
    }
}

} // namespace baton::store::sql::verbs
