#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/domain/share.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/reporting.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

using domain::DispatchState;

constexpr Query kExpiredMarked{
    "expired_marked",
    "SELECT id FROM dispatch INDEXED BY dispatch_leased WHERE state = 'pending' AND lease_until_ms "
    "> 0 "
    "AND lease_until_ms <= ?1 AND mark IS NOT NULL ORDER BY lease_until_ms, id"
};
// What somebody else has locked (a hand at work in the database) holds up nobody: it is passed
// over.
constexpr Query kToLease{
    "to_lease",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE state = 'pending' AND downstream = ?1 AND due_at_ms <= ?2 "
    "AND lease_until_ms <= ?2 ORDER BY due_at_ms, id LIMIT ?3",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE id = ANY (ARRAY(SELECT d.id FROM dispatch AS d WHERE "
    "d.state = 'pending' AND d.downstream = $1 AND d.due_at_ms <= $2 AND d.lease_until_ms <= $2 "
    "ORDER BY d.due_at_ms, d.id LIMIT $3 FOR UPDATE SKIP LOCKED)) ORDER BY due_at_ms, id"
};
constexpr Query kFreeToLease{
    "free_to_lease",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE state = 'pending' AND downstream = ?1 AND due_at_ms <= "
    "?2 "
    "AND lease_until_ms <= ?2 AND NOT EXISTS ("
    "SELECT 1 FROM suspension AS s WHERE s.downstream = ?1 AND s.upstream IN ('', r.upstream) "
    "AND (s.until_ms IS NULL OR s.until_ms > ?2)) ORDER BY due_at_ms, id LIMIT ?3",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE id = ANY (ARRAY(SELECT d.id FROM dispatch AS d WHERE "
    "d.state = 'pending' AND d.downstream = $1 AND d.due_at_ms <= $2 AND d.lease_until_ms <= $2 "
    "AND NOT EXISTS (SELECT 1 FROM suspension AS s WHERE s.downstream = $1 AND s.upstream IN ('', "
    "d.upstream) AND (s.until_ms IS NULL OR s.until_ms > $2)) "
    "ORDER BY d.due_at_ms, d.id LIMIT $3 FOR UPDATE SKIP LOCKED)) ORDER BY due_at_ms, id"
};
constexpr Query kLease{
    "lease_dispatch",
    "UPDATE dispatch SET lease_holder = ?2, lease_until_ms = ?3, fence = fence + 1, attempts = "
    "attempts + 1 WHERE id = ?1"
};
constexpr Query kBeginAttempt{
    "begin_attempt",
    "INSERT INTO attempt (dispatch, number, holder, started_at_ms) VALUES (?1, ?2, ?3, ?4)"
};
constexpr Query kEndAttempt{
    "end_attempt",
    "UPDATE attempt SET ended_at_ms = ?3, outcome = ?4, status = ?5, detail = ?6 WHERE dispatch = "
    "?1 AND number = ?2"
};
constexpr Query kSettle{
    "settle_dispatch",
    "UPDATE dispatch SET state = ?2, reason = ?3, due_at_ms = ?4, trim = ?5, sent_at_ms = "
    "coalesce(?6, sent_at_ms), "
    "lease_holder = '', lease_until_ms = 0, mark = NULL, mark_reason = '' WHERE id = ?1"
};
constexpr Query kLeased{
    "leased_dispatches",
    "SELECT id FROM dispatch INDEXED BY dispatch_leased WHERE state = 'pending' AND lease_until_ms "
    "> 0 "
    "ORDER BY lease_until_ms, id",
    "SELECT id FROM dispatch WHERE state = 'pending' AND lease_until_ms > 0 AND "
    "is_gone(lease_holder) ORDER BY lease_until_ms, id"
};
constexpr Query kVoidLease{
    "void_lease",
    "UPDATE dispatch SET lease_holder = '', lease_until_ms = 0, due_at_ms = ?2 WHERE id = ?1"
};

std::vector<DispatchId> ids_in(Rows rows) {
    std::vector<DispatchId> ids;
    while (rows.next()) {
        ids.push_back(DispatchId{rows.integer(0)});
    }
    return ids;
}

bool is_named(const std::vector<domain::Suspension>& suspensions, const RepoName& downstream) {
    return std::ranges::find(suspensions, downstream, &domain::Suspension::downstream) !=
           suspensions.end();
}

ports::LeasedDispatch take(Connection& db, DispatchRow row, const ports::LeaseQuery& query) {
    auto& dispatch = row.dispatch;
    if (row.leased()) { // its holder is gone, and with it what became of the attempt
        lose_attempt(db, dispatch);
    }
    ++dispatch.attempts;
    db.run(kLease, dispatch.id, query.holder.text(), query.until);
    db.run(kBeginAttempt, dispatch.id, dispatch.attempts, query.holder.text(), query.now);
    const ports::Lease lease{
        .dispatch = dispatch.id, .fence = Fence{row.fence + 1}, .until = query.until
    };
    return {.dispatch = std::move(dispatch), .lease = lease};
}

/// Reads no further than it takes: a backlog may be long, and few of its rows are under way.
std::vector<DispatchRow> rows_to_take(
    Connection& db,
    const Query& to_lease,
    const domain::Share& share,
    const ports::LeaseQuery& query
) {
    std::vector<DispatchRow> found;
    auto rows =
        db.rows(to_lease, share.downstream.text(), query.now, share.count + query.under_way.size());
    while (found.size() < share.count && rows.next()) {
        auto row = dispatch_row(rows);
        if (!ports::is_under_way(query, row.dispatch.id)) {
            found.push_back(std::move(row));
        }
    }
    return found;
}

/// Where the attempt leads, the mark considered: a marked dispatch is not tried again.
domain::Verdict verdict_for(const DispatchRow& row, const domain::Verdict& wanted) {
    if (wanted.state == DispatchState::pending && row.mark) {
        return {
            .state = *row.mark,
            .due_at = row.dispatch.due_at,
            .trim = wanted.trim,
            .reason = row.mark_reason
        };
    }
    auto verdict = wanted;
    if (verdict.state != DispatchState::pending) {
        verdict.due_at = row.dispatch.due_at;
    }
    return verdict;
}

/// One whose holder is gone, and of which reports came: it arrived, and is not sent again.
bool arrived(Connection& db, const DispatchRow& row, TimePoint now) {
    if (!row.leased()) {
        return false;
    }
    const auto turn = turn_by_jobs(db, row, now);
    if (!turn) {
        return false;
    }
    lose_attempt(db, row.dispatch);
    write_line(
        db,
        {.at = now,
         .kind = name_of(turn->state),
         .delivery = row.dispatch.key.delivery.text(),
         .dispatch = row.dispatch.id,
         .detail = turn->reason}
    );
    look_at(db, row.dispatch, now);
    return true;
}

} // namespace

std::vector<ports::LeasedDispatch> lease(Connection& db, const ports::LeaseQuery& query) {
    for (const auto id : ids_in(db.rows(kExpiredMarked, query.now))) {
        if (const auto row = dispatch_with(db, id); row && !ports::is_under_way(query, id)) {
            rest_as_marked(db, *row, query.now);
        }
    }
    std::vector<ports::LeasedDispatch> leased;
    const auto held = suspensions(db, query.now);
    for (const auto& share : query.shares) {
        const auto& to_lease = is_named(held, share.downstream) ? kFreeToLease : kToLease;
        for (auto& row : rows_to_take(db, to_lease, share, query)) {
            if (!arrived(db, row, query.now)) {
                leased.push_back(take(db, std::move(row), query));
            }
        }
    }
    return leased;
}

Result<DispatchState> settle(Connection& db, const ports::Settlement& settlement) {
    const auto& lease = settlement.lease;
    const auto row = dispatch_with(db, lease.dispatch);
    if (!row || !row->leased() || Fence{row->fence} != lease.fence) {
        return fail(
            Errc::conflict,
            fmt::format(
                "the lease {} on dispatch {} is no longer held",
                std::int64_t(lease.fence),
                std::int64_t(lease.dispatch)
            )
        );
    }
    const auto& dispatch = row->dispatch;
    auto verdict = verdict_for(*row, settlement.verdict);
    if (!domain::may_become(dispatch.state, verdict.state)) {
        return fail(
            Errc::invalid,
            fmt::format(
                "dispatch {} is {} and cannot become {}",
                std::int64_t(dispatch.id),
                name_of(dispatch.state),
                name_of(verdict.state)
            )
        );
    }
    const auto& answer = settlement.answer;
    db.run(
        kEndAttempt,
        dispatch.id,
        dispatch.attempts,
        settlement.now,
        name_of(answer.outcome),
        answer.status,
        answer.detail
    );
    const bool arrived = heed(verdict, heard_of(db, dispatch.id));
    verdict.due_at = arrived ? dispatch.due_at : verdict.due_at;
    const auto sent_at = arrived || verdict.state == DispatchState::sent
                             ? std::optional(settlement.now)
                             : std::nullopt;
    db.run(
        kSettle,
        dispatch.id,
        name_of(verdict.state),
        verdict.reason,
        verdict.due_at,
        verdict.trim,
        sent_at
    );
    if (arrived || is_told(verdict.state)) {
        write_line(
            db,
            {.at = settlement.now,
             .kind = name_of(verdict.state),
             .delivery = dispatch.key.delivery.text(),
             .dispatch = dispatch.id,
             .detail = verdict.reason}
        );
        look_at(db, dispatch, settlement.now);
    }
    return verdict.state;
}

ports::Adoption adopt(Connection& db, const InstanceId& instance, TimePoint now) {
    ports::Adoption adoption;
    void_letter_leases(db, now);
    void_check_leases(db, now);
    for (const auto id : ids_in(db.rows(kLeased))) {
        const auto row = dispatch_with(db, id);
        if (!row) {
            break; // the connection failed
        }
        if (row->mark) {
            rest_as_marked(db, *row, now);
            continue;
        }
        if (arrived(db, *row, now)) {
            continue;
        }
        lose_attempt(db, row->dispatch);
        db.run(kVoidLease, id, now);
        ++adoption.voided_leases;
    }
    if (adoption.voided_leases > 0) {
        const auto detail = leases_voided_detail(adoption.voided_leases, instance);
        write_line(
            db,
            {.at = now,
             .kind = kLeasesVoided,
             .delivery = {},
             .dispatch = std::nullopt,
             .detail = detail}
        );
    }
    return adoption;
}

} // namespace baton::store::sql::verbs
