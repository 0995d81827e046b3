#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/run.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Postings and re-runs as rows, and the steps about checks that several verbs share.
namespace baton::store::sql {

// --- looks.cpp
/// The facts about a subject changed.
void raise_look(Connection& db, const domain::Subject& subject, TimePoint now);
/// Something happened to a dispatch.
void look_at(
    Connection& db,
    const domain::Dispatch& dispatch,
    TimePoint now,
    domain::Level reported = domain::Level::l1
);

// --- reruns.cpp
/// False when its key is known: then it is left alone.
bool order_rerun(Connection& db, const RerunRow& row);

// --- check_rows.cpp
/// How a pull request is written down where the merge queue has a place too.
PrNumber kept_number(const domain::Subject& subject);
domain::Subject subject_from(const Rows& row, int first); // upstream, pr_number, head_sha

/// From BATON_POSTING_COLUMNS.
PostingRow posting_row(const Rows& row);
std::vector<PostingRow> posting_rows(Rows rows);
/// A row without an id is inserted, another one written as a whole.
void put_posting(Connection& db, const PostingRow& row);
/// How it stands: what is wanted has not changed.
void move_posting(Connection& db, const PostingRow& row);

/// From BATON_RERUN_COLUMNS.
RerunRow rerun_row(const Rows& row);
std::vector<RerunRow> rerun_rows(Rows rows);
void move_rerun(Connection& db, const RerunRow& row);

/// What a dead process was about to post or to order is due again.
void void_check_leases(Connection& db, TimePoint now);
/// What a shadow left is neither posted nor ordered.
void leave_checks_behind(Connection& db, TimePoint now);

} // namespace baton::store::sql
