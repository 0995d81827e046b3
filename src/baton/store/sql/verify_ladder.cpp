#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verify_checks.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>

namespace baton::store::sql {

namespace {

constexpr Query kStandingCount{"ladder_standing_count", "SELECT count(*) FROM ladder_standing"};
constexpr Query kAstray{
    "ladder_astray",
    "SELECT s.upstream, s.downstream, s.state, s.effective, t.to_state, t.to_level "
    "FROM ladder_standing AS s CROSS JOIN ladder_transition AS t ON t.id = ("
    "SELECT max(id) FROM ladder_transition AS l WHERE l.upstream = s.upstream AND "
    "l.downstream = s.downstream) "
    "WHERE (s.state, s.effective) <> (t.to_state, t.to_level) LIMIT 100"
};
constexpr Query kUnmoved{
    "ladder_unmoved",
    "SELECT s.upstream, s.downstream, s.state, s.effective, s.listed FROM ladder_standing AS s "
    "WHERE (s.state <> 'ok' OR s.effective <> s.listed) AND NOT EXISTS ("
    "SELECT 1 FROM ladder_transition AS l WHERE l.upstream = s.upstream AND "
    "l.downstream = s.downstream) LIMIT 100"
};

} // namespace

/// Where a downstream stands is where its last move led; without one it is as the list says.
Checked check_ladder(Connection& db) {
    Checked checked{.what = "levels", .count = number_of(db, kStandingCount), .findings = {}};
    {
        auto rows = db.rows(kAstray);
        while (rows.next()) {
            note(
                checked,
                fmt::format(
                    "{} of {} is kept as {} at L{}, and its last move led to {} at L{}",
                    rows.view(1),
                    rows.view(0),
                    rows.view(2),
                    rows.integer(3),
                    rows.view(4),
                    rows.integer(5)
                )
            );
        }
    }
    auto rows = db.rows(kUnmoved);
    while (rows.next()) {
        note(
            checked,
            fmt::format(
                "{} of {} is kept as {} at L{} of L{}, and nothing moved it",
                rows.view(1),
                rows.view(0),
                rows.view(2),
                rows.integer(3),
                rows.integer(4)
            )
        );
    }
    return checked;
}

} // namespace baton::store::sql
