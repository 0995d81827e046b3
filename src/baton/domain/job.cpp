#include "baton/domain/job.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/report.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::chrono::minutes kSkew{1};

constexpr std::string_view kOtherRun = "another run of this workflow has the dispatch";
constexpr std::string_view kSuperseded = "superseded";

std::optional<Millis> between(std::optional<TimePoint> from, std::optional<TimePoint> until) {
    if (!from || !until) {
        return std::nullopt;
    }
    return std::max(*until - *from, Millis{0}); // a clock that was set back makes nothing negative
}

bool is_far(std::optional<TimePoint> ours, std::optional<TimePoint> theirs) {
    return ours && theirs && std::chrono::abs(*ours - *theirs) > kSkew;
}

/// Of a job that showed its token nothing is believed without it.
Weighed::Effect effect_without_token(const Job& job, const Report& report) {
    if (report.status == JobStatus::in_progress) {
        return job.status == JobStatus::in_progress ? Weighed::Effect::duplicate
                                                    : Weighed::Effect::stale;
    }
    return job.conclusion == report.conclusion ? Weighed::Effect::duplicate
                                               : Weighed::Effect::contradiction;
}

Weighed::Effect effect_on(const Job& job, const Report& report, bool bound) {
    if (job.bound && !bound) {
        return effect_without_token(job, report);
    }
    if (job.status == JobStatus::in_progress) {
        return report.status == JobStatus::completed ? Weighed::Effect::recorded
                                                     : Weighed::Effect::duplicate;
    }
    if (report.status == JobStatus::in_progress) {
        return Weighed::Effect::stale;
    }
    if (job.said_by == SaidBy::relay || (bound && !job.bound)) {
        return Weighed::Effect::recorded;
    }
    return job.conclusion == report.conclusion ? Weighed::Effect::duplicate
                                               : Weighed::Effect::contradiction;
}

} // namespace

std::string_view name_of(CommitCheck check) {
    switch (check) {
    case CommitCheck::known:
        return "known";
    case CommitCheck::unverified:
        return "unverified";
    case CommitCheck::unknown:
        return "unknown";
    }
    return "";
}

std::optional<CommitCheck> commit_check_named(std::string_view name) {
    for (const auto check : {CommitCheck::known, CommitCheck::unverified, CommitCheck::unknown}) {
        if (name_of(check) == name) {
            return check;
        }
    }
    return std::nullopt;
}

std::optional<Millis> execution_of(const Job& job) {
    return between(job.started_at, job.completed_at);
}

std::optional<Millis> end_to_end_of(const Job& job) {
    return between(job.dispatched_at, job.completed_at);
}

bool is_skewed(const Job& job) {
    return is_far(job.started_at, job.their_start) ||
           (job.said_by == SaidBy::downstream && is_far(job.completed_at, job.their_end));
}

Weighed weigh(const Standing& standing, const Report& report, bool bound) {
    Weighed weighed;
    if (standing.job) {
        weighed.effect = effect_on(*standing.job, report, bound);
        weighed.replaces = weighed.effect == Weighed::Effect::recorded &&
                           standing.job->status == JobStatus::completed;
    } else {
        weighed.start_missed = report.status == JobStatus::completed;
    }
    const bool own = standing.claimed_by.empty() || standing.claimed_by == report.key.run_id;
    weighed.takes_over = !own && bound && !standing.claim_bound;
    weighed.counts = own || weighed.takes_over;
    if (!weighed.counts) {
        weighed.reason = kOtherRun;
    } else if (standing.superseded && report.key.attempt == 1) { // a later one somebody asked for
        weighed.reason = kSuperseded;
    }
    weighed.proceed = weighed.reason.empty();
    return weighed;
}

Heard heard_from(const std::vector<Job>& jobs) {
    Heard heard;
    for (const auto& job : jobs) {
        if (job.counts) {
            heard.any = true;
            heard.bound = heard.bound || job.bound;
            heard.running = heard.running || job.status == JobStatus::in_progress;
        }
    }
    return heard;
}

std::optional<DispatchState> state_by_jobs(DispatchState state, const Heard& heard) {
    if (state == DispatchState::superseded || state == DispatchState::cancelled) {
        return std::nullopt;
    }
    const bool thought_away = state == DispatchState::pending || state == DispatchState::failed ||
                              state == DispatchState::dead;
    if (!heard.any || (thought_away && !heard.bound)) {
        return std::nullopt;
    }
    return heard.running ? DispatchState::started : DispatchState::finished;
}

} // namespace baton::domain
