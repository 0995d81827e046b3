#include "baton/store/sql/job_rows.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/store/reporting.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace baton::store::sql {

namespace {

using domain::Job;

constexpr Query kJob{"job", "SELECT " BATON_JOB_COLUMNS " FROM job AS j WHERE id = ?1"};
constexpr Query kJobsOf{
    "jobs_of_dispatch",
    "SELECT " BATON_JOB_COLUMNS
    " FROM job AS j INDEXED BY job_of_dispatch WHERE dispatch = ?1 ORDER BY workflow, "
    "run_id, attempt, job_name"
};
// Each stops at the first row that says so: a dispatch may have hundreds of jobs, and every report
// asks.
constexpr Query kHeard{
    "heard_of_dispatch",
    "SELECT EXISTS (SELECT 1 FROM job WHERE dispatch = ?1 AND counts = 1), "
    "EXISTS (SELECT 1 FROM job WHERE dispatch = ?1 AND counts = 1 AND bound = 1), "
    "EXISTS (SELECT 1 FROM job INDEXED BY job_of_dispatch "
    "WHERE dispatch = ?1 AND counts = 1 AND status = 'in_progress')"
};
constexpr Query kKnownHead{
    "known_head", "SELECT head_sha, open FROM pull_request WHERE upstream = ?1 AND number = ?2"
};
// What identifies a job is written once.
constexpr Query kPutJob{
    "put_job",
    "INSERT INTO job (id, dispatch, downstream, upstream, event_type, pr_number, head_sha, "
    "workflow, job_name, run_id, attempt, status, conclusion, said_by, bound, run_proven, counts, "
    "start_missed, replaced, commit_check, level, device, url, check_run_id, artifact_url, "
    "tests_passed, tests_failed, tests_skipped, tests_total, dispatched_at_ms, started_at_ms, "
    "completed_at_ms, their_start_ms, their_end_ms, queue_ms) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, "
    "?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35) "
    "ON CONFLICT (id) DO UPDATE SET status = ?12, conclusion = ?13, said_by = ?14, bound = ?15, "
    "run_proven = ?16, counts = ?17, replaced = ?19, commit_check = ?20, level = ?21, "
    "device = ?22, url = ?23, check_run_id = ?24, artifact_url = ?25, tests_passed = ?26, "
    "tests_failed = ?27, tests_skipped = ?28, tests_total = ?29, started_at_ms = ?31, "
    "completed_at_ms = ?32, their_start_ms = ?33, their_end_ms = ?34, queue_ms = ?35 "
    "RETURNING id"
};
constexpr Query kTurn{
    "turn_dispatch",
    "UPDATE dispatch SET state = ?2, reason = ?3, sent_at_ms = coalesce(sent_at_ms, ?4), "
    "silent_at_ms = NULL, lease_holder = '', lease_until_ms = 0, mark = NULL, mark_reason = '' "
    "WHERE id = ?1"
};
// Only the first of a lane is due.
constexpr Query kPutLetter{
    "put_letter",
    "INSERT INTO outbox (sink, lane, job, notification, body_bytes, zstd, created_at_ms, "
    "due_at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, CASE WHEN NOT EXISTS (SELECT 1 FROM outbox "
    "WHERE sink = ?1 AND lane = ?2 AND state = 'waiting') THEN CAST(?7 AS bigint) END)"
};
constexpr Query kDie{
    "letter_dies",
    "UPDATE outbox SET state = 'dead', died_at_ms = ?2, detail = ?3, due_at_ms = NULL, "
    "lease_holder = '', lease_until_ms = 0 WHERE id = ?1"
};

std::string_view word_for(domain::SaidBy said_by) {
    return said_by == domain::SaidBy::relay ? "relay" : "downstream";
}

std::optional<domain::TestCounts> tests_in(const Rows& row, int first) {
    if (row.is_null(first)) {
        return std::nullopt;
    }
    return domain::TestCounts{
        .passed = row.integer(first),
        .failed = row.integer(first + 1),
        .skipped = row.integer(first + 2),
        .total = row.integer(first + 3),
    };
}

domain::JobSubject subject_in(const Rows& row) {
    const auto dispatch = row.maybe_integer(1);
    const auto pr = row.maybe_integer(5);
    return {
        .dispatch = dispatch ? std::optional(DispatchId{*dispatch}) : std::nullopt,
        .downstream = repo_name(row.view(2)),
        .upstream = repo_name(row.view(3)),
        .event_type = row.text(4),
        .pr = pr ? std::optional(PrNumber{*pr}) : std::nullopt,
        .head = HeadSha(row.text(6)),
    };
}

} // namespace

Job job_row(const Rows& row) {
    const auto queue = row.maybe_integer(34);
    return {
        .id = JobId{row.integer(0)},
        .subject = subject_in(row),
        .key =
            {.workflow = row.text(7),
             .job = row.text(8),
             .run_id = row.text(9),
             .attempt = static_cast<int>(row.integer(10))},
        .status = domain::job_status_named(row.view(11)).value_or(domain::JobStatus::in_progress),
        .conclusion = row.is_null(12) ? std::nullopt : domain::conclusion_named(row.view(12)),
        .said_by = row.view(13) == word_for(domain::SaidBy::relay) ? domain::SaidBy::relay
                                                                   : domain::SaidBy::downstream,
        .bound = row.integer(14) != 0,
        .run_proven = row.integer(15) != 0,
        .counts = row.integer(16) != 0,
        .start_missed = row.integer(17) != 0,
        .replaced = row.integer(18) != 0,
        .commit =
            domain::commit_check_named(row.view(19)).value_or(domain::CommitCheck::unverified),
        .level = static_cast<domain::Level>(row.integer(20)), // 1 to 4 by the schema's check
        .device = row.text(21),
        .url = row.text(22),
        .check_run_id = row.text(23),
        .artifact_url = row.text(24),
        .tests = tests_in(row, 25),
        .dispatched_at = row.maybe_time(29),
        .started_at = row.maybe_time(30),
        .completed_at = row.maybe_time(31),
        .their_start = row.maybe_time(32),
        .their_end = row.maybe_time(33),
        .queue = queue ? std::optional(Millis{*queue}) : std::nullopt,
    };
}

std::vector<Job> job_rows(Rows rows) {
    std::vector<Job> found;
    while (rows.next()) {
        found.push_back(job_row(rows));
    }
    return found;
}

std::optional<Job> job_with(Connection& db, JobId id) {
    auto rows = db.rows(kJob, id);
    return rows.next() ? std::optional(job_row(rows)) : std::nullopt;
}

std::vector<Job> jobs_of(Connection& db, DispatchId dispatch) {
    auto jobs = job_rows(db.rows(kJobsOf, dispatch)); // in the order of their names
    std::ranges::sort(jobs, {}, &Job::id);
    return jobs;
}

domain::Heard heard_of(Connection& db, DispatchId dispatch) {
    auto rows = db.rows(kHeard, dispatch);
    if (!rows.next()) {
        return {};
    }
    return {
        .any = rows.integer(0) != 0, .bound = rows.integer(1) != 0, .running = rows.integer(2) != 0
    };
}

std::optional<KnownHead> known_head(Connection& db, const RepoName& upstream, PrNumber number) {
    auto rows = db.rows(kKnownHead, upstream.text(), number);
    if (!rows.next()) {
        return std::nullopt;
    }
    return KnownHead{.head = HeadSha(rows.text(0)), .open = rows.integer(1) != 0};
}

void put_job(Connection& db, Job& job) {
    const bool is_new = job.id == JobId{};
    const auto& subject = job.subject;
    const auto of_tests = [&job](std::int64_t domain::TestCounts::* number) {
        return job.tests ? std::optional((*job.tests).*number) : std::nullopt;
    };
    job.id = JobId{db.insert(
        kPutJob,
        is_new ? std::nullopt : std::optional(job.id),
        subject.dispatch,
        subject.downstream.text(),
        subject.upstream.text(),
        subject.event_type,
        subject.pr,
        subject.head.text(),
        job.key.workflow,
        job.key.job,
        job.key.run_id,
        job.key.attempt,
        name_of(job.status),
        job.conclusion ? std::optional(name_of(*job.conclusion)) : std::nullopt,
        word_for(job.said_by),
        job.bound,
        job.run_proven,
        job.counts,
        job.start_missed,
        job.replaced,
        name_of(job.commit),
        job.level,
        job.device,
        job.url,
        job.check_run_id,
        job.artifact_url,
        of_tests(&domain::TestCounts::passed),
        of_tests(&domain::TestCounts::failed),
        of_tests(&domain::TestCounts::skipped),
        of_tests(&domain::TestCounts::total),
        job.dispatched_at,
        job.started_at,
        job.completed_at,
        job.their_start,
        job.their_end,
        job.queue ? std::optional<std::int64_t>(job.queue->count()) : std::nullopt
    )};
}

std::optional<Turn> turn_by_jobs(Connection& db, const DispatchRow& row, TimePoint now) {
    const auto& dispatch = row.dispatch;
    auto turn = turn_of(dispatch, row.silent_at.has_value(), heard_of(db, dispatch.id));
    if (turn) {
        db.run(kTurn, dispatch.id, name_of(turn->state), turn->reason, now);
    }
    return turn;
}

void put_letter(
    Connection& db, const PackedLetter& letter, const LetterSubject& about, TimePoint now
) {
    db.run(
        kPutLetter,
        letter.sink,
        about.lane,
        about.job,
        about.notification,
        letter.body_bytes,
        Blob{letter.zstd},
        now
    );
}

void put_letter(Connection& db, const PackedLetter& letter, const Job& job, TimePoint now) {
    put_letter(db, letter, {.lane = lane_of(job), .job = job.id}, now);
}

void bury_letter(Connection& db, std::int64_t id, std::string_view detail, TimePoint now) {
    db.run(kDie, id, now, detail);
}

} // namespace baton::store::sql
