// The part of the tables that is about results: reports, what becomes of their dispatches, and what
// did not come in time.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/memory/memory_tables.hpp"
#include "baton/store/reporting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::memory {

using domain::DispatchState;
using domain::Job;

std::vector<domain::Dispatch>
Tables::dispatches_to(const DeliveryId& delivery, const RepoName& downstream) const {
    std::vector<domain::Dispatch> found;
    const auto sequence = sequences_.find(delivery);
    if (sequence == sequences_.end() || !by_delivery_.contains(sequence->second)) {
        return found;
    }
    for (const auto& [key, id] : by_delivery_.at(sequence->second)) {
        if (key.first == downstream) {
            found.push_back(dispatches_.at(id).dispatch);
        }
    }
    std::ranges::reverse(found); // generations come in order
    return found;
}

// --- one report

const Job* Tables::known_job(const ports::ReportCommit& commit) const {
    const auto& subject = commit.subject;
    const auto& key = commit.report.key;
    const auto row = [this](const auto& ids, const auto& of) {
        const auto at = ids.find(of);
        return at == ids.end() ? nullptr : &jobs_.at(at->second).job;
    };
    if (subject.dispatch) {
        return row(jobs_of_dispatch_, std::pair(*subject.dispatch, key));
    }
    return row(
        jobs_of_commit_,
        CommitKey(subject.downstream, subject.upstream, subject.head, subject.event_type, key)
    );
}

std::optional<KnownHead> Tables::known_head(const domain::Dispatch& dispatch) const {
    if (!dispatch.pr) {
        return std::nullopt;
    }
    const auto at = pull_requests_.find({dispatch.upstream, *dispatch.pr});
    return at == pull_requests_.end()
               ? std::nullopt
               : std::optional(KnownHead{.head = at->second.head, .open = at->second.open});
}

std::vector<Job> Tables::jobs_of(DispatchId dispatch) const {
    std::vector<Job> jobs;
    auto at = jobs_of_dispatch_.lower_bound({dispatch, {.workflow = "", .attempt = 0}});
    for (; at != jobs_of_dispatch_.end() && at->first.first == dispatch; ++at) {
        jobs.push_back(jobs_.at(at->second).job);
    }
    std::ranges::sort(jobs, {}, &Job::id);
    return jobs;
}

Result<ports::ReportReceipt> Tables::record_report(const ports::ReportCommit& commit) {
    domain::Standing standing;
    if (const auto* known = known_job(commit)) {
        standing.job = *known;
    }
    std::optional<Scene> scene;
    if (const auto id = commit.subject.dispatch) {
        const auto at = dispatches_.find(*id);
        if (at == dispatches_.end()) {
            return fail(
                Errc::not_found,
                fmt::format("there is no dispatch {} in the store", static_cast<std::int64_t>(*id))
            );
        }
        const auto& dispatch = at->second.dispatch;
        scene.emplace(Scene{
            .dispatch = at->second,
            .head = known_head(dispatch),
            .claim = claims_[{*id, commit.report.key.workflow}],
        });
        standing.claimed_by = scene->claim.run_id;
        standing.claim_bound = std::ranges::any_of(jobs_of(*id), [&](const Job& job) {
            return job.bound && job.key.workflow == commit.report.key.workflow &&
                   job.key.run_id == scene->claim.run_id;
        });
        standing.superseded =
            dispatch.state == DispatchState::superseded || has_moved_on(dispatch, scene->head);
    }
    const auto weighed = domain::weigh(standing, commit.report, commit.bound);
    if (weighed.effect != domain::Weighed::Effect::recorded) {
        return ports::ReportReceipt{.weighed = weighed, .job = *standing.job};
    }
    if (scene) {
        auto job = record(*scene, standing, commit, weighed);
        return ports::ReportReceipt{.weighed = weighed, .job = std::move(job)};
    }
    auto job = job_after(standing.job, commit, {.weighed = weighed});
    write_job(job, commit);
    return ports::ReportReceipt{.weighed = weighed, .job = std::move(job)};
}

Job Tables::record(
    Scene& scene,
    const domain::Standing& standing,
    const ports::ReportCommit& commit,
    const domain::Weighed& weighed
) {
    auto& row = scene.dispatch;
    const auto dispatch = row.dispatch;
    const bool starts = commit.report.status == domain::JobStatus::in_progress;
    Arrival arrival{
        .weighed = weighed,
        .dispatched_at = dispatch.sent_at,
        .starts_run = starts && weighed.counts && commit.report.key.attempt == 1 &&
                      (weighed.takes_over || !scene.claim.started),
    };
    if (!arrival.dispatched_at && !row.attempts.empty()) {
        arrival.dispatched_at = row.attempts.back().started_at;
    }
    if (weighed.takes_over) {
        void_claim(scene, commit.report.key.workflow);
    }
    auto job = job_after(standing.job, commit, arrival);
    write_job(job, commit);
    if (weighed.counts) {
        scene.claim.run_id = commit.report.key.run_id;
        scene.claim.started = scene.claim.started || starts;
    }
    show(job, scene.head);
    const auto turn = row.leased() ? std::nullopt : turn_by_jobs(row, commit.now);
    for (const auto& line : told_of(standing.job, job, weighed, turn)) {
        write_line(commit.now, line.kind, dispatch.key.delivery, dispatch.id, line.detail);
    }
    look_at(dispatch, commit.now, commit.level);
    return job;
}

/// The run that had it never showed the token, and another one does: its jobs are only shown.
void Tables::void_claim(Scene& scene, const std::string& workflow) {
    for (auto job : jobs_of(scene.dispatch.dispatch.id)) {
        if (job.key.workflow != workflow || job.key.run_id != scene.claim.run_id) {
            continue;
        }
        std::erase_if(latest_, [&job](const auto& one) { return one.second == job.id; });
        job.counts = false;
        jobs_.at(job.id).job = job;
    }
    scene.claim = Claim{};
}

void Tables::put_job(Job& job) {
    if (job.id == JobId{}) {
        job.id = JobId{++last_job_};
        const auto& subject = job.subject;
        if (subject.dispatch) {
            jobs_of_dispatch_.emplace(std::pair(*subject.dispatch, job.key), job.id);
        } else {
            jobs_of_commit_.emplace(
                CommitKey(
                    subject.downstream, subject.upstream, subject.head, subject.event_type, job.key
                ),
                job.id
            );
        }
    }
    if (job.started_at) {
        if (job.status == domain::JobStatus::in_progress) {
            running_.emplace(*job.started_at, job.id);
        } else {
            running_.erase({*job.started_at, job.id});
        }
    }
    jobs_[job.id].job = job;
}

void Tables::write_job(Job& job, const ports::ReportCommit& commit) {
    const bool known = job.id != JobId{};
    const bool heeds = known && keeps_detail(jobs_.at(job.id).job, commit);
    put_job(job);
    if (commit.report.detail != domain::ReportDetail{}) {
        auto& detail = jobs_.at(job.id).detail;
        detail = heeds ? detail_after(detail, commit.report.detail) : commit.report.detail;
    }
    for (const auto& letter : commit.letters) {
        put_letter(letter, job, commit.now);
    }
}

void Tables::show(const Job& job, const std::optional<KnownHead>& head) {
    const auto& subject = job.subject;
    if (!job.counts || !subject.pr) {
        return;
    }
    const LatestKey key{
        subject.upstream, *subject.pr, subject.downstream, job.key.workflow, job.key.job
    };
    const auto [at, first] = latest_.emplace(key, job.id);
    if (!first && stands_before(job, jobs_.at(at->second).job, head)) {
        at->second = job.id;
    }
}

std::optional<Turn> Tables::turn_by_jobs(DispatchRow& row, TimePoint now) {
    auto turn = turn_of(
        row.dispatch, row.silent_at.has_value(), domain::heard_from(jobs_of(row.dispatch.id))
    );
    if (turn) {
        change(row, [&](DispatchRow& changed) {
            changed.dispatch.state = turn->state;
            changed.dispatch.reason = turn->reason;
            changed.dispatch.sent_at = changed.dispatch.sent_at.value_or(now);
            changed.silent_at.reset();
            changed.lease_until = TimePoint{};
            changed.mark.reset();
            changed.mark_reason.clear();
        });
    }
    return turn;
}

bool Tables::arrived(DispatchRow& row, TimePoint now) {
    if (!row.leased()) {
        return false;
    }
    const auto turn = turn_by_jobs(row, now);
    if (turn) {
        lose_attempt(row);
        write_line(
            now, name_of(turn->state), row.dispatch.key.delivery, row.dispatch.id, turn->reason
        );
        look_at(row.dispatch, now);
    }
    return turn.has_value();
}

// --- what did not come in time

ports::Swept Tables::sweep(const ports::SweepQuery& query) {
    std::vector<DispatchId> silent;
    for (const auto& [sent, id] : awaiting_) {
        const auto& dispatch = dispatches_.at(id).dispatch;
        const auto& waits = ports::waits_of(query, dispatch.upstream, dispatch.key.downstream);
        if (silent.size() < query.limit && sent + waits.start <= query.now) {
            silent.push_back(id);
        }
    }
    std::vector<JobId> endless;
    for (const auto& [started, id] : running_) {
        const auto& subject = jobs_.at(id).job.subject;
        const auto& waits = ports::waits_of(query, subject.upstream, subject.downstream);
        if (endless.size() < query.limit && started + waits.run <= query.now) {
            endless.push_back(id);
        }
    }
    ports::Swept swept;
    for (const auto id : silent) {
        swept.silent.push_back(fall_silent(dispatches_.at(id), query));
    }
    for (const auto id : endless) {
        swept.unheard.push_back(end_unheard(jobs_.at(id).job, query));
    }
    return swept;
}

ports::Silence Tables::fall_silent(DispatchRow& row, const ports::SweepQuery& query) {
    const auto& dispatch = row.dispatch;
    const auto head = known_head(dispatch);
    const bool superseded = has_moved_on(dispatch, head) || (head && !head->open);
    const auto wait = ports::waits_of(query, dispatch.upstream, dispatch.key.downstream).start;
    change(row, [&](DispatchRow& changed) {
        changed.dispatch.state = DispatchState::finished;
        changed.dispatch.reason =
            superseded ? std::string(kSupersededUnstarted) : silent_reason(wait);
        changed.silent_at = superseded ? std::nullopt : std::optional(query.now);
    });
    write_line(
        query.now,
        superseded ? name_of(DispatchState::finished) : kSilent,
        dispatch.key.delivery,
        dispatch.id,
        dispatch.reason
    );
    look_at(dispatch, query.now);
    return {
        .dispatch = dispatch.id, .downstream = dispatch.key.downstream, .superseded = superseded
    };
}

Job Tables::end_unheard(Job running, const ports::SweepQuery& query) {
    const auto id = running.subject.dispatch;
    auto* row = id ? &dispatches_.at(*id) : nullptr;
    const auto conclusion = row != nullptr ? unheard_end(row->dispatch, known_head(row->dispatch))
                                           : domain::Conclusion::timed_out;
    auto job = concluded(std::move(running), conclusion, query.now);
    put_job(job);
    for (const auto& sink : query.sinks) {
        put_letter({.sink = sink}, job, query.now);
    }
    if (row != nullptr) {
        if (!row->leased()) {
            turn_by_jobs(*row, query.now);
        }
        look_at(row->dispatch, query.now, job.level);
    }
    write_line(
        query.now,
        conclusion == domain::Conclusion::timed_out ? kTimedOut : kStopped,
        row != nullptr ? row->dispatch.key.delivery : DeliveryId{},
        id,
        words_for(job)
    );
    return job;
}

} // namespace baton::store::memory
