#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/verbs.hpp"

#include <optional>
#include <vector>

namespace baton::store::sql {

namespace {

constexpr Query kRerunExists{"rerun_exists", "SELECT 1 FROM rerun WHERE key = ?1"};
// Looked for first rather than left to ON CONFLICT: that would use up an id.
constexpr Query kOrder{
    "order_rerun",
    "INSERT INTO rerun (key, delivery, upstream, pr_number, head_sha, downstream, run_id, scope, "
    "cause, actor, state, created_at_ms, detail, attempts, due_at_ms, lease_holder, "
    "lease_until_ms, fence) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'waiting', ?11, '', "
    "0, ?11, '', 0, 0)"
};
constexpr Query kRerun{"rerun", "SELECT " BATON_RERUN_COLUMNS " FROM rerun AS r WHERE id = ?1"};
constexpr Query kRerunsOf{
    "reruns_of",
    "SELECT " BATON_RERUN_COLUMNS
    " FROM rerun AS r WHERE upstream = ?1 AND pr_number = ?2 AND head_sha = ?3 ORDER BY id"
};
constexpr Query kDueReruns{
    "due_reruns",
    "SELECT " BATON_RERUN_COLUMNS
    " FROM rerun AS r INDEXED BY rerun_due WHERE state = 'waiting' AND due_at_ms <= ?1 "
    "ORDER BY due_at_ms, id LIMIT ?2 /*+ FOR UPDATE SKIP LOCKED */"
};

/// What an order without a head was carried out for.
domain::Subject with_head(Connection& db, domain::Subject subject) {
    if (subject.head.empty() && subject.pr) {
        const auto known = known_head(db, subject.upstream, *subject.pr);
        subject.head = known ? known->head : HeadSha{};
    }
    return subject;
}

} // namespace

bool order_rerun(Connection& db, const RerunRow& row) {
    const auto& order = row.order;
    {
        auto existing = db.rows(kRerunExists, order.key);
        if (existing.next()) {
            return false;
        }
    }
    db.run(
        kOrder,
        order.key,
        row.delivery.text(),
        order.subject.upstream.text(),
        kept_number(order.subject),
        order.subject.head.text(),
        order.downstream.text(),
        order.run_id,
        name_of(order.scope),
        name_of(order.cause),
        order.actor,
        order.created_at
    );
    write_line(
        db,
        {.at = order.created_at,
         .kind = kRerunOrdered,
         .delivery = row.delivery.text(),
         .dispatch = std::nullopt,
         .detail = rerun_ordered_detail(order)}
    );
    return true;
}

namespace verbs {

std::vector<domain::Rerun> reruns_of(Connection& db, const domain::Subject& subject) {
    std::vector<domain::Rerun> found;
    for (const auto& row : rerun_rows(
             db.rows(kRerunsOf, subject.upstream.text(), kept_number(subject), subject.head.text())
         )) {
        found.push_back(row.order);
    }
    return found;
}

std::vector<ports::TakenRerun> take_reruns(Connection& db, const ports::RerunQuery& query) {
    std::vector<ports::TakenRerun> taken;
    for (auto& row : rerun_rows(db.rows(kDueReruns, query.now, query.limit))) {
        taken.push_back(take(row, query));
        move_rerun(db, row);
    }
    return taken;
}

Result<void> end_rerun(Connection& db, const ports::RerunEnd& end) {
    auto rows = rerun_rows(db.rows(kRerun, end.id));
    if (auto ended = store::end(rows.empty() ? nullptr : &rows.front(), end); !ended) {
        return ended;
    }
    const auto& row = rows.front();
    if (!end.afresh.empty() && redeliver(db, afresh_of(row.order, end)).value_or(0) == 0) {
        return nothing_to_dispatch(end.id);
    }
    move_rerun(db, row);
    if (row.order.state == domain::RerunState::waiting) {
        return {};
    }
    write_line(
        db,
        {.at = end.now,
         .kind = kRerunEnded,
         .delivery = row.delivery.text(),
         .dispatch = std::nullopt,
         .detail = rerun_ended_detail(row.order)}
    );
    // Without a number it would be taken for a commit of the merge queue.
    const auto subject = with_head(db, row.order.subject);
    if (subject.pr && !subject.head.empty()) {
        raise_look(db, subject, end.now);
    }
    return {};
}

} // namespace verbs

} // namespace baton::store::sql
