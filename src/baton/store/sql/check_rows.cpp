#include "baton/store/sql/check_rows.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace baton::store::sql {

namespace {

constexpr Query kPutPosting{
    "put_posting",
    "INSERT INTO posting (id, upstream, pr_number, head_sha, kind, name, gate, external_id, "
    "details_url, status, conclusion, started_at_ms, completed_at_ms, title, summary, text, "
    "version, state, github_id, perhaps_there, calls, trouble, attempts, wanted_since_ms, "
    "due_at_ms, lease_holder, lease_until_ms, fence) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, "
    "?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28) "
    "ON CONFLICT (id) DO UPDATE SET external_id = ?8, details_url = ?9, status = ?10, "
    "conclusion = ?11, started_at_ms = ?12, completed_at_ms = ?13, title = ?14, summary = ?15, "
    "text = ?16, version = ?17, state = ?18, trouble = ?22, attempts = ?23, "
    "wanted_since_ms = ?24, due_at_ms = ?25"
};
constexpr Query kMovePosting{
    "move_posting",
    "UPDATE posting SET state = ?2, github_id = ?3, perhaps_there = ?4, calls = ?5, trouble = ?6, "
    "attempts = ?7, wanted_since_ms = ?8, due_at_ms = ?9, lease_holder = ?10, "
    "lease_until_ms = ?11, fence = ?12 WHERE id = ?1"
};
constexpr Query kMoveRerun{
    "move_rerun",
    "UPDATE rerun SET state = ?2, ended_at_ms = ?3, detail = ?4, attempts = ?5, due_at_ms = ?6, "
    "lease_holder = ?7, lease_until_ms = ?8, fence = ?9 WHERE id = ?1"
};
constexpr Query kHeldPostings{
    "held_postings",
    "SELECT " BATON_POSTING_COLUMNS
    " FROM posting AS p INDEXED BY posting_leased WHERE lease_until_ms > 0 ORDER BY "
    "lease_until_ms, id",
    "SELECT " BATON_POSTING_COLUMNS
    " FROM posting AS p WHERE lease_until_ms > 0 AND is_gone(lease_holder) ORDER BY "
    "lease_until_ms, id"
};
constexpr Query kHeldReruns{
    "held_reruns",
    "SELECT " BATON_RERUN_COLUMNS
    " FROM rerun AS r INDEXED BY rerun_leased WHERE lease_until_ms > 0 ORDER BY "
    "lease_until_ms, id",
    "SELECT " BATON_RERUN_COLUMNS
    " FROM rerun AS r WHERE lease_until_ms > 0 AND is_gone(lease_holder) ORDER BY "
    "lease_until_ms, id"
};
constexpr Query kWaitingPostings{
    "waiting_postings",
    "SELECT " BATON_POSTING_COLUMNS
    " FROM posting AS p INDEXED BY posting_due WHERE state = 'waiting' ORDER BY gate, "
    "due_at_ms, id"
};
constexpr Query kWaitingReruns{
    "waiting_reruns",
    "SELECT " BATON_RERUN_COLUMNS
    " FROM rerun AS r INDEXED BY rerun_due WHERE state = 'waiting' ORDER BY due_at_ms, id"
};
constexpr Query kLeaveLooks{
    "leave_looks", "UPDATE look SET due_at_ms = NULL WHERE due_at_ms IS NOT NULL"
};

domain::Check check_from(const Rows& row) {
    return {
        .name = row.text(5),
        .external_id = row.text(7),
        .details_url = row.text(8),
        .status = domain::check_status_named(row.view(9)).value_or(domain::CheckStatus::queued),
        .conclusion = row.is_null(10) ? std::nullopt : domain::conclusion_named(row.view(10)),
        .started_at = row.maybe_time(11),
        .completed_at = row.maybe_time(12),
        .title = row.text(13),
        .summary = row.text(14),
    };
}

Hold hold_from(const Rows& row, int first) {
    return {
        .holder = InstanceId(row.text(first)),
        .until = row.time(first + 1),
        .fence = row.integer(first + 2),
    };
}

} // namespace

PrNumber kept_number(const domain::Subject& subject) {
    return subject.pr.value_or(PrNumber{0});
}

domain::Subject subject_from(const Rows& row, int first) {
    const PrNumber number{row.integer(first + 1)};
    return {
        .upstream = repo_name(row.view(first)),
        .pr = number == PrNumber{0} ? std::nullopt : std::optional(number),
        .head = HeadSha(row.text(first + 2)),
    };
}

PostingRow posting_row(const Rows& row) {
    PostingRow found;
    auto& posting = found.posting;
    posting.id = row.integer(0);
    posting.subject = subject_from(row, 1);
    posting.kind = row.view(4) == name_of(ports::PostingKind::check) ? ports::PostingKind::check
                                                                     : ports::PostingKind::comment;
    posting.check = check_from(row);
    posting.text = row.text(15);
    posting.github_id = row.maybe_integer(18);
    posting.calls = static_cast<std::size_t>(row.integer(20));
    posting.trouble = row.text(21);
    found.version = row.integer(16);
    found.state = posting_state_named(row.view(17)).value_or(PostingState::waiting);
    found.perhaps_there = row.integer(19) != 0;
    found.attempts = static_cast<int>(row.integer(22));
    found.wanted_since = row.time(23);
    found.due_at = row.maybe_time(24);
    found.hold = hold_from(row, 25);
    return found;
}

std::vector<PostingRow> posting_rows(Rows rows) {
    std::vector<PostingRow> found;
    while (rows.next()) {
        found.push_back(posting_row(rows));
    }
    return found;
}

void put_posting(Connection& db, const PostingRow& row) {
    const auto& posting = row.posting;
    const auto& check = posting.check;
    db.run(
        kPutPosting,
        posting.id == 0 ? std::nullopt : std::optional(posting.id),
        posting.subject.upstream.text(),
        kept_number(posting.subject),
        posting.subject.head.text(),
        name_of(posting.kind),
        check.name,
        is_gate(posting),
        check.external_id,
        check.details_url,
        name_of(check.status),
        check.conclusion ? std::optional(name_of(*check.conclusion)) : std::nullopt,
        check.started_at,
        check.completed_at,
        check.title,
        check.summary,
        posting.text,
        row.version,
        name_of(row.state),
        posting.github_id,
        row.perhaps_there,
        posting.calls,
        posting.trouble,
        row.attempts,
        row.wanted_since,
        row.due_at,
        row.hold.holder.text(),
        row.hold.until,
        row.hold.fence
    );
}

void move_posting(Connection& db, const PostingRow& row) {
    db.run(
        kMovePosting,
        row.posting.id,
        name_of(row.state),
        row.posting.github_id,
        row.perhaps_there,
        row.posting.calls,
        row.posting.trouble,
        row.attempts,
        row.wanted_since,
        row.due_at,
        row.hold.holder.text(),
        row.hold.until,
        row.hold.fence
    );
}

RerunRow rerun_row(const Rows& row) {
    RerunRow found;
    auto& order = found.order;
    order.id = row.integer(0);
    order.key = row.text(1);
    found.delivery = DeliveryId(row.text(2));
    order.subject = subject_from(row, 3);
    order.downstream = repo_name(row.view(6));
    order.run_id = row.text(7);
    order.scope = domain::rerun_scope_named(row.view(8)).value_or(domain::RerunScope::failed);
    order.cause = domain::rerun_cause_named(row.view(9)).value_or(domain::RerunCause::person);
    order.actor = row.text(10);
    order.state = domain::rerun_state_named(row.view(11)).value_or(domain::RerunState::waiting);
    order.created_at = row.time(12);
    order.ended_at = row.maybe_time(13);
    order.detail = row.text(14);
    found.attempts = static_cast<int>(row.integer(15));
    found.due_at = row.maybe_time(16);
    found.hold = hold_from(row, 17);
    return found;
}

std::vector<RerunRow> rerun_rows(Rows rows) {
    std::vector<RerunRow> found;
    while (rows.next()) {
        found.push_back(rerun_row(rows));
    }
    return found;
}

void move_rerun(Connection& db, const RerunRow& row) {
    db.run(
        kMoveRerun,
        row.order.id,
        name_of(row.order.state),
        row.order.ended_at,
        row.order.detail,
        row.attempts,
        row.due_at,
        row.hold.holder.text(),
        row.hold.until,
        row.hold.fence
    );
}

void void_check_leases(Connection& db, TimePoint now) {
    for (auto& row : posting_rows(db.rows(kHeldPostings))) {
        free_hold(row, now);
        move_posting(db, row);
    }
    for (auto& row : rerun_rows(db.rows(kHeldReruns))) {
        free_hold(row, now);
        move_rerun(db, row);
    }
}

void leave_checks_behind(Connection& db, TimePoint now) {
    db.run(kLeaveLooks);
    for (auto& row : posting_rows(db.rows(kWaitingPostings))) {
        leave_behind(row);
        move_posting(db, row);
    }
    for (auto& row : rerun_rows(db.rows(kWaitingReruns))) {
        leave_behind(row, now);
        move_rerun(db, row);
    }
}

} // namespace baton::store::sql
