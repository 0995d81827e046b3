#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/operators.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/views.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::operators {

namespace {

using views::pr_in;

constexpr auto kForever = std::numeric_limits<std::int64_t>::max();
/// Rows of one list that are looked through for one page: what is hidden costs too.

constexpr Query kGivenUp{
    "given_up",
    "SELECT d.id, v.id, d.downstream, d.upstream, d.state, d.reason, d.created_at_ms, d.attempts, "
    "d.pr_number, d.event_type FROM dispatch AS d INDEXED BY dispatch_given_up CROSS JOIN delivery "
    "AS v ON v.sequence = d.delivery WHERE d.state IN ('failed', 'dead') AND d.id < ?1 AND NOT "
    "EXISTS (SELECT 1 FROM dispatch AS newer WHERE newer.delivery = d.delivery AND "
    "newer.downstream = d.downstream AND newer.generation > d.generation) ORDER BY d.id DESC"
};
constexpr Query kGivenUpAt{
    "given_up_at",
    "SELECT d.id, v.id, d.downstream, d.upstream, d.state, d.reason, d.created_at_ms, d.attempts, "
    "d.pr_number, d.event_type FROM dispatch AS d INDEXED BY dispatch_unhappy CROSS JOIN delivery "
    "AS v ON v.sequence = d.delivery WHERE d.state IN ('failed', 'dead') AND d.id < ?1 AND "
    "d.downstream = ?2 AND NOT EXISTS (SELECT 1 FROM dispatch AS newer WHERE newer.delivery = "
    "d.delivery AND newer.downstream = d.downstream AND newer.generation > d.generation) "
    "ORDER BY d.id DESC"
};
constexpr Query kDeadLetters{
    "dead_letter_views",
    "SELECT o.id, o.sink, o.lane, o.created_at_ms, o.died_at_ms, o.attempts, o.detail, "
    "coalesce(j.upstream, n.upstream), coalesce(j.downstream, n.downstream), j.pr_number, "
    "coalesce(j.event_type, n.kind) FROM outbox AS o INDEXED BY outbox_dead "
    "LEFT JOIN job AS j ON j.id = o.job LEFT JOIN notification AS n ON n.id = o.notification "
    "WHERE o.state = 'dead' AND (o.died_at_ms, o.id) < (?1, ?2) "
    "ORDER BY o.died_at_ms DESC, o.id DESC"
};
constexpr Query kStandings{
    "standings_of_delivery",
    "SELECT upstream, downstream, state, silent_at_ms FROM dispatch WHERE delivery = ?1 "
    "ORDER BY downstream, generation DESC"
};
constexpr Query kEvents{
    "downstream_events",
    "SELECT id, upstream, downstream, at_ms, kind, pr_number, head_sha, job, detail "
    "FROM downstream_event WHERE downstream = ?1 ORDER BY id DESC LIMIT ?2"
};
constexpr Query kVersions{
    "allowlist_versions",
    "SELECT upstream, source, mark, text, in_force_at_ms FROM allowlist_version WHERE upstream = "
    "?1 ORDER BY id DESC LIMIT ?2"
};
constexpr Query kActs{
    "acts",
    "SELECT sequence, at_ms, kind, delivery, dispatch, detail FROM ledger INDEXED BY "
    "ledger_of_acts WHERE kind IN ('acted', 'redelivered', 'rerun_ordered', 'suspended', "
    "'resumed', 'gate_suspended', 'gate_resumed', 'tested', 'repinned', 'letters_revived') AND "
    "sequence < ?1 ORDER BY sequence DESC LIMIT ?2"
};
constexpr Query kSchema{
    "schema", "SELECT number FROM schema_migration ORDER BY number DESC LIMIT 1"
};
constexpr Query kLeased{
    "leased",
    "SELECT count(*) FROM dispatch INDEXED BY dispatch_leased WHERE state = 'pending' AND "
    "lease_until_ms > 0 AND lease_until_ms > ?1"
};
constexpr Query kLastDelivery{
    "last_delivery",
    "SELECT received_at_ms FROM delivery WHERE sequence > 0 ORDER BY sequence DESC LIMIT 1"
};
constexpr Query kOldestBody{
    "oldest_body",
    "SELECT v.received_at_ms FROM delivery_body AS b CROSS JOIN delivery AS v USING (sequence) "
    "WHERE b.sequence > 0 ORDER BY b.sequence LIMIT 1"
};
constexpr Query kOldestResult{
    "oldest_result",
    "SELECT coalesce(completed_at_ms, started_at_ms) FROM job WHERE id > 0 ORDER BY id LIMIT 1"
};
constexpr Query kLettersWaiting{
    "letters_waiting",
    "SELECT count(*) FROM (SELECT 1 FROM outbox INDEXED BY outbox_lane WHERE state = 'waiting' "
    "AND sink = ?1 LIMIT ?2) AS counted"
};
constexpr Query kLettersDead{
    "letters_dead",
    "SELECT count(*) FROM (SELECT 1 FROM outbox INDEXED BY outbox_dead WHERE state = 'dead' "
    "AND died_at_ms > 0 AND sink = ?1 LIMIT ?2) AS counted"
};

ports::DeadDispatch dead_dispatch_in(const Rows& row) {
    return {
        .id = DispatchId{row.integer(0)},
        .delivery = row.text(1),
        .downstream = repo_name(row.view(2)),
        .upstream = repo_name(row.view(3)),
        .state = domain::dispatch_state_named(row.view(4)).value_or(domain::DispatchState::dead),
        .reason = row.text(5),
        .created_at = row.time(6),
        .attempts = static_cast<std::size_t>(row.integer(7)),
        .pr = pr_in(row, 8),
        .event_type = row.text(9),
    };
}

ports::LetterView letter_in(const Rows& row) {
    ports::LetterView letter;
    letter.id = row.integer(0);
    letter.sink = row.text(1);
    letter.lane = row.text(2);
    letter.created_at = row.time(3);
    letter.died_at = row.time(4);
    letter.attempts = static_cast<int>(row.integer(5));
    letter.detail = row.text(6);
    letter.upstream = repo_name(row.view(7));
    letter.downstream = repo_name(row.view(8));
    letter.pr = pr_in(row, 9);
    letter.event_type = row.text(10);
    return letter;
}

std::size_t number_in(Rows rows) {
    return rows.next() ? static_cast<std::size_t>(rows.integer(0)) : 0;
}

std::optional<TimePoint> time_in(Rows rows) {
    return rows.next() ? rows.maybe_time(0) : std::nullopt;
}

} // namespace

ports::GivenUpPage given_up(Connection& db, const ports::GivenUpQuery& query) {
    ports::GivenUpPage page;
    const auto before = query.before.value_or(kForever);
    auto rows = query.downstream ? db.rows(kGivenUpAt, before, query.downstream->text())
                                 : db.rows(kGivenUp, before);
    for (std::size_t walked = 0; rows.next(); ++walked) {
        auto dispatch = dead_dispatch_in(rows);
        if (walked == query.walk || page.rows.size() == query.limit) {
            page.next = static_cast<std::int64_t>(dispatch.id) + 1;
            break;
        }
        if ((query.reason.empty() || dispatch.reason == query.reason) && query.shown(dispatch)) {
            page.rows.push_back(std::move(dispatch));
        }
    }
    return page;
}

ports::LetterViewPage dead_letters(Connection& db, const ports::LetterViewQuery& query) {
    ports::LetterViewPage page;
    const auto died = query.before ? to_ms(query.before->died_at) : kForever;
    auto rows = db.rows(kDeadLetters, died, query.before ? query.before->id : kForever);
    for (std::size_t walked = 0; rows.next(); ++walked) {
        auto letter = letter_in(rows);
        if (walked == query.walk || page.rows.size() == query.limit) {
            page.next = {.died_at = letter.died_at, .id = letter.id + 1};
            break;
        }
        const bool wanted = (!query.downstream || letter.downstream == *query.downstream) &&
                            (query.reason.empty() || letter.detail == query.reason);
        if (wanted && query.shown(letter)) {
            page.rows.push_back(std::move(letter));
        }
    }
    return page;
}

std::map<std::int64_t, std::vector<ports::DispatchStanding>>
standings(Connection& db, const std::vector<std::int64_t>& deliveries) {
    std::map<std::int64_t, std::vector<ports::DispatchStanding>> all;
    for (const auto delivery : deliveries) {
        auto& found = all[delivery];
        auto rows = db.rows(kStandings, delivery);
        while (rows.next()) {
            auto downstream = repo_name(rows.view(1));
            if (!found.empty() && found.back().downstream == downstream) {
                continue; // of an older generation
            }
            found.push_back({
                .upstream = repo_name(rows.view(0)),
                .downstream = std::move(downstream),
                .state = domain::dispatch_state_named(rows.view(2))
                             .value_or(domain::DispatchState::pending),
                .silent = !rows.is_null(3),
            });
        }
    }
    return all;
}

std::vector<ports::DownstreamEvent>
downstream_events(Connection& db, const RepoName& downstream, std::size_t limit) {
    std::vector<ports::DownstreamEvent> found;
    auto rows = db.rows(kEvents, downstream.text(), limit);
    while (rows.next()) {
        const auto job = rows.maybe_integer(7);
        found.push_back({
            .id = rows.integer(0),
            .upstream = repo_name(rows.view(1)),
            .downstream = repo_name(rows.view(2)),
            .at = rows.time(3),
            .kind = rows.text(4),
            .pr = pr_in(rows, 5),
            .head = HeadSha(rows.text(6)),
            .job = job ? std::optional(JobId{*job}) : std::nullopt,
            .detail = rows.text(8),
        });
    }
    return found;
}

std::vector<ports::AllowlistVersion>
allowlist_versions(Connection& db, const RepoName& upstream, std::size_t limit) {
    std::vector<ports::AllowlistVersion> found;
    auto rows = db.rows(kVersions, upstream.text(), limit);
    while (rows.next()) {
        found.push_back(allowlist_row(rows));
    }
    return found;
}

ports::StoreState state(Connection& db, const std::vector<std::string>& sinks, TimePoint now) {
    ports::StoreState state;
    state.kind = db.engine().kind();
    state.bytes = static_cast<std::size_t>(db.engine().bytes_on_disk());
    state.schema = static_cast<int>(number_in(db.rows(kSchema)));
    state.leased = number_in(db.rows(kLeased, now));
    state.last_delivery_at = time_in(db.rows(kLastDelivery));
    state.oldest_body_at = time_in(db.rows(kOldestBody));
    state.oldest_result_at = time_in(db.rows(kOldestResult));
    state.results_until = verbs::results_until(db);
    state.sizes = verbs::kept_sizes(db);
    constexpr auto kMax = ports::StoreState::kCountedMax;
    for (const auto& sink : sinks) {
        state.sinks.push_back({
            .sink = sink,
            .waiting = number_in(db.rows(kLettersWaiting, sink, kMax)),
            .dead = number_in(db.rows(kLettersDead, sink, kMax)),
        });
    }
    return state;
}

std::vector<ports::LedgerLine> acts(Connection& db, const ports::ActQuery& query) {
    return ledger_rows(db.rows(kActs, query.before.value_or(kForever), query.limit));
}

} // namespace baton::store::sql::operators
