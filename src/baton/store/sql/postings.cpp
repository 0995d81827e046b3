#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/verbs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kPosting{
    "posting", "SELECT " BATON_POSTING_COLUMNS " FROM posting AS p WHERE id = ?1"
};
constexpr Query kPostingsOf{
    "postings_of",
    "SELECT " BATON_POSTING_COLUMNS
    " FROM posting AS p WHERE upstream = ?1 AND pr_number = ?2 AND head_sha = ?3 ORDER BY "
    "kind, name"
};
constexpr Query kPostingNamed{
    "posting_named",
    "SELECT " BATON_POSTING_COLUMNS
    " FROM posting AS p WHERE upstream = ?1 AND pr_number = ?2 AND head_sha = ?3 AND "
    "kind = ?4 AND name = ?5"
};
constexpr Query kDuePostings{
    "due_postings",
    "SELECT " BATON_POSTING_COLUMNS
    " FROM posting AS p INDEXED BY posting_due WHERE state = 'waiting' AND gate = ?1 AND "
    "due_at_ms <= ?2 ORDER BY due_at_ms, id LIMIT ?3 /*+ FOR UPDATE SKIP LOCKED */"
};
// Stays due when the facts have changed since it was read.
constexpr Query kEndLook{
    "end_look",
    "INSERT INTO look (upstream, pr_number, head_sha, version, first_at_ms, due_at_ms) VALUES "
    "(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (upstream, pr_number, head_sha) DO UPDATE SET "
    "due_at_ms = ?6 WHERE look.version = ?4"
};
constexpr Query kLookMovedOn{
    "look_moved_on",
    "SELECT 1 FROM look WHERE upstream = ?1 AND pr_number = ?2 AND head_sha = ?3 AND version <> ?4"
};
constexpr Query kTally{"tally_of_checks", "SELECT n FROM tally WHERE name = ?1"};
constexpr Query kOldest{
    "oldest_posting",
    "SELECT wanted_since_ms FROM posting INDEXED BY posting_oldest WHERE state = 'waiting' "
    "ORDER BY wanted_since_ms LIMIT 1"
};

std::optional<PostingRow> one_posting(Rows rows) {
    return rows.next() ? std::optional(posting_row(rows)) : std::nullopt;
}

/// False when it is what is wanted already.
bool want(Connection& db, const ports::Posting& wanted, TimePoint now) {
    const auto& subject = wanted.subject;
    auto known = one_posting(db.rows(
        kPostingNamed,
        subject.upstream.text(),
        kept_number(subject),
        subject.head.text(),
        name_of(wanted.kind),
        wanted.check.name
    ));
    if (known && !wish(*known, wanted, now)) {
        return false;
    }
    put_posting(db, known ? *known : new_posting(wanted, now));
    return true;
}

std::size_t tally(Connection& db, std::string_view name) {
    auto rows = db.rows(kTally, name);
    return rows.next() ? static_cast<std::size_t>(rows.integer(0)) : 0U;
}

} // namespace

std::vector<ports::KeptPosting> postings_of(Connection& db, const domain::Subject& subject) {
    std::vector<ports::KeptPosting> found;
    for (const auto& row : posting_rows(db.rows(
             kPostingsOf, subject.upstream.text(), kept_number(subject), subject.head.text()
         ))) {
        found.push_back(shown(row));
    }
    std::ranges::sort(found, {}, &ports::KeptPosting::id);
    return found;
}

bool is_overtaken(Connection& db, const ports::Look& look) {
    auto rows = db.rows(
        kLookMovedOn,
        look.subject.upstream.text(),
        kept_number(look.subject),
        look.subject.head.text(),
        look.version
    );
    return rows.next();
}

ports::PostingReceipt commit_postings(Connection& db, const ports::PostingCommit& commit) {
    ports::PostingReceipt receipt;
    if (is_overtaken(db, commit.look)) {
        return receipt; // worked out from what is no longer so: it stays due, and is looked at
                        // again
    }
    for (const auto& posting : commit.wanted) {
        receipt.changed += want(db, posting, commit.now) ? 1U : 0U;
    }
    for (const auto& rerun : commit.reruns) {
        receipt.ordered += order_rerun(db, new_rerun(rerun, {}, commit.now)) ? 1U : 0U;
    }
    const auto& look = commit.look;
    db.run(
        kEndLook,
        look.subject.upstream.text(),
        kept_number(look.subject),
        look.subject.head.text(),
        look.version,
        look.first_at,
        commit.look_at
    );
    return receipt;
}

std::vector<ports::TakenPosting> take_postings(Connection& db, const ports::PostingQuery& query) {
    auto due = posting_rows(db.rows(kDuePostings, true, query.now, query.limit)); // gates
    auto others = posting_rows(db.rows(kDuePostings, false, query.now, query.limit - due.size()));
    std::ranges::move(others, std::back_inserter(due));
    std::vector<ports::TakenPosting> taken;
    for (auto& row : due) {
        taken.push_back(take(row, query));
        move_posting(db, row);
    }
    return taken;
}

Result<void> end_posting(Connection& db, const ports::PostingEnd& end) {
    auto row = one_posting(db.rows(kPosting, end.id));
    if (auto ended = store::end(row ? &*row : nullptr, end); !ended) {
        return ended;
    }
    move_posting(db, *row);
    if (row->state == PostingState::given_up) {
        write_line(
            db,
            {.at = end.now,
             .kind = kPostingGivenUp,
             .delivery = {},
             .dispatch = std::nullopt,
             .detail = posting_given_up_detail(row->posting)}
        );
    }
    return {};
}

ports::CheckCounts check_counts(Connection& db) {
    ports::CheckCounts counts{
        .looks = tally(db, "look"),
        .waiting = tally(db, "posting_waiting"),
        .given_up = tally(db, "posting_given_up"),
        .reruns = tally(db, "rerun_waiting"),
    };
    auto rows = db.rows(kOldest);
    counts.oldest = rows.next() ? rows.maybe_time(0) : std::nullopt;
    return counts;
}

} // namespace baton::store::sql::verbs
