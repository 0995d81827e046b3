#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/operators.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/operators.hpp"
#include "baton/store/sql/rows.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace baton::store::sql::operators {

namespace {

constexpr std::int64_t kHour = 3'600'000; // milliseconds

// Looked for first rather than left to ON CONFLICT: that would use up an id.
constexpr Query kOnceMore{
    "refusal_once_more",
    "UPDATE refusal SET n = n + ?8, status = ?4, detail = ?5, delivery = ?6, last_at_ms = CASE "
    "WHEN last_at_ms > ?7 THEN last_at_ms ELSE ?7 END WHERE downstream = ?1 AND reason = ?2 "
    "AND hour_ms = ?3"
};
constexpr Query kFirst{
    "refusal_first",
    "INSERT INTO refusal (downstream, reason, hour_ms, status, detail, delivery, first_at_ms, "
    "last_at_ms, n) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)"
};
constexpr Query kTell{"refusal_news", "INSERT INTO news (topic) VALUES ('relay')"};

constexpr Query kAll{
    "refusals",
    "SELECT id, downstream, reason, status, detail, delivery, first_at_ms, last_at_ms, n "
    "FROM refusal WHERE id < ?1 ORDER BY id DESC"
};
constexpr Query kOfDownstream{
    "refusals_of_downstream",
    "SELECT id, downstream, reason, status, detail, delivery, first_at_ms, last_at_ms, n "
    "FROM refusal INDEXED BY refusal_of_downstream WHERE id < ?1 AND downstream = ?2 "
    "ORDER BY id DESC"
};
constexpr Query kForReason{
    "refusals_for_reason",
    "SELECT id, downstream, reason, status, detail, delivery, first_at_ms, last_at_ms, n "
    "FROM refusal INDEXED BY refusal_for_reason WHERE id < ?1 AND reason = ?2 ORDER BY id DESC"
};
constexpr Query kTotals{
    "refusal_totals",
    "SELECT downstream, reason, sum(n), max(last_at_ms) FROM refusal INDEXED BY "
    "refusal_in_hour WHERE hour_ms >= ?1 GROUP BY downstream, reason ORDER BY downstream, "
    "reason"
};

ports::RefusalGroup group_in(const Rows& row) {
    return {
        .id = row.integer(0),
        .newest =
            {.downstream = repo_name(row.view(1)),
             .reason = row.text(2),
             .status = static_cast<int>(row.integer(3)),
             .detail = row.text(4),
             .delivery = row.text(5),
             .at = row.time(7)},
        .first_at = row.time(6),
        .count = static_cast<std::size_t>(row.integer(8)),
    };
}

Rows rows_for(Connection& db, const ports::RefusalQuery& query) {
    const auto before = query.before.value_or(std::numeric_limits<std::int64_t>::max());
    if (query.downstream) {
        return db.rows(kOfDownstream, before, query.downstream->text());
    }
    return query.reason.empty() ? db.rows(kAll, before) : db.rows(kForReason, before, query.reason);
}

} // namespace

/// Open pages hear of a new kind of refusal, not of each one: whoever floods us must not make them
/// load for ever.
void keep_refusals(Connection& db, const std::vector<ports::Refusal>& refusals) {
    bool news = false;
    for (const auto& refusal : refusals) {
        const auto at = to_ms(refusal.at);
        const auto write = [&](const Query& query) {
            return db.change(
                query,
                refusal.downstream.text(),
                refusal.reason,
                at - at % kHour,
                refusal.status,
                refusal.detail,
                refusal.delivery,
                at,
                refusal.count
            );
        };
        if (write(kOnceMore) == 0) {
            write(kFirst);
            news = true;
        }
    }
    if (news) {
        db.run(kTell);
    }
}

/// Rows are stepped through one by one: at most the newest 10,000, which is all there are.
std::vector<ports::RefusalGroup> refusals(Connection& db, const ports::RefusalQuery& query) {
    std::vector<ports::RefusalGroup> found;
    auto rows = rows_for(db, query);
    while (found.size() < query.limit && rows.next()) {
        auto group = group_in(rows);
        const bool wanted = query.reason.empty() || group.newest.reason == query.reason;
        const auto& downstream = group.newest.downstream;
        if (wanted && (downstream.empty() || query.shown(downstream))) {
            found.push_back(std::move(group));
        }
    }
    return found;
}

std::vector<ports::RefusalTotal> refusal_totals(Connection& db, TimePoint from) {
    std::vector<ports::RefusalTotal> totals;
    auto rows = db.rows(kTotals, from);
    while (rows.next()) {
        totals.push_back({
            .downstream = repo_name(rows.view(0)),
            .reason = rows.text(1),
            .count = static_cast<std::size_t>(rows.integer(2)),
            .last_at = rows.time(3),
        });
    }
    return totals;
}

} // namespace baton::store::sql::operators
