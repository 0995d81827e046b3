#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/share.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

// --- due: a few seeks per downstream that has anything pending, whatever the backlog

constexpr Query kNextDownstream{
    "next_downstream",
    "SELECT downstream FROM dispatch INDEXED BY dispatch_due WHERE state = 'pending' AND "
    "downstream > ?1 "
    "ORDER BY downstream LIMIT 1"
};
constexpr Query kDueOf{
    "due_of_downstream",
    "SELECT count(*), min(due_at_ms), max(level) FROM (SELECT due_at_ms, level FROM dispatch "
    "INDEXED BY dispatch_due WHERE state = 'pending' AND downstream = ?1 AND due_at_ms <= ?2 "
    "AND lease_until_ms <= ?2 ORDER BY due_at_ms LIMIT ?3) AS due"
};
// The same while some suspension names the downstream: the rows themselves say of which upstream
// they are.
constexpr Query kFreeDueOf{
    "free_due_of_downstream",
    "SELECT count(*), min(due_at_ms), max(level) FROM (SELECT due_at_ms, level FROM dispatch "
    "AS d INDEXED BY dispatch_due WHERE state = 'pending' AND downstream = ?1 AND due_at_ms <= "
    "?2 AND lease_until_ms <= ?2 AND NOT EXISTS (SELECT 1 FROM suspension AS s WHERE "
    "s.downstream = ?1 AND s.upstream IN ('', d.upstream) AND (s.until_ms IS NULL OR "
    "s.until_ms > ?2)) ORDER BY due_at_ms LIMIT ?3) AS due"
};
constexpr Query kNextDueOf{
    "next_due_of_downstream",
    "SELECT due_at_ms FROM dispatch INDEXED BY dispatch_due WHERE state = 'pending' AND downstream "
    "= ?1 "
    "AND due_at_ms > ?2 ORDER BY due_at_ms LIMIT 1"
};
constexpr Query kNextLeaseEnd{
    "next_lease_end",
    "SELECT lease_until_ms FROM dispatch INDEXED BY dispatch_leased WHERE state = 'pending' AND "
    "lease_until_ms > 0 "
    "AND lease_until_ms > ?1 ORDER BY lease_until_ms LIMIT 1"
};
// Whole slots come summed, only the slot that the cut goes through is counted by rows
// (0002_dispatch.sql).
constexpr Query kSentSince{
    "sent_since",
    "SELECT (SELECT coalesce(sum(sent), 0) FROM sent_slot WHERE downstream = ?1 AND slot_ms > ?2) "
    "+ "
    "(SELECT count(*) FROM dispatch INDEXED BY dispatch_sent WHERE downstream = ?1 AND sent_at_ms "
    "> ?2 "
    "AND sent_at_ms < ?2 - ?2 % 600000 + 600000)"
};
constexpr Query kRunningSince{
    "running_since",
    "SELECT (SELECT coalesce(sum(running), 0) FROM sent_slot WHERE downstream = ?1 AND slot_ms > "
    "?2) + "
    "(SELECT count(*) FROM dispatch INDEXED BY dispatch_sent WHERE downstream = ?1 AND sent_at_ms "
    "> ?2 "
    "AND sent_at_ms < ?2 - ?2 % 600000 + 600000 AND state IN ('sent', 'started'))"
};

std::optional<std::int64_t> one_number(Rows rows) {
    return rows.next() ? rows.maybe_integer(0) : std::nullopt;
}

std::optional<std::string> next_downstream(Connection& db, const std::string& after) {
    auto rows = db.rows(kNextDownstream, after);
    return rows.next() ? std::optional(rows.text(0)) : std::nullopt;
}

std::size_t counted(std::optional<std::int64_t> number) {
    return static_cast<std::size_t>(number.value_or(0));
}

bool is_named(const std::vector<domain::Suspension>& suspensions, const RepoName& downstream) {
    return std::ranges::find(suspensions, downstream, &domain::Suspension::downstream) !=
           suspensions.end();
}

/// nullopt when nothing of it is due. Suspensions are few and mostly none: only a downstream that
/// one names is asked the slower question.
std::optional<domain::Waiting> waiting_of(
    Connection& db,
    const std::string& downstream,
    const ports::DueQuery& query,
    const std::vector<domain::Suspension>& suspensions
) {
    domain::Waiting waiting;
    {
        const auto& due_of = is_named(suspensions, repo_name(downstream)) ? kFreeDueOf : kDueOf;
        auto rows = db.rows(due_of, downstream, query.now, limits::kInFlightMax);
        if (!rows.next() || rows.integer(0) == 0) {
            return std::nullopt;
        }
        waiting.due = static_cast<std::size_t>(rows.integer(0));
        waiting.oldest_due = rows.time(1);
        waiting.level = static_cast<domain::Level>(rows.integer(2));
    }
    const auto a_day_ago = query.now - std::chrono::hours{24};
    waiting.downstream = repo_name(downstream);
    const auto running_from = query.now - ports::running_for_of(query, waiting.downstream);
    waiting.running = counted(one_number(db.rows(kRunningSince, downstream, running_from)));
    waiting.sent_today = counted(one_number(db.rows(kSentSince, downstream, a_day_ago)));
    return waiting;
}

void keep_earliest(std::optional<TimePoint>& earliest, std::optional<std::int64_t> ms) {
    if (ms && (!earliest || from_ms(*ms) < *earliest)) {
        earliest = from_ms(*ms);
    }
}

} // namespace

ports::DueView due(Connection& db, const ports::DueQuery& query) {
    ports::DueView view;
    const auto held = suspensions(db, query.now);
    for (auto at = next_downstream(db, ""); at; at = next_downstream(db, *at)) {
        if (auto waiting = waiting_of(db, *at, query, held)) {
            view.waiting.push_back(*std::move(waiting));
        }
        keep_earliest(view.next_due, one_number(db.rows(kNextDueOf, *at, query.now)));
    }
    keep_earliest(view.next_due, one_number(db.rows(kNextLeaseEnd, query.now)));
    return view;
}

} // namespace baton::store::sql::verbs
