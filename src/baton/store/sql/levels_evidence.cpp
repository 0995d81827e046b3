#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/breaker.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/levels.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::levels {

namespace {

constexpr std::string_view kTestPrefix = "test-"; // of the deliveries that people make up
constexpr Millis kHour{std::chrono::hours{1}};
constexpr Millis kRehearsedStart{std::chrono::hours{2}}; // as the defaults are from level 2 on
constexpr Millis kRehearsedRun{std::chrono::hours{6}};

constexpr Query kSent{
    "ladder_sent",
    "SELECT d.id, d.delivery, d.downstream, d.generation, d.event_type, d.pr_number, "
    "d.head_sha, d.level, d.sent_at_ms, d.silent_at_ms, v.id, v.action FROM dispatch AS d "
    "INDEXED BY dispatch_sent_for CROSS JOIN delivery AS v ON v.sequence = d.delivery WHERE "
    "d.upstream = ?1 AND d.sent_at_ms >= ?2 AND d.sent_at_ms < ?3 ORDER BY d.sent_at_ms, d.id"
};
constexpr Query kGenerations{
    "ladder_generations",
    "SELECT id, generation, silent_at_ms FROM dispatch WHERE delivery = ?1 AND downstream = ?2 AND "
    "sent_at_ms IS NOT NULL ORDER BY generation"
};
constexpr Query kJobs{
    "ladder_jobs",
    "SELECT id, workflow, job_name, attempt, conclusion, said_by, started_at_ms, "
    "completed_at_ms, queue_ms, coalesce(tests_total, 0) > 0 OR (conclusion IN ('failure', "
    "'timed_out') AND EXISTS (SELECT 1 FROM failed_test AS t WHERE t.job = job.id)), device <> "
    "'' FROM job INDEXED BY job_of_dispatch WHERE dispatch = ?1 AND counts = 1 ORDER BY "
    "workflow, run_id, attempt, job_name"
};
constexpr Query kRulings{
    "ladder_rulings",
    "SELECT workflow, job, excluded, actor, reason, at_ms FROM ladder_ruling WHERE dispatch = "
    "?1 ORDER BY workflow, job"
};
constexpr Query kHeads{
    "ladder_heads",
    "SELECT head_sha, first_at_ms FROM pull_head WHERE upstream = ?1 AND pr_number = ?2 ORDER "
    "BY head_sha"
};
constexpr Query kPull{
    "ladder_pull",
    "SELECT head_sha, merged_at_ms, closed_at_ms, CASE WHEN open = 0 THEN updated_at_ms END "
    "FROM pull_request WHERE upstream = ?1 AND number = ?2"
};
constexpr Query kMerged{
    "ladder_merged",
    "SELECT number FROM pull_request INDEXED BY pull_request_merged WHERE upstream = ?1 AND "
    "merged_at_ms >= ?2 AND merged_at_ms < ?3 ORDER BY merged_at_ms, number"
};
constexpr Query kSuspension{
    "ladder_suspension",
    "SELECT since_ms, until_ms FROM suspension WHERE downstream = ?1 AND upstream IN ('', ?2) "
    "ORDER BY upstream"
};
constexpr Query kRefused{
    "ladder_refused",
    "SELECT downstream, last_at_ms, status, n FROM refusal INDEXED BY refusal_in_hour WHERE "
    "hour_ms >= ?1 AND hour_ms < ?2 AND downstream > '' ORDER BY hour_ms, downstream, reason"
};

/// What is known of one pull request.
struct Pull {
    std::map<std::string, TimePoint> heads; // when each was first seen
    std::optional<TimePoint> over_at;       // merged or closed
};

/// Puts one window's evidence together.
class Gathering {
public:
    Gathering(Connection& db, const ports::EvidenceQuery& query)
        : db_(db)
        , query_(query) {}

    domain::LadderEvidence all() {
        auto rows = db_.rows(kSent, upstream(), query_.window.from, query_.window.until);
        while (rows.next()) {
            take(rows);
        }
        add_merged();
        add_refused();
        evidence_.answers = answers(db_, query_.upstream, query_.window);
        evidence_.until = query_.window.until;
        for (auto& [key, counts] : reports_) {
            evidence_.reports.push_back(std::move(counts));
        }
        return std::move(evidence_);
    }

private:
    const std::string& upstream() const { return query_.upstream.text(); }

    void take(const Rows& row) {
        const bool told_of_closing = row.view(11) == "closed";
        if (told_of_closing || row.view(4) == domain::kCanaryEvent ||
            row.view(10).starts_with(kTestPrefix)) {
            return;
        }
        domain::LadderEvent event{
            .id = DispatchId{row.integer(0)},
            .downstream = repo_name(row.view(2)),
            .event_type = row.text(4),
            .pr = views::pr_in(row, 5),
            .head = HeadSha(row.text(6)),
            .level = static_cast<domain::Level>(row.integer(7)),
            .sent_at = row.time(8),
        };
        if (!add_generations(event, row.integer(1), row.integer(3))) {
            return;
        }
        event.overtaken_at = overtaken_at(event);
        event.paused = is_suspended(event);
        event.shown = event.pr && has_failed(event) && is_shown(db_, query_.upstream, event);
        evidence_.events.push_back(std::move(event));
    }

    static bool has_failed(const domain::LadderEvent& event) {
        return std::ranges::any_of(event.jobs, [](const domain::LadderJob& job) {
            return std::ranges::any_of(job.attempts, [](const domain::LadderAttempt& attempt) {
                return attempt.conclusion == domain::Conclusion::failure ||
                       attempt.conclusion == domain::Conclusion::timed_out;
            });
        });
    }

    /// False when an earlier generation was sent: then the event is that one's.
    bool add_generations(domain::LadderEvent& event, std::int64_t delivery, std::int64_t own) {
        std::map<std::pair<std::string, std::string>, domain::LadderJob> jobs;
        auto rows = db_.rows(kGenerations, delivery, event.downstream.text());
        while (rows.next()) {
            if (rows.integer(1) < own) {
                return false;
            }
            const auto dispatch = rows.integer(0);
            event.silent_at = rows.maybe_time(2); // the newest one's
            add_attempts(jobs, event.downstream, dispatch);
            add_rehearsal(jobs, event, dispatch);
            add_rulings(DispatchId{dispatch});
        }
        for (auto& [key, job] : jobs) {
            event.jobs.push_back(std::move(job));
        }
        const auto overdue = event.sent_at + kRehearsedStart;
        if (event.level == domain::Level::l1 && event.jobs.empty() &&
            overdue <= query_.window.until) { // no sweep looks at those
            event.silent_at = overdue;
        }
        return true;
    }

    /// One job that stands for all of them; how it ended is nobody's business at level 1.
    void add_rehearsal(
        std::map<std::pair<std::string, std::string>, domain::LadderJob>& jobs,
        const domain::LadderEvent& event,
        std::int64_t dispatch
    ) {
        const auto told =
            event.level == domain::Level::l1 ? rehearsal_of(db_, dispatch) : std::nullopt;
        if (!told) {
            return;
        }
        const auto overdue = told->started_at + kRehearsedRun;
        domain::LadderAttempt attempt{
            .started_at = told->started_at, .ended_at = told->ended_at, .queue = {}
        };
        if (told->ended_at) {
            attempt.conclusion = domain::Conclusion::neutral;
        } else if (overdue <= query_.window.until) {
            attempt.conclusion = domain::Conclusion::timed_out;
            attempt.said_by = domain::SaidBy::relay;
            attempt.ended_at = overdue;
        }
        jobs[{}].attempts.push_back(attempt);
        reports_of(event.downstream, told->started_at).reports += told->reports;
    }

    void add_attempts(
        std::map<std::pair<std::string, std::string>, domain::LadderJob>& jobs,
        const RepoName& downstream,
        std::int64_t dispatch
    ) {
        auto rows = db_.rows(kJobs, dispatch);
        while (rows.next()) {
            auto workflow = rows.text(1);
            auto name = rows.text(2);
            auto& job = jobs[{workflow, name}];
            job.workflow = std::move(workflow);
            job.name = std::move(name);
            const auto queue = rows.maybe_integer(8);
            job.attempts.push_back({
                .job = JobId{rows.integer(0)},
                .number = static_cast<int>(job.attempts.size()) + 1,
                .conclusion = domain::conclusion_named(rows.view(4)),
                .said_by =
                    rows.view(5) == "relay" ? domain::SaidBy::relay : domain::SaidBy::downstream,
                .started_at = rows.maybe_time(6),
                .ended_at = rows.maybe_time(7),
                .queue = queue ? std::optional(Millis(*queue)) : std::nullopt,
                .tests_told = rows.integer(9) != 0,
                .device_named = rows.integer(10) != 0,
            });
            if (job.attempts.back().conclusion == domain::Conclusion::failure) {
                job.attempts.back().triage = own_verdict_of(db_, job.attempts.back().job);
            }
            count_reports(downstream, job.attempts.back());
        }
    }

    void add_rulings(DispatchId dispatch) {
        auto rows = db_.rows(kRulings, dispatch);
        while (rows.next()) {
            evidence_.rulings.push_back({
                .dispatch = dispatch,
                .workflow = rows.text(0),
                .job = rows.text(1),
                .excluded = rows.integer(2) != 0,
                .by = rows.text(3),
                .reason = rows.text(4),
                .at = rows.time(5),
            });
        }
    }

    /// The first head that came after its own, or the end of the pull request.
    std::optional<TimePoint> overtaken_at(const domain::LadderEvent& event) {
        if (!event.pr) {
            return std::nullopt;
        }
        const auto& pull = pull_of(*event.pr);
        auto first = pull.over_at;
        const auto own = pull.heads.find(event.head.text());
        const auto since = own == pull.heads.end() ? event.sent_at : own->second;
        for (const auto& [head, at] : pull.heads) {
            if (at > since && (!first || at < *first)) {
                first = at;
            }
        }
        return first;
    }

    const Pull& pull_of(PrNumber number) {
        const auto [place, fresh] = pulls_.try_emplace(number);
        auto& pull = place->second;
        if (!fresh) {
            return pull;
        }
        {
            auto rows = db_.rows(kHeads, upstream(), number);
            while (rows.next()) {
                pull.heads.emplace(rows.text(0), rows.time(1));
            }
        }
        auto rows = db_.rows(kPull, upstream(), number);
        if (rows.next()) {
            const auto merged_at = rows.maybe_time(1);
            const auto closed_at = rows.maybe_time(2);
            pull.over_at = merged_at ? merged_at : closed_at ? closed_at : rows.maybe_time(3);
            evidence_.pulls[number] = {
                .head = HeadSha(rows.text(0)),
                .merged_at = merged_at,
                .closed_at = merged_at ? std::nullopt : closed_at,
            };
        }
        return pull;
    }

    void add_merged() {
        auto rows = db_.rows(kMerged, upstream(), query_.window.from, query_.window.until);
        while (rows.next()) {
            pull_of(PrNumber{rows.integer(0)});
        }
    }

    /// Nothing is leased for a suspended downstream, so this concerns only what was under way when
    /// the suspension in force began. Planned maintenance is never dispatched to.
    bool is_suspended(const domain::LadderEvent& event) {
        auto rows = db_.rows(kSuspension, event.downstream.text(), upstream());
        while (rows.next()) {
            const auto until = rows.maybe_time(1);
            if (rows.time(0) <= event.sent_at && (!until || event.sent_at < *until)) {
                return true;
            }
        }
        return false;
    }

    domain::ReportCounts& reports_of(const RepoName& downstream, TimePoint when) {
        const auto since = when.time_since_epoch();
        const TimePoint day(since - since % query_.day_length);
        auto& counts = reports_[{downstream, day}];
        counts.downstream = downstream;
        counts.day = day;
        return counts;
    }

    /// How often a job that was heard of called: when it began, and when it ended.
    void count_reports(const RepoName& downstream, const domain::LadderAttempt& attempt) {
        if (attempt.started_at) {
            ++reports_of(downstream, *attempt.started_at).reports;
        }
        if (attempt.ended_at && attempt.said_by == domain::SaidBy::downstream) {
            ++reports_of(downstream, *attempt.ended_at).reports;
        }
    }

    /// What we could not do ourselves (5xx) is held against nobody.
    void add_refused() {
        constexpr int kTooMany = 429;
        constexpr int kOurs = 500;
        const auto& window = query_.window;
        auto rows = db_.rows(kRefused, window.from - kHour, window.until);
        while (rows.next()) {
            const auto when = rows.time(1);
            const auto status = rows.integer(2);
            if (when < window.from || when >= window.until || status >= kOurs) {
                continue;
            }
            auto& counts = reports_of(repo_name(rows.view(0)), when);
            const auto n = static_cast<std::size_t>(rows.integer(3));
            counts.reports += n;
            (status == kTooMany ? counts.limited : counts.invalid) += n;
        }
    }

    Connection& db_;
    const ports::EvidenceQuery& query_;
    domain::LadderEvidence evidence_;
    std::map<PrNumber, Pull> pulls_;
    std::map<std::pair<RepoName, TimePoint>, domain::ReportCounts> reports_;
};

} // namespace

Result<domain::LadderEvidence> evidence(Connection& db, const ports::EvidenceQuery& query) {
    if (const auto until = verbs::results_until(db); until && query.window.from < *until) {
        return fail(
            Errc::not_found,
            fmt::format(
                "results from before {} are past retention (retention.results), so days from {} on "
                "cannot be judged again",
                to_rfc3339(*until),
                to_rfc3339(query.window.from)
            )
        );
    }
    return Gathering(db, query).all();
}

} // namespace baton::store::sql::levels
