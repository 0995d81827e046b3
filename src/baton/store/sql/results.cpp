#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/reporting.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

using domain::Job;

constexpr Query kDispatchesTo{
    "dispatches_to",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE delivery = (SELECT sequence FROM delivery WHERE id = ?1) "
    "AND downstream = ?2 ORDER BY generation DESC"
};
constexpr Query kNewestAttempt{
    "newest_attempt_start",
    "SELECT started_at_ms FROM attempt WHERE dispatch = ?1 ORDER BY number DESC LIMIT 1"
};
constexpr Query kJobOfDispatch{
    "job_of_dispatch",
    "SELECT " BATON_JOB_COLUMNS
    " FROM job AS j WHERE dispatch = ?1 AND workflow = ?2 AND run_id = ?3 AND attempt = ?4 AND "
    "job_name = ?5"
};
constexpr Query kJobOfCommit{
    "job_of_commit",
    "SELECT " BATON_JOB_COLUMNS
    " FROM job AS j WHERE dispatch IS NULL AND downstream = ?1 AND upstream = ?2 AND "
    "head_sha = ?3 AND event_type = ?4 AND workflow = ?5 AND run_id = ?6 AND attempt = ?7 AND "
    "job_name = ?8"
};
constexpr Query kClaim{
    "claim", "SELECT run_id, started_at_ms FROM claim WHERE dispatch = ?1 AND workflow = ?2"
};
constexpr Query kPutClaim{
    "put_claim",
    "INSERT INTO claim (dispatch, workflow, run_id, started_at_ms) VALUES (?1, ?2, ?3, ?4) "
    "ON CONFLICT (dispatch, workflow) DO UPDATE SET started_at_ms = ?4"
};
constexpr Query kPutDetail{
    "put_detail",
    "INSERT INTO job_detail (job, json_bytes, zstd) VALUES (?1, ?2, ?3) ON CONFLICT (job) DO "
    "UPDATE SET json_bytes = excluded.json_bytes, zstd = excluded.zstd"
};
constexpr Query kLatest{
    "latest_job",
    "SELECT " BATON_JOB_COLUMNS
    " FROM job_latest AS l CROSS JOIN job AS j ON j.id = l.job WHERE l.upstream = ?1 AND "
    "l.pr_number = ?2 AND l.downstream = ?3 AND l.workflow = ?4 AND l.job_name = ?5"
};
constexpr Query kPutLatest{
    "put_latest_job",
    "INSERT INTO job_latest (upstream, pr_number, downstream, workflow, job_name, job) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6) "
    "ON CONFLICT (upstream, pr_number, downstream, workflow, job_name) DO UPDATE SET job = ?6"
};

constexpr Query kBoundJobOfRun{
    "bound_job_of_run",
    "SELECT 1 FROM job WHERE dispatch = ?1 AND workflow = ?2 AND run_id = ?3 AND bound = 1 LIMIT 1"
};
constexpr Query kNotCounted{
    "job_not_counted",
    "UPDATE job SET counts = 0 WHERE dispatch = ?1 AND workflow = ?2 AND run_id = ?3"
};
constexpr Query kNotLatest{
    "job_not_latest",
    "DELETE FROM job_latest WHERE (upstream, pr_number, downstream, workflow, job_name) IN ("
    "SELECT upstream, pr_number, downstream, workflow, job_name FROM job "
    "WHERE dispatch = ?1 AND workflow = ?2 AND run_id = ?3 AND pr_number IS NOT NULL) "
    "AND job IN (SELECT id FROM job WHERE dispatch = ?1 AND workflow = ?2 AND run_id = ?3)"
};
constexpr Query kDropClaim{"drop_claim", "DELETE FROM claim WHERE dispatch = ?1 AND workflow = ?2"};

struct Claim {
    std::string run_id; // empty: nobody's yet
    bool started{false};
};

/// What is there when a report about a dispatch arrives.
struct Scene {
    DispatchRow dispatch;
    std::optional<KnownHead> head;
    Claim claim;
};

std::optional<Job> one_job(Rows rows) {
    return rows.next() ? std::optional(job_row(rows)) : std::nullopt;
}

std::optional<Job> known_job(Connection& db, const ports::ReportCommit& commit) {
    const auto& subject = commit.subject;
    const auto& key = commit.report.key;
    if (subject.dispatch) {
        return one_job(db.rows(
            kJobOfDispatch, *subject.dispatch, key.workflow, key.run_id, key.attempt, key.job
        ));
    }
    return one_job(db.rows(
        kJobOfCommit,
        subject.downstream.text(),
        subject.upstream.text(),
        subject.head.text(),
        subject.event_type,
        key.workflow,
        key.run_id,
        key.attempt,
        key.job
    ));
}

Claim claim_of(Connection& db, DispatchId dispatch, const std::string& workflow) {
    auto rows = db.rows(kClaim, dispatch, workflow);
    return rows.next() ? Claim{.run_id = rows.text(0), .started = !rows.is_null(1)} : Claim{};
}

bool is_bound(
    Connection& db, DispatchId dispatch, const std::string& workflow, const Claim& claim
) {
    return db.rows(kBoundJobOfRun, dispatch, workflow, claim.run_id).next();
}

/// The run that had it never showed the token, and another one does: its jobs are only shown.
void void_claim(
    Connection& db, DispatchId dispatch, const std::string& workflow, const Claim& claim
) {
    db.run(kNotLatest, dispatch, workflow, claim.run_id);
    db.run(kNotCounted, dispatch, workflow, claim.run_id);
    db.run(kDropClaim, dispatch, workflow);
}

Result<Scene> scene_of(Connection& db, DispatchId id, const std::string& workflow) {
    auto row = dispatch_with(db, id);
    if (!row) {
        return fail(
            Errc::not_found,
            fmt::format("there is no dispatch {} in the store", static_cast<std::int64_t>(id))
        );
    }
    const auto& dispatch = row->dispatch;
    auto head = dispatch.pr ? known_head(db, dispatch.upstream, *dispatch.pr) : std::nullopt;
    return Scene{
        .dispatch = *std::move(row), .head = std::move(head), .claim = claim_of(db, id, workflow)
    };
}

/// When it went out, as far as is known: a report may be faster than GitHub's answer to us.
std::optional<TimePoint> dispatched_at(Connection& db, const domain::Dispatch& dispatch) {
    if (dispatch.sent_at) {
        return dispatch.sent_at;
    }
    auto rows = db.rows(kNewestAttempt, dispatch.id);
    return rows.next() ? rows.maybe_time(0) : std::nullopt;
}

void show(Connection& db, const Job& job, const std::optional<KnownHead>& head) {
    const auto& subject = job.subject;
    if (!job.counts || !subject.pr) {
        return;
    }
    const auto shown = one_job(db.rows(
        kLatest,
        subject.upstream.text(),
        *subject.pr,
        subject.downstream.text(),
        job.key.workflow,
        job.key.job
    ));
    if (!shown || (shown->id != job.id && stands_before(job, *shown, head))) {
        db.run(
            kPutLatest,
            subject.upstream.text(),
            *subject.pr,
            subject.downstream.text(),
            job.key.workflow,
            job.key.job,
            job.id
        );
    }
}

/// The detail with what an earlier report of the job told and this one leaves out; nullopt: there
/// is nothing to add.
std::optional<domain::ReportDetail>
detail_with_earlier(Connection& db, const Job& job, const PackedReport& packed) {
    const auto earlier = report_detail(db, job.id);
    if (!earlier || *earlier == domain::ReportDetail{}) {
        return std::nullopt;
    }
    const auto text = decompress(packed.detail, packed.detail_bytes);
    const auto said = text ? detail_from(*text) : Result<domain::ReportDetail>(fail(text.error()));
    return said ? std::optional(detail_after(*earlier, *said)) : std::nullopt;
}

/// The detail that came with a report, and its failed tests.
void write_detail(
    Connection& db,
    const Job& job,
    const std::optional<Job>& before,
    const ports::ReportCommit& commit,
    const PackedReport& packed
) {
    const bool keeps = before && keeps_detail(*before, commit);
    const auto whole = keeps ? detail_with_earlier(db, job, packed) : std::nullopt;
    if (whole) {
        const auto text = text_of(*whole);
        db.run(kPutDetail, job.id, text.size(), Blob{compress(text)});
    } else {
        db.run(kPutDetail, job.id, packed.detail_bytes, Blob{packed.detail});
    }
    if (has_failed(job)) {
        const auto& upstream = job.subject.upstream;
        put_failed_tests(
            db, job, whole ? packed_tests(upstream, whole->failed_tests) : packed.failed_tests
        );
    }
}

/// The job itself, its detail and its letters.
void write_job(
    Connection& db,
    Job& job,
    const std::optional<Job>& before,
    const ports::ReportCommit& commit,
    const PackedReport& packed
) {
    put_job(db, job);
    if (packed.detail_bytes > 0) {
        write_detail(db, job, before, commit, packed);
    } else if (before && has_failed(job) && !has_failed(*before)) { // what it told while it ran
        if (const auto told = report_detail(db, job.id)) {
            put_failed_tests(db, job, packed_tests(job.subject.upstream, told->failed_tests));
        }
    }
    put_benchmarks(db, job, packed.benchmarks, commit.now);
    for (const auto& letter : packed.letters) {
        put_letter(db, letter, job, commit.now);
    }
}

/// A report about a dispatch that is news.
Job record(
    Connection& db,
    const Scene& scene,
    const domain::Standing& standing,
    const ports::ReportCommit& commit,
    const PackedReport& packed,
    const domain::Weighed& weighed
) {
    const auto& dispatch = scene.dispatch.dispatch;
    const auto& key = commit.report.key;
    const bool starts = commit.report.status == domain::JobStatus::in_progress;
    const Arrival arrival{
        .weighed = weighed,
        .dispatched_at = standing.job ? standing.job->dispatched_at : dispatched_at(db, dispatch),
        .starts_run = starts && weighed.counts && key.attempt == 1 &&
                      (weighed.takes_over || !scene.claim.started),
    };
    if (weighed.takes_over) {
        void_claim(db, dispatch.id, key.workflow, scene.claim);
    }
    auto job = job_after(standing.job, commit, arrival);
    write_job(db, job, standing.job, commit, packed);
    if (weighed.counts &&
        (weighed.takes_over || scene.claim.run_id.empty() || (starts && !scene.claim.started))) {
        const auto since = starts ? std::optional(commit.now) : std::nullopt;
        db.run(kPutClaim, dispatch.id, key.workflow, key.run_id, since);
    }
    show(db, job, scene.head);
    const auto turn =
        scene.dispatch.leased() ? std::nullopt : turn_by_jobs(db, scene.dispatch, commit.now);
    for (const auto& line : told_of(standing.job, job, weighed, turn)) {
        write_line(
            db,
            {.at = commit.now,
             .kind = line.kind,
             .delivery = dispatch.key.delivery.text(),
             .dispatch = dispatch.id,
             .detail = line.detail}
        );
    }
    look_at(db, dispatch, commit.now, commit.level);
    return job;
}

} // namespace

std::vector<domain::Dispatch>
dispatches_to(Connection& db, const DeliveryId& delivery, const RepoName& downstream) {
    std::vector<domain::Dispatch> found;
    auto rows = db.rows(kDispatchesTo, delivery.text(), downstream.text());
    while (rows.next()) {
        found.push_back(dispatch_row(rows).dispatch);
    }
    return found;
}

Result<ports::ReportReceipt>
record_report(Connection& db, const ports::ReportCommit& commit, const PackedReport& packed) {
    domain::Standing standing{.job = known_job(db, commit)};
    std::optional<Scene> scene;
    if (const auto id = commit.subject.dispatch) {
        BATON_TRY(scene, scene_of(db, *id, commit.report.key.workflow));
        const auto& dispatch = scene->dispatch.dispatch;
        standing.claimed_by = scene->claim.run_id;
        standing.claim_bound = is_bound(db, *id, commit.report.key.workflow, scene->claim);
        standing.superseded = dispatch.state == domain::DispatchState::superseded ||
                              has_moved_on(dispatch, scene->head);
    }
    const auto weighed = domain::weigh(standing, commit.report, commit.bound);
    if (weighed.effect != domain::Weighed::Effect::recorded) {
        return ports::ReportReceipt{.weighed = weighed, .job = *standing.job};
    }
    if (scene) {
        auto job = record(db, *scene, standing, commit, packed, weighed);
        return ports::ReportReceipt{.weighed = weighed, .job = std::move(job)};
    }
    auto job = job_after(standing.job, commit, {.weighed = weighed});
    write_job(db, job, standing.job, commit, packed);
    return ports::ReportReceipt{.weighed = weighed, .job = std::move(job)};
}

} // namespace baton::store::sql::verbs
