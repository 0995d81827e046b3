#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/levels.hpp"
#include "baton/store/sql/rows.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql::levels {

namespace {

constexpr Query kStandings{
    "ladder_standings",
    "SELECT downstream, listed, effective, state, since_ms, as_of_ms, detail, level2_since_ms, "
    "level3_since_ms FROM ladder_standing WHERE upstream = ?1 ORDER BY downstream"
};
constexpr Query kWithDays{
    "ladder_next_with_days",
    "SELECT downstream FROM ladder_day WHERE upstream = ?1 AND downstream > ?2 ORDER BY "
    "downstream LIMIT 1"
};
constexpr Query kDays{
    "ladder_days",
    "SELECT day_ms, counts, digest FROM ladder_day WHERE upstream = ?1 AND downstream = ?2 AND "
    "day_ms >= ?3 AND day_ms < ?4 ORDER BY day_ms"
};
constexpr Query kEvaluations{
    "ladder_evaluations",
    "SELECT as_of_ms, revision, profile, digest, verdict_bytes, zstd FROM ladder_evaluation "
    "WHERE upstream = ?1 AND downstream = ?2 ORDER BY as_of_ms DESC, revision DESC"
};

#define BATON_TRANSITION                                                                           \
    "SELECT id, upstream, downstream, at_ms, as_of_ms, move, from_state, to_state, from_level, "   \
    "to_level, rules, reason, profile, figures, digest, actor, coalesce((SELECT url FROM "         \
    "ladder_pull WHERE ladder_pull.move = ladder_transition.id), '') FROM ladder_transition "

constexpr Query kAll{
    "ladder_transitions", BATON_TRANSITION "WHERE id < ?1 ORDER BY id DESC LIMIT ?2"
};
constexpr Query kOfUpstream{
    "ladder_transitions_of_upstream",
    BATON_TRANSITION "INDEXED BY ladder_transition_of_upstream WHERE id < ?1 AND upstream = ?3 "
                     "ORDER BY id DESC LIMIT ?2"
};
constexpr Query kOfDownstream{
    "ladder_transitions_of_downstream",
    BATON_TRANSITION "INDEXED BY ladder_transition_of_downstream WHERE id < ?1 AND "
                     "downstream = ?3 ORDER BY id DESC LIMIT ?2"
};
constexpr Query kOfPairing{
    "ladder_transitions_of_pairing",
    BATON_TRANSITION "INDEXED BY ladder_transition_of_pairing WHERE id < ?1 AND upstream = ?3 AND "
                     "downstream = ?4 ORDER BY id DESC LIMIT ?2"
};

#undef BATON_TRANSITION

domain::Level level_in(const Rows& row, int column) {
    return static_cast<domain::Level>(row.integer(column));
}

domain::LadderState state_in(const Rows& row, int column) {
    return domain::ladder_state_named(row.view(column)).value_or(domain::LadderState::ok);
}

void add_standings(
    Connection& db, const RepoName& upstream, std::map<RepoName, ports::KeptLadder>& found
) {
    auto rows = db.rows(kStandings, upstream.text());
    while (rows.next()) {
        auto& ladder = found[repo_name(rows.view(0))];
        domain::LadderStanding standing{
            .listed = level_in(rows, 1),
            .effective = level_in(rows, 2),
            .state = state_in(rows, 3),
            .since = rows.time(4),
            .as_of = rows.time(5),
        };
        detail_into(standing, rows.view(6));
        ladder.standing = std::move(standing);
        ladder.history.first_at_level2 = rows.maybe_time(7);
        ladder.history.first_at_level3 = rows.maybe_time(8);
    }
}

/// One step in the index for each.
void add_everybody_with_days(
    Connection& db, const RepoName& upstream, std::map<RepoName, ports::KeptLadder>& found
) {
    std::string last;
    for (;;) {
        auto rows = db.rows(kWithDays, upstream.text(), last);
        if (!rows.next()) {
            return;
        }
        last = rows.text(0);
        found.try_emplace(repo_name(last));
    }
}

ports::KeptTransition transition_in(const Rows& row) {
    return {
        .id = row.integer(0),
        .upstream = repo_name(row.view(1)),
        .downstream = repo_name(row.view(2)),
        .at = row.time(3),
        .as_of = row.time(4),
        .transition =
            {.move = domain::ladder_move_named(row.view(5)).value_or(domain::LadderMove::frozen),
             .from_state = state_in(row, 6),
             .to_state = state_in(row, 7),
             .from = level_in(row, 8),
             .to = level_in(row, 9),
             .rules = rules_from(row.view(10)),
             .reason = row.text(11)},
        .profile = row.text(12),
        .figures = row.text(13),
        .digest = row.text(14),
        .actor = row.text(15),
        .pull = row.text(16),
    };
}

Rows rows_for(Connection& db, const ports::TransitionQuery& query) {
    const auto before = query.before.value_or(std::numeric_limits<std::int64_t>::max());
    if (query.upstream && query.downstream) {
        return db.rows(
            kOfPairing, before, query.limit, query.upstream->text(), query.downstream->text()
        );
    }
    if (query.upstream) {
        return db.rows(kOfUpstream, before, query.limit, query.upstream->text());
    }
    return query.downstream ? db.rows(kOfDownstream, before, query.limit, query.downstream->text())
                            : db.rows(kAll, before, query.limit);
}

} // namespace

std::vector<ports::KeptLadder>
ladders(Connection& db, const RepoName& upstream, const ports::ViewWindow& window) {
    std::map<RepoName, ports::KeptLadder> found;
    add_standings(db, upstream, found);
    add_everybody_with_days(db, upstream, found);
    std::vector<ports::KeptLadder> all;
    for (auto& [downstream, ladder] : found) {
        ladder.upstream = upstream;
        ladder.downstream = downstream;
        auto rows = db.rows(kDays, upstream.text(), downstream.text(), window.from, window.until);
        while (rows.next()) {
            auto day = day_from(rows.view(1));
            day.day = rows.time(0);
            day.digest = rows.text(2);
            ladder.history.days.push_back(std::move(day));
        }
        if (ladder.standing || !ladder.history.days.empty()) {
            all.push_back(std::move(ladder));
        }
    }
    return all;
}

/// Read one by one: a day rarely has a second revision.
Result<std::vector<ports::KeptEvaluation>> evaluations(
    Connection& db, const RepoName& upstream, const RepoName& downstream, std::size_t limit
) {
    std::vector<ports::KeptEvaluation> found;
    auto rows = db.rows(kEvaluations, upstream.text(), downstream.text());
    while (found.size() < limit && rows.next()) {
        if (!found.empty() && found.back().as_of == rows.time(0)) {
            continue; // an older revision
        }
        BATON_TRY(
            auto verdict, decompress(rows.bytes(5), static_cast<std::size_t>(rows.integer(4)))
        );
        found.push_back({
            .upstream = upstream,
            .downstream = downstream,
            .as_of = rows.time(0),
            .revision = static_cast<int>(rows.integer(1)),
            .profile = rows.text(2),
            .verdict = std::move(verdict),
            .digest = rows.text(3),
        });
    }
    return found;
}

std::vector<ports::KeptTransition>
transitions(Connection& db, const ports::TransitionQuery& query) {
    std::vector<ports::KeptTransition> found;
    auto rows = rows_for(db, query);
    while (rows.next()) {
        found.push_back(transition_in(rows));
    }
    return found;
}

} // namespace baton::store::sql::levels
