// Runs of downstreams as Actions keeps them, and running them again.

#include "baton/base/time.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/post.hpp"
#include "baton/sim/report.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

namespace {

constexpr std::chrono::hours kLostRunner{1};
constexpr std::chrono::days kRerunnable{30};
constexpr int kAttemptsMax = 51; // the first, and fifty re-runs

PostReply refused(std::string_view why) {
    return {.status = 403, .message = std::string(why)};
}

bool passes(std::string_view conclusion) {
    return conclusion == "success" || conclusion == "neutral" || conclusion == "skipped";
}

} // namespace

TimePoint PlayedRun::ends_at() const {
    const bool lost = std::ranges::any_of(jobs, [](const auto& job) { return job.second.empty(); });
    return lost ? last_step + kLostRunner : last_step;
}

std::set<std::string> PlayedRun::failed_jobs() const {
    std::set<std::string> out;
    for (const auto& [job, conclusion] : jobs) {
        if (!passes(conclusion)) {
            out.insert(job);
        }
    }
    return out;
}

void DownstreamBook::note_played(const Part& part, const Told& told, const Report& report) {
    if (report.step.forgery != Forgery::none) {
        return; // no job of Actions says that
    }
    const PlayedRun begun{
        .run = report.run, .part = part, .told = told, .jobs = {}, .last_step = report.due
    };
    auto& run = played_.try_emplace(report.run.id, begun).first->second;
    if (report.run.attempt > run.run.attempt) {
        run.run.attempt = report.run.attempt;
        run.jobs.clear();
    }
    auto& conclusion = run.jobs[report.step.job];
    if (!report.step.conclusion.empty()) {
        conclusion = report.step.conclusion;
    }
    run.last_step = std::max(run.last_step, report.due);
    if (played_.size() > kRunsKept) {
        played_.erase(played_.begin());
    }
}

bool DownstreamBook::goes_on(const PlayedRun& run, TimePoint now) const {
    return now < run.ends_at() && !stopped_.contains(run.run.id);
}

PostReply DownstreamBook::rerun(const Rerun& what) {
    const auto found = played_.find(what.run);
    if (found == played_.end() || found->second.run.repo_id != what.repo) {
        return {.status = 404, .message = "Not Found"};
    }
    const auto before = found->second; // its steps change the original
    if (goes_on(before, what.now)) {
        return refused("This workflow is already running");
    }
    if (what.now - before.told.at > kRerunnable) {
        return refused("Unable to retry this workflow run because it was created over a month ago");
    }
    const auto failed = before.failed_jobs();
    if (what.failed_only && failed.empty()) {
        return refused("This workflow run has no failed jobs");
    }
    if (before.run.attempt >= kAttemptsMax) {
        return refused("This workflow run has been re-run too often");
    }
    const auto playing = parts_.find(before.run.repo);
    auto part = playing != parts_.end() ? playing->second : before.part;
    part.script = part.rerun_script.value_or(part.script);
    const auto seed = seed_for(seed_, fmt::format("again {} {}", before.run.id, next_));
    auto steps = steps_of(part.script, before.told.cue, part.pace, seed);
    std::erase_if(steps, [](const ScriptStep& step) {
        return step.run != 0 || step.forgery != Forgery::none;
    });
    const auto is_needed = [&](const ScriptStep& step) { return failed.contains(step.job); };
    if (what.failed_only && std::ranges::any_of(steps, is_needed)) {
        std::erase_if(steps, [&](const ScriptStep& step) { return !is_needed(step); });
    }
    stopped_.erase(before.run.id);
    const Told again{.cue = before.told.cue, .echo = before.told.echo, .at = what.now};
    for (auto& step : steps) {
        step.attempt += before.run.attempt;
        put(part, again, std::move(step), before.run);
    }
    return {.status = 201, .message = {}, .id = before.run.id};
}

} // namespace baton::sim
