#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/retention.hpp"
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
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kDelivery{
    "delivery", "SELECT " BATON_DELIVERY_COLUMNS " FROM delivery AS d WHERE id = ?1"
};
constexpr Query kHasBody{"has_body", "SELECT 1 FROM delivery_body WHERE sequence = ?1"};
constexpr Query kDispatchesOf{
    "dispatches_of_delivery",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE delivery = ?1 ORDER BY downstream, generation"
};
constexpr Query kAttemptsOf{
    "attempts_of_dispatch",
    "SELECT number, started_at_ms, ended_at_ms, outcome, status, detail FROM attempt WHERE "
    "dispatch = ?1 ORDER BY number"
};
constexpr Query kLinesOf{
    "ledger_of_delivery",
    "SELECT sequence, at_ms, kind, delivery, dispatch, detail FROM ledger WHERE delivery <> '' AND "
    "delivery = ?1 "
    "ORDER BY sequence"
};

// Only the newest generation of a delivery and downstream is sent once more. One query for one
// delivery, one for all that have something to send.
constexpr Query kNewestOfDelivery{
    "newest_of_delivery",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE r.delivery = (SELECT sequence FROM delivery WHERE "
    "id = ?1) AND r.state = ?2 AND (r.downstream = ?3 OR ?3 = '') AND NOT EXISTS (SELECT 1 "
    "FROM dispatch AS newer WHERE newer.delivery = r.delivery AND newer.downstream = "
    "r.downstream AND newer.generation > r.generation) ORDER BY r.id LIMIT ?4"
};
constexpr Query kNewestInState{
    "newest_in_state",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE r.state = ?1 AND (r.downstream = ?2 OR ?2 = '') "
    "AND NOT EXISTS (SELECT 1 FROM dispatch AS newer WHERE newer.delivery = r.delivery AND "
    "newer.downstream = r.downstream AND newer.generation > r.generation) AND EXISTS (SELECT 1 "
    "FROM delivery_body AS b WHERE b.sequence = r.delivery) ORDER BY r.delivery, r.id LIMIT ?3"
};
constexpr Query kNextGeneration{
    "next_generation",
    "INSERT INTO dispatch (delivery, downstream, generation, upstream, event_type, pr_number, "
    "head_sha, level, device, ref, state, reason, created_at_ms, due_at_ms, awaits_start) "
    "SELECT delivery, downstream, generation + 1, upstream, event_type, pr_number, head_sha, "
    "level, device, ref, 'pending', ?2, ?3, ?3, CASE WHEN level >= 2 AND (SELECT action FROM "
    "delivery WHERE sequence = dispatch.delivery) <> 'closed' THEN 1 ELSE 0 END FROM dispatch "
    "WHERE id = ?1 RETURNING id"
};

constexpr Query kTally{"tally", "SELECT n FROM tally WHERE name = ?1"};
constexpr Query kToPlanCount{
    "count_to_plan", "SELECT count(*) FROM delivery WHERE state = 'to_plan'"
};
constexpr Query kOldestPending{
    "oldest_pending",
    "SELECT created_at_ms FROM dispatch INDEXED BY dispatch_pending WHERE state = 'pending' ORDER "
    "BY id LIMIT 1"
};

std::vector<ports::Attempt> attempts_of(Connection& db, DispatchId id) {
    std::vector<ports::Attempt> attempts;
    auto rows = db.rows(kAttemptsOf, id);
    while (rows.next()) {
        attempts.push_back({
            .number = static_cast<int>(rows.integer(0)),
            .started_at = rows.time(1),
            .ended_at = rows.maybe_time(2),
            .outcome = rows.is_null(3) ? std::nullopt : domain::outcome_named(rows.view(3)),
            .status = static_cast<int>(rows.integer(4)),
            .detail = rows.text(5),
        });
    }
    return attempts;
}

std::optional<ports::Delivery> delivery_with(Connection& db, const DeliveryId& id) {
    auto rows = db.rows(kDelivery, id.text());
    return rows.next() ? std::optional(delivery_row(rows)) : std::nullopt;
}

bool has_body(Connection& db, std::int64_t sequence) {
    return db.rows(kHasBody, sequence).next();
}

std::size_t tally(Connection& db, std::string_view name) {
    auto rows = db.rows(kTally, name);
    return rows.next() ? static_cast<std::size_t>(rows.integer(0)) : 0U;
}

/// Oldest delivery first within each state.
std::vector<DispatchRow> to_redeliver(Connection& db, const ports::RedeliverQuery& query) {
    std::vector<DispatchRow> found;
    const auto limit = std::min(query.limit, limits::kPageRowsMax);
    const auto downstream = query.downstream ? query.downstream->text() : std::string();
    for (const auto state : domain::kDispatchStates) {
        const bool wanted =
            query.states.empty() || std::ranges::find(query.states, state) != query.states.end();
        if (!wanted || !domain::is_at_rest(state)) {
            continue;
        }
        const auto word = name_of(state);
        const auto room = limit - found.size();
        auto rows =
            query.delivery.empty()
                ? dispatch_rows(db.rows(kNewestInState, word, downstream, room))
                : dispatch_rows(
                      db.rows(kNewestOfDelivery, query.delivery.text(), word, downstream, room)
                  );
        std::ranges::move(rows, std::back_inserter(found));
    }
    return found;
}

} // namespace

Result<ports::DeliveryHistory> delivery_history(Connection& db, const DeliveryId& id) {
    auto delivery = delivery_with(db, id);
    if (!delivery) {
        return fail(
            Errc::not_found, fmt::format("there is no delivery {} in the store", id.text())
        );
    }
    const bool body_kept = has_body(db, delivery->sequence);
    ports::DeliveryHistory history{
        .delivery = *std::move(delivery),
        .body_kept = body_kept,
        .dispatches = {},
        .ledger = ledger_rows(db.rows(kLinesOf, id.text())),
    };
    for (auto& row : dispatch_rows(db.rows(kDispatchesOf, history.delivery.sequence))) {
        const auto dispatch = row.dispatch.id;
        history.dispatches.push_back({
            .dispatch = std::move(row.dispatch),
            .attempts = attempts_of(db, dispatch),
            .jobs = jobs_of(db, dispatch),
        });
    }
    const auto until = results_until(db);
    history.results_kept =
        !history.dispatches.empty() || !until || history.delivery.received_at >= *until;
    return history;
}

Result<std::size_t> redeliver(Connection& db, const ports::RedeliverQuery& query) {
    const auto rows = to_redeliver(db, query);
    if (!rows.empty() && !query.delivery.empty() && !has_body(db, rows.front().delivery)) {
        return fail(Errc::conflict, past_retention(query.delivery));
    }
    const auto reason = redelivered_by(query.actor);
    for (const auto& row : rows) {
        const auto id = db.insert(kNextGeneration, row.dispatch.id, reason, query.now);
        const auto detail = redelivered_detail(row.dispatch, query.actor);
        write_line(
            db,
            {.at = query.now,
             .kind = kRedelivered,
             .delivery = row.dispatch.key.delivery.text(),
             .dispatch = DispatchId{id},
             .detail = detail}
        );
        look_at(db, row.dispatch, query.now);
    }
    return rows.size();
}

ports::Counts counts(Connection& db) {
    ports::Counts counts;
    counts.deliveries = tally(db, "delivery");
    counts.unknown_outcomes = tally(db, "unknown_outcome");
    for (const auto state : domain::kDispatchStates) {
        counts.dispatches.emplace_back(state, tally(db, name_of(state)));
    }
    {
        auto rows = db.rows(kToPlanCount);
        counts.to_plan = rows.next() ? static_cast<std::size_t>(rows.integer(0)) : 0U;
    }
    auto rows = db.rows(kOldestPending);
    if (rows.next()) {
        counts.oldest_pending = rows.time(0);
    }
    return counts;
}

} // namespace baton::store::sql::verbs
