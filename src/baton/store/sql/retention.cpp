#include "baton/ports/retention.hpp"

#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verbs.hpp"

#include <cstddef>
#include <cstdint>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kBodiesAfter{
    "bodies_after",
    "SELECT b.sequence, v.received_at_ms FROM delivery_body AS b CROSS JOIN delivery AS v USING "
    "(sequence) WHERE b.sequence > ?1 ORDER BY b.sequence LIMIT ?2"
};
// It goes by the bodies that are left, never by the deliveries between them, of which there may be
// many more.
constexpr Query kPruneBodies{
    "prune_bodies",
    "DELETE FROM delivery_body WHERE sequence IN (SELECT b.sequence FROM delivery_body AS b CROSS "
    "JOIN delivery AS v USING (sequence) WHERE b.sequence > ?1 AND b.sequence <= ?2 AND "
    "v.received_at_ms < ?3 AND v.state <> 'to_plan' "
    "AND NOT EXISTS (SELECT 1 FROM dispatch AS d WHERE d.state = 'pending' AND d.delivery = "
    "v.sequence) "
    "AND NOT EXISTS (SELECT 1 FROM pull_request AS p WHERE p.upstream = v.repository AND p.number "
    "= v.pr_number AND (p.open = 1 OR coalesce(p.closed_at_ms, p.updated_at_ms) >= ?3) AND "
    "(p.newest_forwarded = v.id OR NOT EXISTS (SELECT 1 FROM delivery AS newer WHERE "
    "newer.pr_number = v.pr_number AND newer.sequence > v.sequence AND newer.repository = "
    "v.repository))))"
};

// PostgreSQL's alone: the months that will be written to, and those that are over.
constexpr Query kKeepMonths{"keep_months", "SELECT 0 WHERE ?1 > ?2", "SELECT keep_months($1, $2)"};

/// The bodies that one step looks at.
struct Stretch {
    std::int64_t last{0};
    std::size_t count{0};
    bool any_old{false};
};

Stretch stretch_after(Connection& db, const ports::PruneQuery& query, TimePoint cut) {
    Stretch stretch{.last = query.after};
    auto rows = db.rows(kBodiesAfter, query.after, query.limit);
    while (rows.next()) {
        stretch.last = rows.integer(0);
        ++stretch.count;
        stretch.any_old = stretch.any_old || rows.time(1) < cut;
    }
    return stretch;
}

} // namespace

ports::PruneStep prune_bodies(Connection& db, const ports::PruneQuery& query) {
    const TimePoint cut = query.now - query.keep_for;
    const auto stretch = stretch_after(db, query, cut);
    ports::PruneStep step;
    if (stretch.any_old) { // otherwise everything after is newer still
        step.removed =
            static_cast<std::size_t>(db.change(kPruneBodies, query.after, stretch.last, cut));
        if (stretch.count == query.limit) {
            step.next = stretch.last;
        }
    }
    if (!step.next && db.engine().kind() == "postgresql") {
        db.rows(kKeepMonths, query.now, cut).next();
    }
    return step;
}

} // namespace baton::store::sql::verbs
