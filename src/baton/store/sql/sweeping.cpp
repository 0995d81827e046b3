#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/reporting.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

using Waits = ports::SweepQuery::Waits;

// Both walk a partial index from its oldest entry on: what is overdue stands first.
constexpr Query kAwaiting{
    "awaiting_start",
    "SELECT id, upstream, downstream, sent_at_ms FROM dispatch INDEXED BY dispatch_awaiting "
    "WHERE state = 'sent' AND awaits_start = 1 AND sent_at_ms <= ?1 ORDER BY sent_at_ms, id"
};
constexpr Query kRunning{
    "running_jobs",
    "SELECT id, upstream, downstream, started_at_ms FROM job INDEXED BY job_running "
    "WHERE status = 'in_progress' AND started_at_ms <= ?1 ORDER BY started_at_ms, id"
};
constexpr Query kFallSilent{
    "fall_silent",
    "UPDATE dispatch SET state = 'finished', reason = ?2, silent_at_ms = ?3 WHERE id = ?1"
};

/// The shortest wait of all: nothing younger can be overdue.
Millis shortest(const ports::SweepQuery& query, Millis Waits::* wait) {
    auto least = query.waits.*wait;
    for (const auto& [pair, waits] : query.own) {
        least = std::min(least, waits.*wait);
    }
    return least;
}

/// Ids of what has waited too long, the oldest first.
std::vector<std::int64_t> overdue(
    Connection& db, const Query& candidates, const ports::SweepQuery& query, Millis Waits::* wait
) {
    std::vector<std::int64_t> ids;
    auto rows = db.rows(candidates, TimePoint(query.now - shortest(query, wait)));
    while (ids.size() < query.limit && rows.next()) {
        const auto& waits =
            ports::waits_of(query, repo_name(rows.view(1)), repo_name(rows.view(2)));
        if (rows.time(3) + waits.*wait <= query.now) {
            ids.push_back(rows.integer(0));
        }
    }
    return ids;
}

ports::Silence fall_silent(Connection& db, const DispatchRow& row, const ports::SweepQuery& query) {
    const auto& dispatch = row.dispatch;
    const auto head = dispatch.pr ? known_head(db, dispatch.upstream, *dispatch.pr) : std::nullopt;
    const bool superseded = has_moved_on(dispatch, head) || (head && !head->open);
    const auto wait = ports::waits_of(query, dispatch.upstream, dispatch.key.downstream).start;
    const auto reason = superseded ? std::string(kSupersededUnstarted) : silent_reason(wait);
    const auto silent_at = superseded ? std::nullopt : std::optional(query.now);
    db.run(kFallSilent, dispatch.id, reason, silent_at);
    write_line(
        db,
        {.at = query.now,
         .kind = superseded ? name_of(domain::DispatchState::finished) : kSilent,
         .delivery = dispatch.key.delivery.text(),
         .dispatch = dispatch.id,
         .detail = reason}
    );
    look_at(db, dispatch, query.now);
    return {
        .dispatch = dispatch.id, .downstream = dispatch.key.downstream, .superseded = superseded
    };
}

domain::Job end_unheard(Connection& db, domain::Job running, const ports::SweepQuery& query) {
    auto conclusion = domain::Conclusion::timed_out;
    const auto id = running.subject.dispatch;
    const auto row = id ? dispatch_with(db, *id) : std::nullopt;
    if (row) {
        const auto& dispatch = row->dispatch;
        const auto head =
            dispatch.pr ? known_head(db, dispatch.upstream, *dispatch.pr) : std::nullopt;
        conclusion = unheard_end(dispatch, head);
    }
    auto job = concluded(std::move(running), conclusion, query.now);
    put_job(db, job);
    for (const auto& sink : query.sinks) {
        put_letter(db, {.sink = sink, .zstd = compress(""), .body_bytes = 0}, job, query.now);
    }
    if (row) {
        if (!row->leased()) {
            turn_by_jobs(db, *row, query.now);
        }
        look_at(db, row->dispatch, query.now, job.level);
    }
    write_line(
        db,
        {.at = query.now,
         .kind = conclusion == domain::Conclusion::timed_out ? kTimedOut : kStopped,
         .delivery = row ? row->dispatch.key.delivery.text() : std::string(),
         .dispatch = id,
         .detail = words_for(job)}
    );
    return job;
}

} // namespace

ports::Swept sweep(Connection& db, const ports::SweepQuery& query) {
    ports::Swept swept;
    for (const auto id : overdue(db, kAwaiting, query, &Waits::start)) {
        if (const auto row = dispatch_with(db, DispatchId{id})) {
            swept.silent.push_back(fall_silent(db, *row, query));
        }
    }
    for (const auto id : overdue(db, kRunning, query, &Waits::run)) {
        if (auto job = job_with(db, JobId{id})) {
            swept.unheard.push_back(end_unheard(db, *std::move(job), query));
        }
    }
    return swept;
}

} // namespace baton::store::sql::verbs
