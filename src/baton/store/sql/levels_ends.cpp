#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/levels.hpp"
#include "baton/store/sql/rows.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace baton::store::sql::levels {

namespace {

constexpr std::chrono::days kKept{30}; // longer than evidence looks back

constexpr Query kRehearse{
    "put_rehearsal",
    "INSERT INTO rehearsal (dispatch, started_at_ms, ended_at_ms, reports) VALUES (?1, ?2, ?3, 1) "
    "ON CONFLICT (dispatch) DO UPDATE SET ended_at_ms = coalesce(excluded.ended_at_ms, "
    "rehearsal.ended_at_ms), reports = rehearsal.reports + 1"
};
constexpr Query kRehearsal{
    "rehearsal", "SELECT started_at_ms, ended_at_ms, reports FROM rehearsal WHERE dispatch = ?1"
};
constexpr Query kForget{
    "forget_oncall_answers", "DELETE FROM oncall_answer WHERE upstream = ?1 AND at_ms < ?2"
};
constexpr Query kPut{
    "put_oncall_answer",
    "INSERT INTO oncall_answer (upstream, at_ms, downstream, pr_number) VALUES (?1, ?2, ?3, ?4) "
    "ON CONFLICT (upstream, at_ms, downstream, pr_number) DO NOTHING"
};
constexpr Query kAnswers{
    "oncall_answers",
    "SELECT downstream, pr_number, at_ms FROM oncall_answer WHERE upstream = ?1 AND at_ms >= ?2 "
    "AND at_ms < ?3 ORDER BY at_ms, downstream, pr_number"
};
constexpr Query kChecks{
    "checks_of_head",
    "SELECT name FROM posting WHERE upstream = ?1 AND pr_number = ?2 AND head_sha = ?3 AND kind = "
    "'check' ORDER BY name"
};

} // namespace

void note_rehearsal(Connection& db, const ports::NewRehearsal& rehearsal) {
    const auto ended_at = rehearsal.ended ? std::optional(rehearsal.at) : std::nullopt;
    db.run(kRehearse, rehearsal.dispatch, rehearsal.at, ended_at);
}

std::optional<Rehearsal> rehearsal_of(Connection& db, std::int64_t dispatch) {
    auto rows = db.rows(kRehearsal, dispatch);
    if (!rows.next()) {
        return std::nullopt;
    }
    return Rehearsal{
        .started_at = rows.time(0),
        .ended_at = rows.maybe_time(1),
        .reports = static_cast<std::size_t>(rows.integer(2)),
    };
}

void note_answer(Connection& db, const ports::NewAnswer& answer) {
    db.run(kForget, answer.upstream.text(), answer.at - kKept);
    const auto number = static_cast<std::int64_t>(answer.pr);
    for (const auto& downstream : answer.downstreams) {
        db.run(kPut, answer.upstream.text(), answer.at, downstream.text(), number);
    }
}

std::vector<domain::OncallAnswer>
answers(Connection& db, const RepoName& upstream, const ports::ViewWindow& window) {
    std::vector<domain::OncallAnswer> all;
    auto rows = db.rows(kAnswers, upstream.text(), window.from, window.until);
    while (rows.next()) {
        all.push_back({
            .downstream = repo_name(rows.view(0)),
            .pr = PrNumber{rows.integer(1)},
            .at = rows.time(2),
        });
    }
    return all;
}

bool is_shown(Connection& db, const RepoName& upstream, const domain::LadderEvent& event) {
    const auto part = fmt::format("/{}/", event.downstream.key()); // of PREFIX/owner/repo/job
    auto rows = db.rows(kChecks, upstream.text(), *event.pr, event.head.text());
    while (rows.next()) {
        if (lower(rows.view(0)).find(part) != std::string::npos) {
            return true;
        }
    }
    return false;
}

} // namespace baton::store::sql::levels
