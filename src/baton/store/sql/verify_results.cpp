#include "baton/base/limits.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/notification.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/verify_checks.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace baton::store::sql {

namespace {

constexpr Query kRollupCount{"rollup_count", "SELECT count(*) FROM job_tally"};
constexpr Query kRollups{
    "rollups",
    "WITH span (ms) AS (VALUES (3600000), (86400000)), real (downstream, span_ms, from_ms, "
    "upstream, conclusion, ended, execution_ms, executed, queue_ms, queued) AS (SELECT "
    "downstream, ms, completed_at_ms - completed_at_ms % ms, upstream, conclusion, count(*), "
    "coalesce(sum(CASE WHEN completed_at_ms > started_at_ms THEN completed_at_ms - "
    "started_at_ms END), 0), count(started_at_ms), coalesce(sum(queue_ms), 0), count(queue_ms) "
    "FROM job, span WHERE status = 'completed' AND counts = 1 GROUP BY 1, 2, 3, 4, 5 UNION ALL "
    "SELECT downstream, ms, silent_at_ms - silent_at_ms % ms, upstream, 'silent', count(*), 0, "
    "0, 0, 0 FROM dispatch, span WHERE silent_at_ms IS NOT NULL GROUP BY 1, 2, 3, 4, 5) SELECT "
    "downstream, conclusion, from_ms, coalesce(t.ended, 0), coalesce(r.ended, 0) FROM "
    "job_tally AS t FULL JOIN real AS r USING (downstream, span_ms, from_ms, upstream, "
    "conclusion) WHERE (coalesce(t.ended, 0) <> coalesce(r.ended, 0) OR "
    "coalesce(t.execution_ms, 0) <> coalesce(r.execution_ms, 0) OR coalesce(t.executed, 0) <> "
    "coalesce(r.executed, 0) OR coalesce(t.queue_ms, 0) <> coalesce(r.queue_ms, 0) OR "
    "coalesce(t.queued, 0) <> coalesce(r.queued, 0)) AND NOT (from_ms < ?1 AND coalesce(t.ended, "
    "0) >= coalesce(r.ended, 0) AND coalesce(t.execution_ms, 0) >= coalesce(r.execution_ms, 0) AND "
    "coalesce(t.executed, 0) >= coalesce(r.executed, 0) AND coalesce(t.queue_ms, 0) >= "
    "coalesce(r.queue_ms, 0) AND coalesce(t.queued, 0) >= coalesce(r.queued, 0)) LIMIT 100"
};
constexpr Query kClaimCount{"claim_count", "SELECT count(*) FROM claim"};
constexpr Query kUnclaimed{
    "jobs_without_claim",
    "SELECT j.id, j.run_id FROM job AS j LEFT JOIN claim AS c ON c.dispatch = j.dispatch AND "
    "c.workflow = j.workflow WHERE j.dispatch IS NOT NULL AND j.counts = 1 AND c.run_id IS "
    "DISTINCT FROM j.run_id LIMIT 100"
};
constexpr Query kLatestCount{"latest_count", "SELECT count(*) FROM job_latest"};
constexpr Query kWrongLatest{
    "wrong_latest_jobs",
    "SELECT l.job FROM job_latest AS l LEFT JOIN job AS j ON j.id = l.job WHERE j.upstream IS "
    "DISTINCT FROM l.upstream OR j.pr_number IS DISTINCT FROM l.pr_number OR j.downstream IS "
    "DISTINCT FROM l.downstream OR j.workflow IS DISTINCT FROM l.workflow OR j.job_name IS "
    "DISTINCT FROM l.job_name OR j.counts IS DISTINCT FROM 1 LIMIT 100"
};
// Of a pull request from before results were pruned, the one that was shown may be gone.
constexpr Query kUnshown{
    "jobs_without_latest",
    "SELECT j.id FROM job AS j LEFT JOIN job_latest AS l ON l.upstream = j.upstream AND "
    "l.pr_number = j.pr_number AND l.downstream = j.downstream AND l.workflow = j.workflow AND "
    "l.job_name = j.job_name WHERE j.counts = 1 AND j.pr_number IS NOT NULL AND l.job IS NULL "
    "AND NOT EXISTS (SELECT 1 FROM pull_head AS h WHERE h.upstream = j.upstream AND h.pr_number = "
    "j.pr_number AND h.first_at_ms < ?1) LIMIT 100"
};
constexpr Query kDetails{
    "details", "SELECT job, json_bytes, zstd FROM job_detail WHERE job > ?1 ORDER BY job LIMIT ?2"
};
constexpr Query kLetters{
    "letters", "SELECT id, body_bytes, zstd FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2"
};
constexpr Query kNotificationCount{"notification_count", "SELECT count(*) FROM notification"};
constexpr Query kNotifications{
    "notifications", "SELECT id, kind, level FROM notification ORDER BY id"
};
// A gate that was suspended before there were notifications returns without a first one.
constexpr Query kOutOfTurn{
    "notifications_out_of_turn",
    "SELECT id FROM (SELECT id, kind, lag(kind) OVER (PARTITION BY upstream, downstream ORDER "
    "BY id) AS before FROM notification WHERE kind IN ('suspended', 'returned')) AS turns "
    "WHERE kind = before LIMIT 100"
};
constexpr Query kStuckLanes{
    "stuck_lanes",
    "SELECT sink, lane FROM outbox WHERE state = 'waiting' GROUP BY sink, lane "
    "HAVING count(due_at_ms) <> 1 LIMIT 100"
};

} // namespace

Checked check_rollups(Connection& db) {
    Checked checked{.what = "roll-ups", .count = number_of(db, kRollupCount), .findings = {}};
    auto rows = db.rows(kRollups, pruned_until(db));
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "{} of {} from {} on is kept as {}, counted {}",
                rows.view(1),
                rows.view(0),
                rows.integer(2),
                rows.integer(3),
                rows.integer(4)
            )
        );
    }
    return checked;
}

Checked check_claims(Connection& db) {
    Checked checked{.what = "claims", .count = number_of(db, kClaimCount), .findings = {}};
    auto rows = db.rows(kUnclaimed);
    while (rows.next()) {
        note(
            checked,
            fmt::format("job {} counts, and its run {} has no claim", rows.integer(0), rows.view(1))
        );
    }
    return checked;
}

Checked check_latest_jobs(Connection& db) {
    Checked checked{.what = "latest jobs", .count = number_of(db, kLatestCount), .findings = {}};
    {
        auto rows = db.rows(kWrongLatest);
        while (rows.next()) {
            note(checked, fmt::format("job {} stands in another's place", rows.integer(0)));
        }
    }
    auto rows = db.rows(kUnshown, pruned_until(db));
    while (rows.next()) {
        note(checked, fmt::format("job {} is not shown, nor another of its name", rows.integer(0)));
    }
    return checked;
}

Checked check_details(Connection& db) {
    Checked checked{.what = "report details", .count = 0, .findings = {}};
    each_large_row(db, kDetails, [&checked](const Rows& row) {
        const auto stated = static_cast<std::size_t>(row.integer(1));
        const bool reads = stated <= limits::kWebhookBodyBytesMax && [&] {
            const auto text = decompress(row.bytes(2), stated);
            return text && detail_from(*text);
        }();
        if (!reads) {
            note(checked, fmt::format("the detail of job {} does not read", row.integer(0)));
        }
        ++checked.count;
    });
    return checked;
}

Checked check_notifications(Connection& db) {
    Checked checked{
        .what = "notifications", .count = number_of(db, kNotificationCount), .findings = {}
    };
    {
        auto rows = db.rows(kNotifications);
        while (rows.next()) {
            const bool reads =
                domain::notification_kind_named(rows.view(1)) && domain::level_named(rows.view(2));
            if (!reads) {
                note(checked, fmt::format("notification {} does not read", rows.integer(0)));
            }
        }
    }
    auto rows = db.rows(kOutOfTurn);
    while (rows.next()) {
        note(
            checked,
            fmt::format("notification {} says what the one before it said", rows.integer(0))
        );
    }
    return checked;
}

Checked check_letters(Connection& db) {
    Checked checked{.what = "letters", .count = 0, .findings = {}};
    each_large_row(db, kLetters, [&checked](const Rows& row) {
        const auto stated = static_cast<std::size_t>(row.integer(1));
        if (stated > limits::kWebhookBodyBytesMax || !decompress(row.bytes(2), stated)) {
            note(
                checked,
                fmt::format("letter {} does not unfold to {} bytes", row.integer(0), stated)
            );
        }
        ++checked.count;
    });
    auto rows = db.rows(kStuckLanes);
    while (rows.next()) {
        note(
            checked,
            fmt::format("of lane {} to {} not exactly one is due", rows.view(1), rows.view(0))
        );
    }
    return checked;
}

} // namespace baton::store::sql
