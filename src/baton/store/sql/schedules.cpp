#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kMarks{
    "schedule_marks",
    "SELECT upstream, downstream, last_due_ms, last_missed, missed FROM schedule "
    "ORDER BY upstream, downstream"
};
// Both change nothing unless it is later than the mark.
constexpr Query kFired{
    "schedule_fired",
    "INSERT INTO schedule (upstream, downstream, last_due_ms, last_missed, missed) VALUES (?1, "
    "?2, ?3, '', 0) ON CONFLICT (upstream, downstream) DO UPDATE SET last_due_ms = ?3, "
    "last_missed = '' WHERE schedule.last_due_ms < ?3"
};
constexpr Query kMissed{
    "schedule_missed",
    "INSERT INTO schedule (upstream, downstream, last_due_ms, last_missed, missed) VALUES (?1, "
    "?2, ?3, ?4, ?5) ON CONFLICT (upstream, downstream) DO UPDATE SET last_due_ms = ?3, "
    "last_missed = ?4, missed = schedule.missed + ?5 WHERE schedule.last_due_ms < ?3"
};
constexpr Query kMissedOn{
    "schedule_missed_on",
    "INSERT INTO schedule_missed (upstream, downstream, due_ms) VALUES (?1, ?2, ?3) ON "
    "CONFLICT DO NOTHING"
};

} // namespace

std::vector<ports::ScheduleMark> schedule_marks(Connection& db) {
    std::vector<ports::ScheduleMark> marks;
    auto rows = db.rows(kMarks);
    while (rows.next()) {
        marks.push_back({
            .upstream = repo_name(rows.view(0)),
            .downstream = repo_name(rows.view(1)),
            .last_due = rows.time(2),
            .last_missed = rows.text(3),
            .missed = static_cast<std::size_t>(rows.integer(4)),
        });
    }
    return marks;
}

Result<bool> fire_schedule(Connection& db, const ports::ScheduledRun& run) {
    const auto& dispatch = run.dispatch;
    if (db.change(kFired, dispatch.upstream.text(), dispatch.key.downstream.text(), run.due) == 0) {
        return false;
    }
    const auto& body = run.delivery.body;
    if (!insert_delivery(db, run.delivery, body.size(), compress(body))) {
        return fail(
            Errc::conflict, fmt::format("delivery {} is there already", run.delivery.id.text())
        );
    }
    BATON_TRY(const auto receipt, commit_plan(db, plan_of(run)));
    static_cast<void>(receipt);
    write_line(
        db,
        {.at = run.now,
         .kind = kScheduled,
         .delivery = run.delivery.id.text(),
         .dispatch = std::nullopt,
         .detail = scheduled_for(run.due)}
    );
    return true;
}

bool miss_schedule(Connection& db, const ports::MissedRun& run) {
    const auto& upstream = run.upstream.text();
    const auto& downstream = run.downstream.text();
    const auto reason = run.excused ? std::string{} : run.reason;
    const std::int64_t missed = run.excused ? 0 : 1;
    if (db.change(kMissed, upstream, downstream, run.due, reason, missed) == 0) {
        return false;
    }
    if (!run.excused) {
        db.run(kMissedOn, upstream, downstream, run.due);
    }
    write_line(
        db,
        {.at = run.now,
         .kind = run.excused ? kScheduleExcused : kScheduleMissed,
         .delivery = {},
         .dispatch = std::nullopt,
         .detail = schedule_missed_detail(run)}
    );
    return true;
}

} // namespace baton::store::sql::verbs
