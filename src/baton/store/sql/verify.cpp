#include "baton/store/sql/verify.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/verify_checks.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace baton::store::sql {

namespace {

constexpr Query kTallies{
    "tallies",
    "WITH real (name, n) AS ("
    "SELECT 'delivery', count(*) FROM delivery UNION ALL "
    "SELECT 'unknown_outcome', count(*) FROM attempt WHERE outcome = 'unknown' UNION ALL "
    "SELECT 'job_' || coalesce(conclusion, status), count(*) FROM job GROUP BY 1 UNION ALL "
    "SELECT 'job_by_relay', count(*) FROM job WHERE said_by = 'relay' UNION ALL "
    "SELECT 'silent', count(*) FROM dispatch WHERE silent_at_ms IS NOT NULL UNION ALL "
    "SELECT 'letter_' || state, count(*) FROM outbox GROUP BY state UNION ALL "
    "SELECT 'look', count(*) FROM look WHERE due_at_ms IS NOT NULL UNION ALL "
    "SELECT 'posting_' || state, count(*) FROM posting GROUP BY state UNION ALL "
    "SELECT 'rerun_waiting', count(*) FROM rerun WHERE state = 'waiting' UNION ALL "
    "SELECT state, count(*) FROM dispatch GROUP BY state) "
    "SELECT tally.name, tally.n, coalesce(real.n, 0) FROM tally LEFT JOIN real USING (name) "
    "ORDER BY tally.name"
};
constexpr Query kSlots{
    "sent_slots",
    "WITH real (downstream, slot_ms, sent, running) AS (SELECT downstream, sent_at_ms - "
    "sent_at_ms % 600000, count(*), count(*) FILTER (WHERE state IN ('sent', 'started')) FROM "
    "dispatch WHERE sent_at_ms IS NOT NULL GROUP BY 1, 2) SELECT s.downstream, s.slot_ms, "
    "s.sent, s.running, coalesce(r.sent, 0), coalesce(r.running, 0) FROM sent_slot AS s LEFT "
    "JOIN real AS r USING (downstream, slot_ms)"
};
constexpr Query kLeaving{"leaving", "SELECT count(*) FROM leaving"};
constexpr Query kLedger{
    "ledger_sequence",
    "SELECT count(*), coalesce(min(sequence), 1), coalesce(max(sequence), 0) FROM ledger"
};
constexpr Query kLedgerHoles{
    "ledger_holes",
    "SELECT before + 1, sequence - 1 FROM (SELECT sequence, lag(sequence, 1, 0) OVER (ORDER BY "
    "sequence) AS before FROM ledger) AS lines WHERE sequence > before + 1 LIMIT 100"
};
constexpr Query kBodyCount{"body_count", "SELECT count(*) FROM delivery_body"};
constexpr Query kBodies{
    "bodies",
    "SELECT b.sequence, v.body_bytes, b.zstd, v.id FROM delivery_body AS b JOIN delivery AS v "
    "USING (sequence) WHERE b.sequence > ?1 ORDER BY b.sequence LIMIT ?2"
};
constexpr Query kPendingCount{
    "pending_count", "SELECT count(*) FROM dispatch WHERE state = 'pending'"
};
constexpr Query kOrphans{
    "pending_orphans",
    "SELECT d.id, d.downstream, v.sequence IS NULL FROM dispatch AS d "
    "LEFT JOIN delivery AS v ON v.sequence = d.delivery "
    "LEFT JOIN delivery_body AS b ON b.sequence = d.delivery "
    "WHERE d.state = 'pending' AND b.sequence IS NULL LIMIT 100"
};

constexpr std::size_t kProgressEvery = 256; // bodies

Checked check_tallies(Connection& db) {
    Checked checked{.what = "tallies", .count = 0, .findings = {}};
    {
        auto rows = db.rows(kTallies);
        for (; rows.next(); ++checked.count) {
            if (rows.integer(1) != rows.integer(2)) {
                note(
                    checked,
                    fmt::format(
                        "{} is kept as {}, counted {}",
                        rows.view(0),
                        rows.integer(1),
                        rows.integer(2)
                    )
                );
            }
        }
    }
    if (number_of(db, kLeaving) > 0) {
        note(checked, "something is marked as being pruned, so that nothing is counted off");
    }
    const auto until = pruned_until(db);
    auto slots = db.rows(kSlots);
    for (; slots.next(); ++checked.count) {
        const bool less =
            slots.integer(2) < slots.integer(4) || slots.integer(3) < slots.integer(5);
        const bool more =
            slots.integer(2) > slots.integer(4) || slots.integer(3) > slots.integer(5);
        if (less || (more && slots.time(1) >= until)) {
            note(
                checked,
                fmt::format(
                    "what was sent to {} from {} on is kept as {} (running {}), counted {} ({})",
                    slots.view(0),
                    slots.integer(1),
                    slots.integer(2),
                    slots.integer(3),
                    slots.integer(4),
                    slots.integer(5)
                )
            );
        }
    }
    return checked;
}

Checked check_ledger(Connection& db) {
    Checked checked{.what = "ledger lines", .count = 0, .findings = {}};
    bool whole = true;
    {
        auto rows = db.rows(kLedger);
        if (rows.next()) {
            checked.count = static_cast<std::size_t>(rows.integer(0));
            whole = rows.integer(1) == 1 && rows.integer(2) == rows.integer(0);
        }
    }
    if (!whole) {
        auto holes = db.rows(kLedgerHoles);
        while (holes.next()) {
            note(
                checked,
                fmt::format("lines {} to {} are missing", holes.integer(0), holes.integer(1))
            );
        }
    }
    return checked;
}

Checked check_bodies(Connection& db, const Progress& progress) {
    Checked checked{.what = "bodies", .count = 0, .findings = {}};
    const auto total = number_of(db, kBodyCount);
    each_large_row(db, kBodies, [&](const Rows& row) {
        const auto stated = static_cast<std::size_t>(row.integer(1));
        if (stated > limits::kWebhookBodyBytesMax || !decompress(row.bytes(2), stated)) {
            note(
                checked,
                fmt::format(
                    "the body of delivery {} does not unfold to {} bytes", row.view(3), stated
                )
            );
        }
        if (checked.count++ % kProgressEvery == 0) {
            progress({.doing = "verifying", .done = checked.count, .total = total});
        }
    });
    return checked;
}

Checked check_pending(Connection& db) {
    Checked checked{
        .what = std::string(kPendingDispatches),
        .count = number_of(db, kPendingCount),
        .findings = {}
    };
    auto rows = db.rows(kOrphans);
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "dispatch {} to {} has no {}",
                rows.integer(0),
                rows.view(1),
                rows.integer(2) != 0 ? "delivery" : "body to send"
            )
        );
    }
    return checked;
}

/// Whether this Baton knows the tables; what it does not know it cannot check further.
bool check_schema(Connection& db, std::span<const Migration> migrations, Verification& found) {
    Checked checked{.what = "schema", .count = 0, .findings = {}};
    const auto schema = schema_of(db, migrations);
    found.schema_here = migrations.back().number;
    bool ours = false;
    if (schema) {
        found.schema = schema->number;
        checked.count = static_cast<std::size_t>(schema->number);
        ours = schema->difference.empty();
        if (!ours) {
            note(checked, schema->difference);
        }
    } else if (is_good(found) &&
               (schema.error().code != Errc::unavailable || found.checks.empty())) {
        found.refusal = schema.error();
        return false;
    } else { // what else there is of a damaged file was looked at
        checked.broken_off = true;
        note(checked, schema.error().detail);
    }
    found.checks.push_back(std::move(checked));
    return ours && found.schema == found.schema_here; // a newer one may count by other rules
}

} // namespace

void note(Checked& checked, std::string finding) {
    if (checked.findings.size() < limits::kFindingsMax) {
        checked.findings.push_back(std::move(finding));
    }
}

std::size_t number_of(Connection& db, const Query& query) {
    auto rows = db.rows(query);
    return rows.next() ? static_cast<std::size_t>(rows.integer(0)) : 0;
}

TimePoint pruned_until(Connection& db) {
    return verbs::results_until(db).value_or(TimePoint{});
}

void keep(Verification& found, Connection& db, Checked checked) {
    if (!db.ok()) {
        auto error = to_error(db.failure());
        if (error.code == Errc::invalid && !found.refusal) {
            found.refusal = std::move(error);
        } else {
            note(checked, std::move(error).detail);
        }
        db.forgive();
    }
    found.checks.push_back(std::move(checked));
}

bool verify_schema_and_rows(
    Connection& db,
    std::span<const Migration> migrations,
    Verification& found,
    const Progress& progress
) {
    if (!check_schema(db, migrations, found)) {
        return false;
    }
    keep(found, db, check_tallies(db));
    keep(found, db, check_ledger(db));
    keep(found, db, check_bodies(db, progress));
    keep(found, db, check_pending(db));
    keep(found, db, check_rollups(db));
    keep(found, db, check_claims(db));
    keep(found, db, check_latest_jobs(db));
    keep(found, db, check_details(db));
    keep(found, db, check_letters(db));
    keep(found, db, check_notifications(db));
    keep(found, db, check_looks(db));
    keep(found, db, check_postings(db));
    keep(found, db, check_reruns(db));
    keep(found, db, check_cells(db));
    keep(found, db, check_days(db));
    keep(found, db, check_downstreams(db));
    keep(found, db, check_failed_tests(db));
    keep(found, db, check_attributions(db));
    keep(found, db, check_ladder(db));
    found.tables = true;
    return true;
}

} // namespace baton::store::sql
