#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/notifying.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/notices.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kGateSuspensions{
    "gate_suspensions",
    "SELECT upstream, downstream, since_ms, reason, evidence, by_hand, actor FROM gate_suspension "
    "ORDER BY upstream, downstream"
};
constexpr Query kGateSuspension{
    "gate_suspension",
    "SELECT upstream, downstream, since_ms, reason, evidence, by_hand, actor FROM gate_suspension "
    "WHERE upstream = ?1 AND downstream = ?2"
};
constexpr Query kSuspendGate{
    "suspend_gate",
    "INSERT OR REPLACE INTO gate_suspension (upstream, downstream, since_ms, reason, evidence, "
    "by_hand, actor) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    "INSERT INTO gate_suspension (upstream, downstream, since_ms, reason, evidence, by_hand, "
    "actor) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (upstream, downstream) DO UPDATE "
    "SET upstream = excluded.upstream, downstream = excluded.downstream, since_ms = "
    "excluded.since_ms, reason = excluded.reason, evidence = excluded.evidence, by_hand = "
    "excluded.by_hand, actor = excluded.actor"
};
constexpr Query kResumeGate{
    "resume_gate", "DELETE FROM gate_suspension WHERE upstream = ?1 AND downstream = ?2"
};

std::vector<domain::GateSuspension> suspensions_in(Rows rows) {
    std::vector<domain::GateSuspension> found;
    while (rows.next()) {
        found.push_back({
            .upstream = repo_name(rows.view(0)),
            .downstream = repo_name(rows.view(1)),
            .since = rows.time(2),
            .reason = rows.text(3),
            .evidence = rows.text(4),
            .by_hand = rows.integer(5) != 0,
            .actor = rows.text(6),
        });
    }
    return found;
}

void tell(Connection& db, TimePoint at, std::string_view kind, const std::string& detail) {
    write_line(
        db, {.at = at, .kind = kind, .delivery = {}, .dispatch = std::nullopt, .detail = detail}
    );
}

} // namespace

std::vector<domain::GateSuspension> gate_suspensions(Connection& db) {
    return suspensions_in(db.rows(kGateSuspensions));
}

bool suspend_gate(Connection& db, const domain::GateSuspension& suspension) {
    const auto& upstream = suspension.upstream;
    const auto& downstream = suspension.downstream;
    const auto known = suspensions_in(db.rows(kGateSuspension, upstream.text(), downstream.text()));
    if (!known.empty() && !replaces(suspension, known.front())) {
        return false;
    }
    db.run(
        kSuspendGate,
        upstream.text(),
        downstream.text(),
        suspension.since,
        suspension.reason,
        suspension.evidence,
        suspension.by_hand,
        suspension.actor
    );
    tell(db, suspension.since, kGateSuspended, gate_suspended_detail(suspension));
    if (known.empty()) {
        notify(db, told_of_suspension(suspension, concern_of(db, upstream, downstream)));
    }
    look_again(db, {.upstream = upstream, .downstream = downstream, .now = suspension.since});
    return true;
}

bool resume_gate(Connection& db, const ports::GateResumption& resumption) {
    const auto& upstream = resumption.upstream;
    const auto& downstream = resumption.downstream;
    const auto known = suspensions_in(db.rows(kGateSuspension, upstream.text(), downstream.text()));
    if (known.empty() || (known.front().by_hand && !resumption.by_hand)) {
        return false;
    }
    db.run(kResumeGate, upstream.text(), downstream.text());
    tell(db, resumption.now, kGateResumed, gate_resumed_detail(known.front(), resumption));
    const auto began = incident_began(db, upstream, downstream).value_or(known.front().since);
    notify(db, told_of_return(resumption, concern_of(db, upstream, downstream), began));
    look_again(db, {.upstream = upstream, .downstream = downstream, .now = resumption.now});
    return true;
}

} // namespace baton::store::sql::verbs
