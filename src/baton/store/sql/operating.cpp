#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kSuspensions{
    "suspensions",
    "SELECT downstream, upstream, since_ms, until_ms, reason, actor FROM suspension "
    "WHERE until_ms IS NULL OR until_ms > ?1 ORDER BY downstream, upstream"
};
constexpr Query kSuspend{
    "suspend",
    "INSERT OR REPLACE INTO suspension (downstream, upstream, since_ms, until_ms, reason, "
    "actor) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    "INSERT INTO suspension (downstream, upstream, since_ms, until_ms, reason, actor) VALUES "
    "($1, $2, $3, $4, $5, $6) ON CONFLICT (downstream, upstream) DO UPDATE SET downstream = "
    "excluded.downstream, upstream = excluded.upstream, since_ms = excluded.since_ms, until_ms "
    "= excluded.until_ms, reason = excluded.reason, actor = excluded.actor"
};
constexpr Query kResume{
    "resume", "DELETE FROM suspension WHERE downstream = ?1 AND (upstream = ?2 OR ?2 IS NULL)"
};

constexpr Query kPin{
    "pin", "SELECT repo, repository_id, owner_id, pinned_at_ms, actor FROM pin WHERE repo = ?1"
};
constexpr Query kRepin{
    "repin",
    "INSERT INTO pin (repo, repository_id, owner_id, pinned_at_ms, actor) VALUES (?1, ?2, ?3, "
    "?4, ?5) ON CONFLICT (repo) DO UPDATE SET repo = excluded.repo, repository_id = "
    "excluded.repository_id, owner_id = excluded.owner_id, pinned_at_ms = "
    "excluded.pinned_at_ms, actor = excluded.actor"
};

constexpr Query kShadow{"shadow", "SELECT since_ms FROM shadow WHERE one = 1"};
constexpr Query kShadowBegins{"shadow_begins", "INSERT INTO shadow (one, since_ms) VALUES (1, ?1)"};
constexpr Query kShadowEnds{"shadow_ends", "DELETE FROM shadow WHERE one = 1"};
constexpr Query kAllPending{
    "all_pending",
    "SELECT " BATON_DISPATCH_COLUMNS " FROM dispatch_row AS r WHERE state = 'pending' ORDER BY id"
};
constexpr Query kUnplanned{
    "unplanned", "SELECT sequence, id FROM delivery WHERE state = 'to_plan' ORDER BY sequence"
};
constexpr Query kLeaveUnplanned{
    "leave_unplanned", "UPDATE delivery SET state = 'planned' WHERE sequence = ?1"
};

void tell(Connection& db, TimePoint at, std::string_view kind, const std::string& detail) {
    write_line(
        db, {.at = at, .kind = kind, .delivery = {}, .dispatch = std::nullopt, .detail = detail}
    );
}

std::vector<std::pair<std::int64_t, std::string>> unplanned(Connection& db) {
    std::vector<std::pair<std::int64_t, std::string>> found;
    auto rows = db.rows(kUnplanned);
    while (rows.next()) {
        found.emplace_back(rows.integer(0), rows.text(1));
    }
    return found;
}

std::optional<TimePoint> shadow_since(Connection& db) {
    auto rows = db.rows(kShadow);
    return rows.next() ? std::optional(rows.time(0)) : std::nullopt;
}

Result<ports::ModeChange> begin_shadow(Connection& db, TimePoint now) {
    if (shadow_since(db)) {
        return ports::ModeChange{};
    }
    const LiveWork left{
        .pending = dispatch_rows(db.rows(kAllPending)).size(),
        .to_plan = unplanned(db).size(),
        .checks = check_counts(db),
    };
    if (is_any(left)) {
        return fail(Errc::conflict, shadow_refusal(left));
    }
    db.run(kShadowBegins, now);
    tell(db, now, kShadowBegan, "");
    return ports::ModeChange{};
}

} // namespace

std::vector<domain::Suspension> suspensions(Connection& db, TimePoint now) {
    std::vector<domain::Suspension> found;
    auto rows = db.rows(kSuspensions, now);
    while (rows.next()) {
        found.push_back({
            .downstream = repo_name(rows.view(0)),
            .upstream = repo_name(rows.view(1)),
            .since = rows.time(2),
            .until = rows.maybe_time(3),
            .reason = rows.text(4),
            .actor = rows.text(5),
        });
    }
    return found;
}

void suspend(Connection& db, const domain::Suspension& suspension) {
    db.run(
        kSuspend,
        suspension.downstream.text(),
        suspension.upstream.text(),
        suspension.since,
        suspension.until,
        suspension.reason,
        suspension.actor
    );
    tell(db, suspension.since, kSuspended, suspended_detail(suspension));
}

std::size_t resume(Connection& db, const ports::Resumption& resumption) {
    std::size_t lifted = 0;
    for (const auto& one : suspensions(db, resumption.now)) {
        if (one.downstream == resumption.downstream &&
            (!resumption.upstream || one.upstream == *resumption.upstream)) {
            tell(db, resumption.now, kResumed, resumed_detail(one, resumption.actor));
            ++lifted;
        }
    }
    const auto upstream =
        resumption.upstream ? std::optional(resumption.upstream->text()) : std::nullopt;
    db.run(kResume, resumption.downstream.text(), upstream);
    return lifted;
}

Result<void> insert_test(Connection& db, const ports::TestDispatch& test) {
    const auto& body = test.delivery.body;
    if (!insert_delivery(db, test.delivery, body.size(), compress(body))) {
        return fail(
            Errc::conflict, fmt::format("delivery {} is there already", test.delivery.id.text())
        );
    }
    BATON_TRY(const auto receipt, commit_plan(db, plan_of(test)));
    static_cast<void>(receipt);
    const auto detail = tested_by(test.actor);
    write_line(
        db,
        {.at = test.now,
         .kind = kTested,
         .delivery = test.delivery.id.text(),
         .dispatch = std::nullopt,
         .detail = detail}
    );
    return {};
}

std::optional<ports::Pin> pin_of(Connection& db, const RepoName& repo) {
    auto rows = db.rows(kPin, repo.text());
    if (!rows.next()) {
        return std::nullopt;
    }
    return ports::Pin{
        .repo = repo_name(rows.view(0)),
        .repository_id = rows.integer(1),
        .owner_id = rows.integer(2),
        .pinned_at = rows.time(3),
        .actor = rows.text(4),
    };
}

ports::Pin pin_first(Connection& db, const ports::Pin& pin) {
    if (auto known = pin_of(db, pin.repo)) {
        return *std::move(known);
    }
    db.run(kRepin, pin.repo.text(), pin.repository_id, pin.owner_id, pin.pinned_at, pin.actor);
    tell(db, pin.pinned_at, kPinned, pin_detail(std::nullopt, pin));
    return pin;
}

std::optional<ports::Pin> repin(Connection& db, const ports::Pin& pin) {
    auto before = pin_of(db, pin.repo);
    db.run(kRepin, pin.repo.text(), pin.repository_id, pin.owner_id, pin.pinned_at, pin.actor);
    tell(db, pin.pinned_at, kRepinned, pin_detail(before, pin));
    return before;
}

Result<ports::ModeChange> enter_mode(Connection& db, ports::Mode mode, TimePoint now) {
    if (mode == ports::Mode::shadow) {
        return begin_shadow(db, now);
    }
    ports::ModeChange change{.shadow_since = shadow_since(db)};
    if (!change.shadow_since) {
        return change;
    }
    db.run(kShadowEnds);
    const Rest rest{
        .state = domain::DispatchState::cancelled, .reason = std::string(kShadowLeft), .now = now
    };
    for (const auto& row : dispatch_rows(db.rows(kAllPending))) {
        change.rested += bring_to_rest(db, row, rest) ? 1U : 0U;
    }
    for (const auto& [sequence, id] : unplanned(db)) {
        db.run(kLeaveUnplanned, sequence);
        write_line(
            db,
            {.at = now,
             .kind = kNotPlanned,
             .delivery = id,
             .dispatch = std::nullopt,
             .detail = kShadowLeft}
        );
        ++change.unplanned;
    }
    leave_checks_behind(db, now);
    tell(db, now, kShadowEnded, shadow_ended_detail(change));
    return change;
}

} // namespace baton::store::sql::verbs
