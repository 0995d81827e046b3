#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/notices.hpp"
#include "baton/store/sql/resting.hpp"
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

constexpr Query kDue{
    "due_letters",
    "SELECT id, sink, lane, job, body_bytes, zstd, created_at_ms, attempts, fence, notification "
    "FROM outbox INDEXED BY outbox_due WHERE sink = ?1 AND due_at_ms <= ?2 "
    "ORDER BY due_at_ms, id LIMIT ?3 /*+ FOR UPDATE SKIP LOCKED */"
};
constexpr Query kDeliveryOf{
    "delivery_of_dispatch",
    "SELECT v.id FROM dispatch AS d JOIN delivery AS v ON v.sequence = d.delivery WHERE d.id = ?1"
};
// A lease that runs out is due again: its end is when.
constexpr Query kTake{
    "take_letter",
    "UPDATE outbox SET lease_holder = ?2, lease_until_ms = ?3, due_at_ms = ?3, fence = fence + 1, "
    "attempts = attempts + 1 WHERE id = ?1"
};
constexpr Query kHeld{
    "held_letter",
    "SELECT sink, lane FROM outbox WHERE id = ?1 AND fence = ?2 AND lease_until_ms > 0"
};
constexpr Query kDone{"letter_done", "DELETE FROM outbox WHERE id = ?1"};
constexpr Query kAgain{
    "letter_again",
    "UPDATE outbox SET due_at_ms = ?2, detail = ?3, lease_holder = '', lease_until_ms = 0 "
    "WHERE id = ?1"
};
constexpr Query kNextOfLane{
    "next_of_lane",
    "UPDATE outbox SET due_at_ms = ?3 WHERE id = (SELECT id FROM outbox INDEXED BY outbox_lane "
    "WHERE sink = ?1 AND lane = ?2 AND state = 'waiting' ORDER BY id LIMIT 1)"
};
constexpr Query kDead{
    "dead_letters",
    "SELECT id, sink, lane, created_at_ms, died_at_ms, attempts, detail FROM outbox "
    "INDEXED BY outbox_dead WHERE state = 'dead' AND died_at_ms > 0 "
    "ORDER BY died_at_ms DESC, id DESC LIMIT ?1"
};
constexpr Query kDeadOf{
    "dead_letters_of_sink",
    "SELECT id FROM outbox INDEXED BY outbox_dead WHERE state = 'dead' AND died_at_ms > 0 AND "
    "(?1 = '' OR sink = ?1) ORDER BY died_at_ms, id"
};
// In the order of their ids, so that of several in one lane the oldest is the one that is due.
constexpr Query kRevive{
    "revive_letter",
    "UPDATE outbox SET state = 'waiting', died_at_ms = NULL, due_at_ms = CASE WHEN NOT EXISTS "
    "(SELECT 1 FROM outbox AS other WHERE other.sink = outbox.sink AND other.lane = "
    "outbox.lane AND other.state = 'waiting') THEN CAST(?2 AS bigint) END WHERE id = ?1"
};
constexpr Query kVoid{
    "void_letter_leases",
    "UPDATE outbox SET due_at_ms = ?1, lease_holder = '', lease_until_ms = 0 "
    "WHERE lease_until_ms > 0",
    "UPDATE outbox SET due_at_ms = $1, lease_holder = '', lease_until_ms = 0 "
    "WHERE lease_until_ms > 0 AND is_gone(lease_holder)"
};

struct DueLetter {
    ports::TakenLetter letter;
    std::optional<std::int64_t> job;          // what it tells of: this,
    std::optional<std::int64_t> notification; // or that
    std::string zstd;
    std::size_t body_bytes{0};
};

std::vector<DueLetter> due_letters(Connection& db, const ports::LetterQuery& query) {
    std::vector<DueLetter> found;
    auto rows = db.rows(kDue, query.sink, query.now, query.limit);
    while (rows.next()) {
        found.push_back({
            .letter =
                {.id = rows.integer(0),
                 .sink = rows.text(1),
                 .lane = rows.text(2),
                 .created_at = rows.time(6),
                 .attempts = static_cast<int>(rows.integer(7)) + 1,
                 .fence = Fence{rows.integer(8) + 1}},
            .job = rows.maybe_integer(3),
            .notification = rows.maybe_integer(9),
            .zstd = std::string(rows.bytes(5)),
            .body_bytes = static_cast<std::size_t>(rows.integer(4)),
        });
    }
    return found;
}

/// What it tells of. The schema holds on to both rows while there is a letter; false: the
/// connection failed.
bool fill_in_job(Connection& db, ports::TakenLetter& letter, JobId id) {
    auto job = job_with(db, id);
    if (!job) {
        return false;
    }
    letter.job = *std::move(job);
    if (const auto dispatch = letter.job.subject.dispatch) {
        auto rows = db.rows(kDeliveryOf, *dispatch);
        if (!rows.next()) {
            return false;
        }
        letter.delivery = DeliveryId(rows.text(0));
    }
    return true;
}

bool fill_in(Connection& db, DueLetter& due) {
    if (due.job) {
        return fill_in_job(db, due.letter, JobId{*due.job});
    }
    auto pairing = pairing_of(db, due.notification.value_or(0));
    if (!pairing) {
        return false;
    }
    due.letter.job.subject.upstream = std::move(pairing->upstream);
    due.letter.job.subject.downstream = std::move(pairing->downstream);
    return true;
}

/// It is dead, and the next of its lane is due.
void bury(
    Connection& db, const ports::TakenLetter& letter, const std::string& detail, TimePoint now
) {
    bury_letter(db, letter.id, detail, now);
    db.run(kNextOfLane, letter.sink, letter.lane, now);
}

} // namespace

std::vector<ports::TakenLetter> take_letters(Connection& db, const ports::LetterQuery& query) {
    std::vector<ports::TakenLetter> taken;
    for (auto& due : due_letters(db, query)) {
        auto body = decompress(due.zstd, due.body_bytes);
        if (!body) { // one damaged letter must not hold up the others
            bury(db, due.letter, body.error().detail, query.now);
            continue;
        }
        due.letter.body = *std::move(body);
        if (!fill_in(db, due)) {
            break;
        }
        db.run(kTake, due.letter.id, query.holder.text(), query.until);
        taken.push_back(std::move(due.letter));
    }
    return taken;
}

Result<void> end_letter(Connection& db, const ports::LetterEnd& end) {
    ports::TakenLetter letter{.id = end.id};
    {
        auto rows = db.rows(kHeld, end.id, end.fence);
        if (!rows.next()) {
            return fail(
                Errc::conflict, fmt::format("the lease on letter {} is no longer held", end.id)
            );
        }
        letter.sink = rows.text(0);
        letter.lane = rows.text(1);
    }
    if (end.done) {
        db.run(kDone, end.id);
        db.run(kNextOfLane, letter.sink, letter.lane, end.now);
    } else if (end.again_at) {
        db.run(kAgain, end.id, *end.again_at, end.detail);
    } else {
        bury(db, letter, end.detail, end.now);
    }
    return {};
}

std::vector<ports::DeadLetter> dead_letters(Connection& db, std::size_t limit) {
    std::vector<ports::DeadLetter> found;
    auto rows = db.rows(kDead, limit);
    while (rows.next()) {
        found.push_back({
            .id = rows.integer(0),
            .sink = rows.text(1),
            .lane = rows.text(2),
            .created_at = rows.time(3),
            .died_at = rows.time(4),
            .attempts = static_cast<int>(rows.integer(5)),
            .detail = rows.text(6),
        });
    }
    return found;
}

std::size_t
revive_letters(Connection& db, const std::string& sink, const std::string& actor, TimePoint now) {
    std::vector<std::int64_t> ids;
    {
        auto rows = db.rows(kDeadOf, sink);
        while (rows.next()) {
            ids.push_back(rows.integer(0));
        }
    }
    std::ranges::sort(ids);
    for (const auto id : ids) {
        db.run(kRevive, id, now);
    }
    if (!ids.empty()) {
        write_line(
            db,
            {.at = now,
             .kind = kLettersRevived,
             .delivery = {},
             .dispatch = std::nullopt,
             .detail = letters_revived_detail(ids.size(), sink, actor)}
        );
    }
    return ids.size();
}

void void_letter_leases(Connection& db, TimePoint now) {
    db.run(kVoid, now);
}

} // namespace baton::store::sql::verbs
