#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/levels.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/levels.hpp"
#include "baton/store/sql/notices.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::sql::levels {

namespace {

constexpr Query kKeptDay{
    "kept_ladder_day",
    "SELECT revision, digest, counts FROM ladder_day WHERE upstream = ?1 AND downstream = ?2 AND "
    "day_ms = ?3"
};
constexpr Query kPutDay{
    "put_ladder_day",
    "INSERT INTO ladder_day (upstream, downstream, day_ms, revision, counts, digest) VALUES "
    "(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (upstream, downstream, day_ms) DO UPDATE SET "
    "upstream = excluded.upstream, downstream = excluded.downstream, revision = "
    "excluded.revision, counts = excluded.counts, digest = excluded.digest"
};
constexpr Query kKeptEvaluation{
    "kept_ladder_evaluation",
    "SELECT revision, digest, profile, verdict_bytes, zstd FROM ladder_evaluation WHERE "
    "upstream = ?1 AND downstream = ?2 AND as_of_ms = ?3 ORDER BY revision DESC LIMIT 1"
};
constexpr Query kPutEvaluation{
    "put_ladder_evaluation",
    "INSERT INTO ladder_evaluation (upstream, downstream, as_of_ms, revision, profile, digest, "
    "at_ms, verdict_bytes, zstd) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
};
constexpr Query kListedSince{
    "ladder_listed_since",
    "SELECT level2_since_ms, level3_since_ms FROM ladder_standing WHERE upstream = ?1 AND "
    "downstream = ?2"
};
// Once for each downstream: what it was sent before anybody kept where it stands.
constexpr Query kFirstAt{
    "ladder_first_at",
    "SELECT min(created_at_ms) FROM dispatch INDEXED BY dispatch_of_pair WHERE upstream = ?1 AND "
    "downstream = ?2 AND level >= ?3"
};
constexpr Query kPutStanding{
    "put_ladder_standing",
    "INSERT INTO ladder_standing (upstream, downstream, listed, effective, state, since_ms, "
    "as_of_ms, detail, level2_since_ms, level3_since_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
    "?8, ?9, ?10) ON CONFLICT (upstream, downstream) DO UPDATE SET upstream = "
    "excluded.upstream, downstream = excluded.downstream, listed = excluded.listed, effective "
    "= excluded.effective, state = excluded.state, since_ms = excluded.since_ms, as_of_ms = "
    "excluded.as_of_ms, detail = excluded.detail, level2_since_ms = excluded.level2_since_ms, "
    "level3_since_ms = excluded.level3_since_ms"
};
constexpr Query kPutTransition{
    "put_ladder_transition",
    "INSERT INTO ladder_transition (upstream, downstream, at_ms, as_of_ms, move, from_state, "
    "to_state, from_level, to_level, rules, reason, figures, profile, digest, actor) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"
};
constexpr Query kPutRuling{
    "put_ladder_ruling",
    "INSERT INTO ladder_ruling (dispatch, workflow, job, excluded, actor, reason, at_ms) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (dispatch, workflow, job) DO UPDATE SET "
    "excluded = excluded.excluded, actor = excluded.actor, reason = excluded.reason, at_ms = "
    "excluded.at_ms"
};

void tell(Connection& db, TimePoint at, std::string_view kind, const std::string& detail) {
    write_line(
        db, {.at = at, .kind = kind, .delivery = {}, .dispatch = std::nullopt, .detail = detail}
    );
}

void put_day(
    Connection& db,
    const ports::LadderCommit& commit,
    const RepoName& downstream,
    const domain::LadderDay& day
) {
    const auto& upstream = commit.upstream.text();
    const auto counts = text_of(day);
    std::int64_t revision = 1;
    {
        auto rows = db.rows(kKeptDay, upstream, downstream.text(), day.day);
        if (rows.next()) {
            // What is proven later, or asked for otherwise, changes counts and no row.
            if (rows.view(1) == day.digest && rows.view(2) == counts) {
                return;
            }
            revision = rows.integer(0) + 1;
        }
    }
    db.run(kPutDay, upstream, downstream.text(), day.day, revision, counts, day.digest);
    if (revision > 1) {
        const auto detail = fmt::format(
            "{} {} of {} is revision {}: {}",
            upstream,
            downstream.text(),
            to_rfc3339(day.day),
            revision,
            day.digest
        );
        tell(db, commit.now, kLadderDayRevised, detail);
    }
}

void put_evaluation(
    Connection& db, const ports::LadderCommit& commit, const ports::KeptEvaluation& evaluation
) {
    const auto& upstream = commit.upstream.text();
    const auto& downstream = evaluation.downstream.text();
    std::int64_t revision = 1;
    {
        auto rows = db.rows(kKeptEvaluation, upstream, downstream, evaluation.as_of);
        if (rows.next()) {
            const auto kept = decompress(rows.bytes(4), static_cast<std::size_t>(rows.integer(3)));
            if (kept && *kept == evaluation.verdict && rows.view(1) == evaluation.digest &&
                rows.view(2) == evaluation.profile) {
                return;
            }
            revision = rows.integer(0) + 1;
        }
    }
    const auto packed = compress(evaluation.verdict);
    db.run(
        kPutEvaluation,
        upstream,
        downstream,
        evaluation.as_of,
        revision,
        evaluation.profile,
        evaluation.digest,
        commit.now,
        evaluation.verdict.size(),
        Blob{packed}
    );
}

/// Since when it is listed at those levels, or higher.
struct ListedSince {
    std::optional<TimePoint> level2;
    std::optional<TimePoint> level3;
};

std::optional<ListedSince>
listed_since(Connection& db, const std::string& upstream, const std::string& downstream) {
    auto rows = db.rows(kListedSince, upstream, downstream);
    if (!rows.next()) {
        return std::nullopt;
    }
    return ListedSince{.level2 = rows.maybe_time(0), .level3 = rows.maybe_time(1)};
}

/// When it was first dispatched to at this level or higher.
std::optional<TimePoint> first_at(
    Connection& db, const std::string& upstream, const std::string& downstream, domain::Level level
) {
    auto rows = db.rows(kFirstAt, upstream, downstream, level);
    return rows.next() ? rows.maybe_time(0) : std::nullopt;
}

void put_standing(
    Connection& db, const ports::LadderCommit& commit, const ports::LadderOutcome& outcome
) {
    const auto& standing = outcome.standing;
    const auto& upstream = commit.upstream.text();
    const auto& downstream = outcome.downstream.text();
    auto known = listed_since(db, upstream, downstream);
    if (!known) {
        known = ListedSince{
            .level2 = first_at(db, upstream, downstream, domain::Level::l2),
            .level3 = first_at(db, upstream, downstream, domain::Level::l3),
        };
    }
    const auto since = [&](domain::Level level, std::optional<TimePoint> since_then) {
        return standing.listed < level ? std::nullopt
                                       : std::optional(since_then.value_or(commit.as_of));
    };
    db.run(
        kPutStanding,
        upstream,
        downstream,
        standing.listed,
        standing.effective,
        domain::name_of(standing.state),
        standing.since,
        standing.as_of.value_or(commit.as_of),
        text_of(standing),
        since(domain::Level::l2, known->level2),
        since(domain::Level::l3, known->level3)
    );
}

void put_transition(Connection& db, const ports::KeptTransition& kept) {
    const auto& transition = kept.transition;
    db.run(
        kPutTransition,
        kept.upstream.text(),
        kept.downstream.text(),
        kept.at,
        kept.as_of,
        domain::name_of(transition.move),
        domain::name_of(transition.from_state),
        domain::name_of(transition.to_state),
        transition.from,
        transition.to,
        text_of(transition.rules),
        transition.reason,
        kept.figures,
        kept.profile,
        kept.digest,
        kept.actor
    );
}

} // namespace

void commit(Connection& db, const ports::LadderCommit& commit) {
    for (const auto& counted : commit.days) {
        for (const auto& day : counted.days) {
            put_day(db, commit, counted.downstream, day);
        }
        put_reds(db, commit.upstream, counted, commit.counted_from);
    }
    for (const auto& outcome : commit.outcomes) {
        if (outcome.evaluation) {
            put_evaluation(db, commit, *outcome.evaluation);
        }
        put_standing(db, commit, outcome);
        for (const auto& transition : outcome.transitions) {
            put_transition(db, transition);
        }
    }
    for (const auto& notification : commit.notifications) {
        notify(db, notification);
    }
}

Result<void> rule(Connection& db, const domain::LadderRuling& ruling) {
    const auto row = dispatch_with(db, ruling.dispatch);
    if (!row) {
        return fail(
            Errc::not_found,
            fmt::format(
                "there is no dispatch {} in the store", static_cast<std::int64_t>(ruling.dispatch)
            )
        );
    }
    db.run(
        kPutRuling,
        ruling.dispatch,
        ruling.workflow,
        ruling.job,
        ruling.excluded,
        ruling.by,
        ruling.reason,
        ruling.at
    );
    const auto detail = fmt::format(
        "{} {}/{}: {} by {}: {}",
        row->dispatch.key.downstream.text(),
        ruling.workflow,
        ruling.job,
        ruling.excluded ? "not its fault" : "its fault",
        ruling.by,
        ruling.reason
    );
    write_line(
        db,
        {.at = ruling.at,
         .kind = kLadderRuled,
         .delivery = row->dispatch.key.delivery.text(),
         .dispatch = ruling.dispatch,
         .detail = detail}
    );
    return {};
}

} // namespace baton::store::sql::levels
