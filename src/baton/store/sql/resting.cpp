#include "baton/store/sql/resting.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"

namespace baton::store::sql {

namespace {

constexpr Query kLine{
    "write_line",
    "INSERT INTO ledger (at_ms, kind, delivery, dispatch, detail) VALUES (?1, ?2, ?3, ?4, ?5)"
};
constexpr Query kLose{
    "lose_attempt",
    "UPDATE attempt SET outcome = 'unknown', detail = ?3 WHERE dispatch = ?1 AND number = ?2 AND "
    "outcome IS NULL"
};
constexpr Query kMark{
    "mark_dispatch",
    "UPDATE dispatch SET mark = ?2, mark_reason = ?3 WHERE id = ?1 AND mark IS NULL"
};
constexpr Query kRest{
    "rest_dispatch",
    "UPDATE dispatch SET state = ?2, reason = ?3, lease_until_ms = 0, lease_holder = '', mark = "
    "NULL, mark_reason = '' "
    "WHERE id = ?1"
};

} // namespace

void write_line(Connection& db, const NewLine& line) {
    db.run(kLine, line.at, line.kind, line.delivery, line.dispatch, line.detail);
}

void lose_attempt(Connection& db, const domain::Dispatch& dispatch) {
    db.run(kLose, dispatch.id, dispatch.attempts, kOutcomeLost);
}

bool bring_to_rest(Connection& db, const DispatchRow& row, const Rest& rest) {
    const auto& dispatch = row.dispatch;
    if (row.lease_until > rest.now) {
        db.run(kMark, dispatch.id, name_of(rest.state), rest.reason);
        return false;
    }
    if (row.leased()) {
        lose_attempt(db, dispatch);
    }
    db.run(kRest, dispatch.id, name_of(rest.state), rest.reason);
    write_line(
        db,
        {.at = rest.now,
         .kind = name_of(rest.state),
         .delivery = dispatch.key.delivery.text(),
         .dispatch = dispatch.id,
         .detail = rest.reason}
    );
    look_at(db, dispatch, rest.now);
    return true;
}

void rest_as_marked(Connection& db, const DispatchRow& row, TimePoint now) {
    DispatchRow free = row;
    free.lease_until = TimePoint{};
    lose_attempt(db, row.dispatch);
    bring_to_rest(db, free, {.state = *row.mark, .reason = row.mark_reason, .now = now});
}

} // namespace baton::store::sql
