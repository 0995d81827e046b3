#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/levels.hpp"

#include <chrono>

namespace baton::store::sql::levels {

namespace {

constexpr Millis kHour{std::chrono::hours{1}};

constexpr Query kMade{
    "ladder_made",
    "SELECT d.state, d.sent_at_ms, a.started_at_ms FROM dispatch AS d INDEXED BY "
    "dispatch_made_for LEFT JOIN attempt AS a ON a.dispatch = d.id AND a.number = 1 WHERE "
    "d.upstream = ?1 AND d.created_at_ms >= ?2 AND d.created_at_ms < ?3 ORDER BY "
    "d.created_at_ms, d.id"
};

} // namespace

ports::SendingHealth
sending(Connection& db, const RepoName& upstream, const ports::ViewWindow& window) {
    ports::SendingHealth health;
    auto rows = db.rows(kMade, upstream.text(), window.from, window.until);
    while (rows.next()) {
        ++health.dispatches;
        const auto tried = rows.maybe_time(2);
        const auto sent = rows.maybe_time(1);
        const bool waits = rows.view(0) == "pending" || sent;
        const bool late = tried && waits && sent.value_or(window.until) > *tried + kHour;
        if (late || rows.view(0) == "dead") {
            ++health.unsent;
        }
    }
    return health;
}

} // namespace baton::store::sql::levels
