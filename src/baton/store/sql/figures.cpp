#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
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
#include <vector>

namespace baton::store::sql::verbs {

namespace {

// Which downstreams there are is found by seeks from name to name, so that it costs as much as
// there are names.
constexpr Query kNextName{
    "next_downstream_with_history",
    "SELECT min(name COLLATE NOCASE) FROM (SELECT min(downstream) AS name FROM dispatch "
    "INDEXED BY dispatch_sent WHERE sent_at_ms IS NOT NULL AND downstream > ?1 UNION ALL "
    "SELECT min(downstream) FROM dispatch INDEXED BY dispatch_due WHERE state = 'pending' AND "
    "downstream > ?1 UNION ALL SELECT min(downstream) FROM dispatch INDEXED BY "
    "dispatch_unhappy WHERE state IN ('failed', 'dead') AND downstream > ?1) AS names",
    "SELECT min(name) FROM (SELECT min(downstream) AS name FROM dispatch WHERE sent_at_ms IS "
    "NOT NULL AND downstream > $1 UNION ALL SELECT min(downstream) FROM dispatch WHERE state = "
    "'pending' AND downstream > $1 UNION ALL SELECT min(downstream) FROM dispatch WHERE state "
    "IN ('failed', 'dead') AND downstream > $1) AS names"
};
constexpr Query kPendingOf{
    "count_pending_of",
    "SELECT count(*) FROM dispatch INDEXED BY dispatch_due WHERE state = 'pending' AND downstream "
    "= ?1"
};
constexpr Query kFailedOf{
    "count_failed_of",
    "SELECT count(*) FROM dispatch AS d INDEXED BY dispatch_unhappy "
    "WHERE state IN ('failed', 'dead') AND downstream = ?1 AND NOT EXISTS ("
    "SELECT 1 FROM dispatch AS newer WHERE newer.delivery = d.delivery "
    "AND newer.downstream = d.downstream AND newer.generation > d.generation)"
};
constexpr Query kLastSentOf{
    "last_sent_of",
    "SELECT max(sent_at_ms) FROM dispatch INDEXED BY dispatch_sent "
    "WHERE sent_at_ms IS NOT NULL AND downstream = ?1"
};
constexpr Query kSentTodayOf{
    "sent_today_of",
    "SELECT count(*) FROM dispatch INDEXED BY dispatch_sent WHERE downstream = ?1 AND sent_at_ms > "
    "?2"
};
constexpr Query kNewestUnhappy{
    "newest_unhappy",
    "SELECT max(id) FROM dispatch INDEXED BY dispatch_unhappy "
    "WHERE state IN ('failed', 'dead') AND downstream = ?1"
};
constexpr Query kNewestRetry{
    "newest_retry",
    "SELECT max(id) FROM dispatch INDEXED BY dispatch_due "
    "WHERE state = 'pending' AND downstream = ?1 AND attempts > 0 AND reason <> ''"
};
constexpr Query kTrouble{
    "trouble_of",
    "SELECT reason, coalesce((SELECT started_at_ms FROM attempt WHERE dispatch = d.id "
    "ORDER BY number DESC LIMIT 1), created_at_ms) FROM dispatch AS d WHERE id = ?1"
};

constexpr Query kNextUpstream{
    "next_upstream",
    "SELECT min(upstream) FROM allowlist_version INDEXED BY allowlist_of_upstream WHERE upstream > "
    "?1"
};
constexpr Query kAllowlistAt{
    "allowlist_at",
    "SELECT upstream, source, mark, text, in_force_at_ms FROM allowlist_version "
    "WHERE upstream = ?1 AND in_force_at_ms <= ?2 ORDER BY id DESC LIMIT 1"
};

std::optional<std::int64_t> number_in(Rows rows) {
    return rows.next() ? rows.maybe_integer(0) : std::nullopt;
}

std::size_t count_in(Rows rows) {
    return rows.next() ? static_cast<std::size_t>(rows.integer(0)) : 0U;
}

std::optional<std::string> name_in(Rows rows) {
    return rows.next() && !rows.is_null(0) ? std::optional(rows.text(0)) : std::nullopt;
}

ports::DownstreamFigures
figures_of(Connection& db, const std::string& downstream, TimePoint a_day_ago) {
    ports::DownstreamFigures figures;
    figures.downstream = repo_name(downstream);
    figures.pending = count_in(db.rows(kPendingOf, downstream));
    figures.failed = count_in(db.rows(kFailedOf, downstream));
    figures.sent_today = count_in(db.rows(kSentTodayOf, downstream, a_day_ago));
    if (const auto sent = number_in(db.rows(kLastSentOf, downstream))) {
        figures.last_sent = from_ms(*sent);
    }
    const auto newest = std::max(
        number_in(db.rows(kNewestUnhappy, downstream)), number_in(db.rows(kNewestRetry, downstream))
    );
    if (newest) {
        auto rows = db.rows(kTrouble, *newest);
        if (rows.next()) {
            figures.last_error = rows.text(0);
            figures.last_error_at = rows.time(1);
        }
    }
    return figures;
}

} // namespace

std::vector<ports::DownstreamFigures> downstream_figures(Connection& db, TimePoint now) {
    std::vector<ports::DownstreamFigures> all;
    const auto a_day_ago = now - std::chrono::hours{24};
    for (auto name = name_in(db.rows(kNextName, std::string())); name;
         name = name_in(db.rows(kNextName, *name))) {
        all.push_back(figures_of(db, *name, a_day_ago));
    }
    return all;
}

std::vector<ports::AllowlistVersion> allowlists_at(Connection& db, TimePoint when) {
    std::vector<ports::AllowlistVersion> all;
    for (auto name = name_in(db.rows(kNextUpstream, std::string())); name;
         name = name_in(db.rows(kNextUpstream, *name))) {
        auto rows = db.rows(kAllowlistAt, *name, when);
        if (rows.next()) {
            all.push_back(allowlist_row(rows));
        }
    }
    return all;
}

} // namespace baton::store::sql::verbs
