#include "baton/store/reporting.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::store {

namespace {

using domain::DispatchState;
using domain::Job;
using domain::JobStatus;

/// A later report that leaves something out does not unsay it. Of texts and lists.
template <class Several> void take_over(Several& kept, const Several& said) {
    if (!said.empty()) {
        kept = said;
    }
}

template <class T> void take_over(std::optional<T>& kept, const std::optional<T>& said) {
    if (said) {
        kept = said;
    }
}

void take_times(Job& job, const ports::ReportCommit& commit, const Arrival& arrival) {
    if (commit.report.status == JobStatus::completed) {
        job.completed_at = commit.now;
    } else {
        job.started_at = commit.now;
    }
    take_over(job.their_start, commit.report.started_at);
    take_over(job.their_end, commit.report.completed_at);
    if (arrival.starts_run && job.dispatched_at) {
        job.queue = std::max(commit.now - *job.dispatched_at, Millis{0});
    }
}

/// Why a dispatch stands where its jobs say: only what is a surprise is worth a reason.
std::string reason_of(DispatchState before) {
    const bool thought_lost = before == DispatchState::pending || before == DispatchState::failed ||
                              before == DispatchState::dead;
    return thought_lost ? std::string(kArrivedAfterAll) : std::string();
}

} // namespace

bool has_moved_on(const domain::Dispatch& dispatch, const std::optional<KnownHead>& known) {
    return dispatch.pr && known && known->head != dispatch.head;
}

Job job_after(
    const std::optional<Job>& before, const ports::ReportCommit& commit, const Arrival& arrival
) {
    const auto& report = commit.report;
    Job job = before.value_or(Job{});
    if (!before) {
        job.subject = commit.subject;
        job.key = report.key;
        job.dispatched_at = arrival.dispatched_at;
        job.start_missed = arrival.weighed.start_missed;
    }
    job.status = report.status;
    job.conclusion = report.conclusion;
    job.said_by = domain::SaidBy::downstream;
    job.bound = commit.bound;
    job.run_proven = commit.run_proven;
    job.counts = arrival.weighed.counts;
    job.replaced = job.replaced || arrival.weighed.replaces;
    job.commit = commit.commit;
    job.level = commit.level;
    job.device = commit.device;
    take_over(job.url, report.url);
    take_over(job.check_run_id, report.check_run_id);
    take_over(job.artifact_url, report.artifact_url);
    take_over(job.tests, report.tests);
    take_times(job, commit, arrival);
    return job;
}

bool keeps_detail(const Job& before, const ports::ReportCommit& commit) {
    return before.bound || !commit.bound;
}

domain::ReportDetail
detail_after(const domain::ReportDetail& before, const domain::ReportDetail& said) {
    auto detail = before;
    take_over(detail.failed_tests, said.failed_tests);
    take_over(detail.benchmarks, said.benchmarks);
    take_over(detail.environment, said.environment);
    take_over(detail.expected_failures, said.expected_failures);
    take_over(detail.artifacts, said.artifacts);
    take_over(detail.triage_verdict, said.triage_verdict);
    for (const auto& note : said.notes) {
        if (std::ranges::find(detail.notes, note) == detail.notes.end()) {
            detail.notes.push_back(note);
        }
    }
    return detail;
}

domain::Conclusion
unheard_end(const domain::Dispatch& dispatch, const std::optional<KnownHead>& known) {
    const bool given_up = dispatch.state == DispatchState::superseded ||
                          dispatch.state == DispatchState::cancelled ||
                          has_moved_on(dispatch, known);
    return given_up ? domain::Conclusion::cancelled : domain::Conclusion::timed_out;
}

Job concluded(Job job, domain::Conclusion conclusion, TimePoint now) {
    job.status = JobStatus::completed;
    job.conclusion = conclusion;
    job.said_by = domain::SaidBy::relay;
    job.completed_at = now;
    return job;
}

bool stands_before(const Job& job, const Job& shown, const std::optional<KnownHead>& known) {
    const auto rank = [&known](const Job& one) {
        return std::tuple(
            known && one.subject.head == known->head, one.subject.dispatch, one.key.attempt
        );
    };
    return rank(job) >= rank(shown);
}

std::optional<Turn>
turn_of(const domain::Dispatch& dispatch, bool silent, const domain::Heard& heard) {
    const auto state = domain::state_by_jobs(dispatch.state, heard);
    if (!state || (*state == dispatch.state && !silent)) {
        return std::nullopt;
    }
    return Turn{.state = *state, .reason = reason_of(dispatch.state), .breaks_silence = silent};
}

bool heed(domain::Verdict& verdict, const domain::Heard& heard) {
    const auto state = domain::state_by_jobs(verdict.state, heard);
    if (!state) {
        return false;
    }
    verdict.reason = reason_of(verdict.state);
    verdict.state = *state;
    return true;
}

std::vector<Told> told_of(
    const std::optional<Job>& before,
    const Job& job,
    const domain::Weighed& weighed,
    const std::optional<Turn>& turn
) {
    std::vector<Told> lines;
    if (weighed.replaces || (turn && turn->breaks_silence)) {
        lines.push_back({.kind = kReplaced, .detail = words_for(job)});
    } else if (turn) {
        lines.push_back({.kind = name_of(turn->state), .detail = words_for(job)});
    }
    if (!job.bound && (!before || before->bound)) {
        lines.push_back({.kind = kUnbound, .detail = words_for(job)});
    }
    return lines;
}

std::string silent_reason(Millis wait) {
    return fmt::format("silent: no start within {}", to_text(wait));
}

std::string lane_of(const Job& job) {
    const auto& key = job.key;
    return fmt::format(
        "{} {}/{} {}:{}",
        job.subject.downstream.key(),
        key.workflow,
        key.job,
        key.run_id,
        key.attempt
    );
}

} // namespace baton::store
