#include "baton/domain/gate.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

bool is_given_up(const Job& job) {
    return has_ended(job) && job.said_by == SaidBy::relay;
}

TimePoint last_word_of(const Job& job) {
    return job.completed_at ? *job.completed_at : job.started_at.value_or(TimePoint{});
}

TimePoint first_word_of(const Job& job) {
    return job.started_at ? *job.started_at : job.completed_at.value_or(TimePoint{});
}

TimePoint last_word_of(const std::vector<Job>& jobs) {
    TimePoint last{};
    for (const auto& job : jobs) {
        last = std::max(last, last_word_of(job));
    }
    return last;
}

/// By the downstream: what the relay gave up announces no other job.
TimePoint last_own_word_of(const std::vector<Job>& jobs) {
    TimePoint last{};
    for (const auto& job : jobs) {
        last = std::max(last, is_given_up(job) ? first_word_of(job) : last_word_of(job));
    }
    return last;
}

/// A re-run has as much time as the first run had, however late it comes.
TimePoint newest_attempt_began(const Run& run) {
    int attempt = 0;
    TimePoint began{};
    for (const auto& job : standing_jobs(run)) {
        const bool newer = job.key.attempt > attempt;
        if (newer || (job.key.attempt == attempt && first_word_of(job) < began)) {
            attempt = job.key.attempt;
            began = first_word_of(job);
        }
    }
    return began;
}

/// When that began which the relay gave up and has run again by itself; none when a person asked
/// last. A retry that nobody asked for buys no time: whoever waits, waits for one `gate_run`.
std::optional<TimePoint> lost_run_began(const GatePartFacts& facts) {
    const Rerun* last = nullptr;
    for (const auto& rerun : facts.reruns) {
        const bool newer = last == nullptr || rerun.created_at >= last->created_at;
        last = rerun.state != RerunState::refused && newer ? &rerun : last;
    }
    if (last == nullptr || last->cause != RerunCause::infrastructure) {
        return std::nullopt;
    }
    std::optional<TimePoint> began;
    const auto look_at = [&](const Run& run) {
        for (const auto& job : run.jobs) {
            const bool counts = job.counts && job.bound && job.run_proven;
            if (counts && is_given_up(job) && last_word_of(job) <= last->created_at) {
                began = std::min(began.value_or(first_word_of(job)), first_word_of(job));
            }
        }
    };
    look_at(facts.run);
    if (facts.spoken) {
        look_at(*facts.spoken);
    }
    return began;
}

bool is_named(const Job& job, std::string_view name) {
    return job.key.job == name || label_of(job) == name ||
           (job.key.job.empty() && job.key.workflow == name);
}

/// The jobs that matter to the gate, and the names of those that nobody has heard of yet.
struct Roll {
    std::vector<Job> jobs;
    std::vector<std::string> missing;
};

Roll roll_of(const GatePartFacts& facts) {
    Roll roll{.jobs = standing_jobs(facts.run), .missing = {}};
    const auto awaited = awaited_jobs(facts);
    for (const auto& name : awaited) {
        if (std::ranges::none_of(roll.jobs, [&](const Job& job) { return is_named(job, name); })) {
            roll.missing.push_back(name);
        }
    }
    if (!facts.downstream.required_jobs.empty()) {
        std::erase_if(roll.jobs, [&](const Job& job) {
            return std::ranges::none_of(awaited, [&](const std::string& name) {
                return is_named(job, name);
            });
        });
    }
    return roll;
}

/// The newest word of the base branch about a job; nullopt: none yet.
std::optional<bool> is_red_on_base(const GatePartFacts& facts, const Job& job) {
    for (const auto& run : facts.base) {
        for (const auto& other : standing_jobs(run)) {
            const bool passed = other.conclusion == Conclusion::success;
            const bool failed = other.conclusion == Conclusion::failure;
            if (label_of(other) == label_of(job) && (passed || failed)) {
                return failed; // a run that was cancelled or lost says nothing about the branch
            }
        }
    }
    return std::nullopt;
}

bool is_running_on_base(const GatePartFacts& facts, const Job& job) {
    return std::ranges::any_of(facts.base, [&](const Run& run) {
        return std::ranges::any_of(standing_jobs(run), [&](const Job& other) {
            return label_of(other) == label_of(job) && !has_ended(other);
        });
    });
}

/// What one part is asked: everything that the rules below look at, worked out once.
struct Question {
    const GatePartFacts& facts;
    const GateRules& rules;
    TimePoint now{};
    Roll roll;
};

GatePart begin_part(const Question& the) {
    return {
        .downstream = the.facts.downstream.repo,
        .oncalls = the.facts.downstream.oncalls,
        .state = PartState::waiting,
        .reason = {},
        .since = the.facts.run.dispatch.created_at,
        .until = std::nullopt,
        .failing = {},
    };
}

GatePart neutral(GatePart part, std::string reason, TimePoint since) {
    part.state = PartState::neutral;
    part.reason = std::move(reason);
    part.since = since;
    return part;
}

/// What was cancelled or superseded is history with its pull request; what failed is about it.
bool was_not_told(DispatchState state) {
    return state == DispatchState::failed || state == DispatchState::dead;
}

GatePart not_started(const Question& the, GatePart part) {
    const auto& dispatch = the.facts.run.dispatch;
    if (was_not_told(dispatch.state)) {
        return neutral(
            std::move(part),
            fmt::format("it was not told ({}): {}", name_of(dispatch.state), dispatch.reason),
            dispatch.created_at
        );
    }
    const auto deadline = dispatch.created_at + the.rules.start;
    if (the.now >= deadline || the.facts.run.silent_at) {
        return neutral(
            std::move(part),
            fmt::format("it did not start within {}", baton::to_text(the.rules.start)),
            std::min(deadline, the.facts.run.silent_at.value_or(deadline))
        );
    }
    part.reason = "it has not started yet";
    part.until = deadline;
    return part;
}

std::string names_of_open(const Roll& roll) {
    auto names = roll.missing;
    for (const auto& job : roll.jobs) {
        if (!has_ended(job)) {
            names.push_back(label_of(job));
        }
    }
    constexpr std::size_t shown = 3;
    const auto more = names.size() > shown ? names.size() - shown : 0;
    names.resize(names.size() - more);
    return fmt::format(
        "{}{}", fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more)
    );
}

/// Something was ordered to run again and has not been heard of since.
const Rerun* rerun_under_way(const Question& the, const std::vector<Job>& red) {
    for (const auto& rerun : the.facts.reruns) {
        const bool refused = rerun.state == RerunState::refused;
        const bool answered =
            the.now >= rerun.created_at + the.rules.start || last_word_of(red) > rerun.created_at;
        if (!refused && !answered) {
            return &rerun;
        }
    }
    return nullptr;
}

bool has_retries_left(const Question& the) {
    const auto spent = std::ranges::count_if(the.facts.reruns, [](const Rerun& rerun) {
        return rerun.cause == RerunCause::infrastructure;
    });
    return spent < the.rules.retries;
}

/// Red, as far as it goes: is that the last word, and is it the change's fault?
GatePart judge_red(const Question& the, GatePart part, const std::vector<Job>& red) {
    const auto ended = last_word_of(red);
    const auto held = [&](std::string reason, TimePoint from) {
        part.state = PartState::held;
        part.reason = std::move(reason);
        part.since = ended;
        part.until = from + the.rules.start;
        part.failing = red;
        return part;
    };
    if (const auto* rerun = rerun_under_way(the, red)) {
        return held(
            rerun->cause == RerunCause::infrastructure
                ? "its infrastructure failed; it is being run again"
                : fmt::format("it is being run again, as {} asked", rerun->actor),
            rerun->created_at
        );
    }
    const bool lost = std::ranges::all_of(red, is_infrastructure_failure);
    if (lost && has_retries_left(the) && the.now < ended + the.rules.start) {
        part = held("its infrastructure failed; it will be run again", ended);
        std::ranges::copy_if(the.roll.jobs, std::back_inserter(part.failing), is_given_up);
        part.lost = true;
        return part;
    }
    std::vector<Job> own;
    for (const auto& job : red) {
        const auto on_base = is_red_on_base(the.facts, job);
        if (!on_base && is_running_on_base(the.facts, job) && the.now < ended + the.rules.start) {
            return held("the same job is still running on the base branch", ended);
        }
        if (!on_base.value_or(false)) {
            own.push_back(job);
        }
    }
    if (own.empty()) {
        part.failing = red;
        return neutral(std::move(part), "it fails on the base branch too", ended);
    }
    part.state = PartState::failed;
    part.since = ended;
    part.reason = fmt::format(
        "{} {}{}",
        label_of(own.front()),
        own.front().conclusion == Conclusion::failure
            ? "failed"
            : fmt::format("ended as {}", name_of(*own.front().conclusion)),
        own.size() == 1 ? "" : fmt::format(", and {} more", own.size() - 1)
    );
    part.failing = std::move(own);
    return part;
}

/// Given up by the relay: silence, so nobody waits beyond `limit`, but once it is run again.
GatePart judge_lost(const Question& the, GatePart part, TimePoint limit) {
    std::ranges::copy_if(the.roll.jobs, std::back_inserter(part.failing), is_given_up);
    const auto ended = last_word_of(part.failing);
    part.lost = has_retries_left(the) && the.now < ended + the.rules.start;
    const auto* rerun = rerun_under_way(the, part.failing);
    const bool again = rerun != nullptr && rerun->cause == RerunCause::infrastructure;
    const auto from = again ? rerun->created_at : ended;
    const auto until = std::min(from + the.rules.start, limit);
    if ((again || part.lost) && the.now < until) {
        part.state = PartState::held;
        part.reason = fmt::format(
            "it was lost without a word; it {} run again", again ? "is being" : "will be"
        );
        part.since = ended;
        part.until = until;
        return part;
    }
    return neutral(std::move(part), "it was never heard of again", last_word_of(the.roll.jobs));
}

GatePart started(const Question& the, GatePart part) {
    const auto& jobs = the.roll.jobs;
    const auto began = newest_attempt_began(the.facts.run);
    const auto first = std::min(began, lost_run_began(the.facts).value_or(began));
    const bool runs = !std::ranges::all_of(standing_jobs(the.facts.run), has_ended);
    const auto silence = last_word_of(standing_jobs(the.facts.run)) + the.rules.start;
    const auto deadline = runs ? first + the.rules.run : std::min(first + the.rules.run, silence);
    const bool open = !the.roll.missing.empty() || !std::ranges::all_of(jobs, has_ended);
    if (open && the.now < deadline) {
        part.state = PartState::running;
        part.reason = fmt::format("waiting for {}", names_of_open(the.roll));
        part.since = first;
        part.until = deadline;
        return part;
    }
    const auto settled = last_own_word_of(jobs) + the.rules.settle;
    if (!open && the.facts.downstream.required_jobs.empty() && the.now < settled) {
        part.state = PartState::settling;
        part.reason = "all jobs have ended; another may still begin";
        part.since = last_own_word_of(jobs);
        part.until = settled;
        return part;
    }
    std::vector<Job> red;
    std::ranges::copy_if(jobs, std::back_inserter(red), [](const Job& job) { return is_red(job); });
    if (!red.empty()) {
        return judge_red(the, std::move(part), red);
    }
    if (open) {
        return neutral(
            std::move(part),
            fmt::format("{} did not end in time", names_of_open(the.roll)),
            deadline
        );
    }
    if (std::ranges::any_of(jobs, is_given_up)) {
        return judge_lost(the, std::move(part), first + the.rules.run);
    }
    part.state = PartState::passed;
    part.reason = fmt::format("{} {} passed", jobs.size(), jobs.size() == 1 ? "job" : "jobs");
    part.since = last_word_of(jobs);
    return part;
}

} // namespace

GatePart part_of(const GatePartFacts& facts, const GateRules& rules, TimePoint now) {
    const Question the{.facts = facts, .rules = rules, .now = now, .roll = roll_of(facts)};
    auto part = begin_part(the);
    if (facts.suspension) {
        part.suspended = true;
        return neutral(
            std::move(part),
            fmt::format("suspended: {}", facts.suspension->reason),
            facts.suspension->since
        );
    }
    if (!standing_jobs(facts.run).empty()) {
        return started(the, std::move(part));
    }
    auto unheard = not_started(the, part);
    auto limit = facts.spoken ? lost_run_began(facts) : std::nullopt;
    if (limit) {
        *limit += rules.run;
    }
    if (unheard.state == PartState::waiting && (!limit || now < *limit)) {
        unheard.until = limit && unheard.until ? std::min(*unheard.until, *limit) : unheard.until;
        return unheard;
    }
    if (!facts.spoken) {
        return unheard;
    }
    // What was said of this commit before is not taken back by the silence of a later run.
    auto earlier = facts;
    earlier.run = *std::exchange(earlier.spoken, std::nullopt);
    const Question again{.facts = earlier, .rules = rules, .now = now, .roll = roll_of(earlier)};
    return started(again, std::move(part));
}

} // namespace baton::domain
