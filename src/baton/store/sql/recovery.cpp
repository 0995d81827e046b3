#include "baton/domain/recovery.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/event.hpp"
#include "baton/store/completeness.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/verbs.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kLastWalk{"last_walk", "SELECT born_ms, until_ms, ended_at_ms FROM walk"};
constexpr Query kEndWalk{
    "end_walk",
    "INSERT INTO walk (\"only\", born_ms, until_ms, ended_at_ms) VALUES (1, ?1, ?1, ?2) ON "
    "CONFLICT (\"only\") DO UPDATE SET until_ms = excluded.until_ms, ended_at_ms = "
    "excluded.ended_at_ms"
};
constexpr Query kForgetHooks{"forget_hooks", "DELETE FROM hook WHERE first_at_ms < ?1"};

// Lines come in any order and more than once: the earliest time is kept, and the newest try.
constexpr Query kNoteHook{
    "note_hook",
    "INSERT INTO hook (delivery, event, action, first_at_ms, try_id, try_at_ms, status, "
    "redelivery, concerns) VALUES (?1, ?2, ?3, ?5, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (delivery) "
    "DO UPDATE SET first_at_ms = CASE WHEN excluded.first_at_ms < hook.first_at_ms THEN "
    "excluded.first_at_ms ELSE hook.first_at_ms END, try_at_ms = CASE WHEN excluded.try_id > "
    "hook.try_id THEN excluded.try_at_ms ELSE hook.try_at_ms END, status = CASE WHEN "
    "excluded.try_id > hook.try_id THEN excluded.status ELSE hook.status END, redelivery = "
    "CASE WHEN excluded.try_id > hook.try_id THEN excluded.redelivery ELSE hook.redelivery "
    "END, try_id = CASE WHEN excluded.try_id > hook.try_id THEN excluded.try_id ELSE "
    "hook.try_id END"
};
#define BATON_HOOK_COLUMNS                                                                         \
    "h.delivery, h.event, h.action, h.first_at_ms, h.try_id, h.try_at_ms, h.status, "              \
    "h.redelivery, h.asked, h.asked_at_ms, h.arrived"

constexpr Query kHooksAstray{
    "hooks_astray",
    "SELECT " BATON_HOOK_COLUMNS
    " FROM hook AS h WHERE arrived = 0 AND concerns = 1 AND (status < 200 OR status > 201) "
    "ORDER BY asked, first_at_ms, delivery LIMIT ?1"
};
constexpr Query kNoteAsked{
    "note_asked",
    "UPDATE hook SET asked = asked + 1, asked_at_ms = ?3 WHERE delivery = ?1 AND asked = ?2 AND "
    "arrived = 0"
};
constexpr Query kNotAsked{
    "not_asked",
    "UPDATE hook SET asked = asked - 1 WHERE delivery = ?1 AND asked = ?2 AND asked > 0"
};
constexpr Query kHooksOfDay{
    "hooks_of_day",
    "SELECT " BATON_HOOK_COLUMNS
    " FROM hook AS h WHERE first_at_ms >= ?1 AND first_at_ms < ?2 ORDER BY first_at_ms, "
    "delivery"
};
constexpr Query kDispatchesOfDay{
    "dispatches_of_day",
    "SELECT d.state, EXISTS (SELECT 1 FROM job WHERE dispatch = d.id AND counts = 1) AS started, "
    "EXISTS (SELECT 1 FROM job WHERE dispatch = d.id AND counts = 1 AND status = 'completed' AND "
    "said_by = 'downstream') AS reported, count(*) "
    "FROM hook AS h CROSS JOIN delivery AS v ON v.id = h.delivery "
    "CROSS JOIN dispatch AS d ON d.delivery = v.sequence "
    "WHERE h.first_at_ms >= ?1 AND h.first_at_ms < ?2 AND NOT EXISTS (SELECT 1 FROM dispatch AS "
    "newer WHERE newer.delivery = d.delivery AND newer.downstream = d.downstream AND "
    "newer.generation > d.generation) GROUP BY d.state, started, reported"
};
constexpr Query kAccountDay{
    "account_day", "INSERT INTO accounted_day (from_ms) VALUES (?1) ON CONFLICT DO NOTHING"
};
constexpr Query kOpenPullRequests{
    "open_pull_requests",
    "SELECT number FROM pull_request WHERE upstream = ?1 AND open = 1 ORDER BY number"
};

#undef BATON_HOOK_COLUMNS

domain::SentHook hook_row(const Rows& row) {
    return {
        .newest =
            {.id = row.integer(4),
             .delivery = DeliveryId(row.text(0)),
             .event = row.text(1),
             .action = row.text(2),
             .at = row.time(5),
             .status = static_cast<int>(row.integer(6)),
             .redelivery = row.integer(7) != 0},
        .first_at = row.time(3),
        .asked = static_cast<int>(row.integer(8)),
        .asked_at = row.maybe_time(9),
        .in_ledger = row.integer(10) != 0,
    };
}

} // namespace

std::optional<domain::Walk> last_walk(Connection& db) {
    auto rows = db.rows(kLastWalk);
    if (!rows.next()) {
        return std::nullopt;
    }
    return domain::Walk{.born = rows.time(0), .until = rows.time(1), .ended_at = rows.time(2)};
}

void note_hooks(Connection& db, const std::vector<domain::HookTry>& tries) {
    for (const auto& line : tries) {
        db.run(
            kNoteHook,
            line.delivery.text(),
            line.event,
            line.action,
            line.id,
            line.at,
            line.status,
            line.redelivery,
            domain::may_concern(line.event, line.action)
        );
    }
}

void end_walk(Connection& db, TimePoint until, TimePoint now) {
    db.run(kEndWalk, until, now);
    db.run(kForgetHooks, TimePoint(until - limits::kHooksKept));
}

std::vector<domain::SentHook> hooks_astray(Connection& db, std::size_t limit) {
    std::vector<domain::SentHook> found;
    auto rows = db.rows(kHooksAstray, limit);
    while (rows.next()) {
        found.push_back(hook_row(rows));
    }
    return found;
}

bool note_asked(Connection& db, const DeliveryId& id, int asked, TimePoint now) {
    if (db.change(kNoteAsked, id.text(), asked, now) == 0) {
        return false;
    }
    write_line(
        db,
        {.at = now,
         .kind = kAskedAgain,
         .delivery = id.text(),
         .dispatch = std::nullopt,
         .detail = asked_again_detail(asked + 1)}
    );
    return true;
}

void note_not_asked(Connection& db, const DeliveryId& id, int asked, TimePoint now) {
    if (db.change(kNotAsked, id.text(), asked) == 0) {
        return;
    }
    write_line(
        db,
        {.at = now,
         .kind = kNotAskedAgain,
         .delivery = id.text(),
         .dispatch = std::nullopt,
         .detail = kLimitLasts}
    );
}

domain::Completeness completeness(Connection& db, TimePoint from, TimePoint until) {
    domain::Completeness day{.from = from, .until = until};
    {
        auto rows = db.rows(kHooksOfDay, from, until);
        while (rows.next()) {
            count(day, hook_row(rows));
        }
    }
    auto rows = db.rows(kDispatchesOfDay, from, until);
    while (rows.next()) {
        if (const auto state = domain::dispatch_state_named(rows.view(0))) {
            const Heard heard{.started = rows.integer(1) != 0, .reported = rows.integer(2) != 0};
            count(day, *state, heard, static_cast<std::size_t>(rows.integer(3)));
        }
    }
    return day;
}

bool record_completeness(Connection& db, const domain::Completeness& day, TimePoint now) {
    if (db.change(kAccountDay, day.from) == 0) {
        return false;
    }
    write_line(
        db,
        {.at = now,
         .kind = kDayCompleted,
         .delivery = {},
         .dispatch = std::nullopt,
         .detail = day_completed_detail(day)}
    );
    return true;
}

std::vector<PrNumber> open_pull_requests(Connection& db, const RepoName& upstream) {
    std::vector<PrNumber> found;
    auto rows = db.rows(kOpenPullRequests, upstream.text());
    while (rows.next()) {
        found.push_back(PrNumber{rows.integer(0)});
    }
    return found;
}

} // namespace baton::store::sql::verbs
