#include "baton/domain/breaker_evidence.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/breaker.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {

namespace {

bool is_late(const Job& job, const BreakerRules& rules, TimePoint now) {
    if (!has_ended(job)) {
        return job.started_at && now >= *job.started_at + rules.run;
    }
    return job.said_by == SaidBy::relay || job.conclusion == Conclusion::timed_out;
}

bool has_failed(const Job& job) {
    return has_ended(job) && job.said_by == SaidBy::downstream &&
           (job.conclusion == Conclusion::failure || job.conclusion == Conclusion::action_required);
}

/// Mostly because a newer commit came: no sign of anything.
bool was_cancelled(const Job& job) {
    return has_ended(job) && job.conclusion == Conclusion::cancelled;
}

bool tells_nothing(DispatchState state) {
    switch (state) {
    case DispatchState::sent:
    case DispatchState::started:
    case DispatchState::finished:
        return false;
    case DispatchState::pending:    // not theirs yet
    case DispatchState::superseded: // not theirs any more
    case DispatchState::cancelled:
    case DispatchState::failed: // they were not told
    case DispatchState::dead:
        return true;
    }
    return true;
}

void weigh_silence(Sign& sign, const Run& run, const BreakerRules& rules, TimePoint now) {
    sign.began = run.dispatch.sent_at.value_or(run.dispatch.created_at);
    const auto deadline = sign.began + rules.start;
    sign.silent = run.silent_at || now >= deadline;
    sign.at = std::min(deadline, run.silent_at.value_or(deadline));
    if (!sign.silent) {
        sign.due_at = deadline;
    }
}

void weigh_jobs(
    Sign& sign, const std::vector<Job>& jobs, const BreakerRules& rules, TimePoint now
) {
    sign.started = true;
    sign.began = TimePoint::max();
    for (const auto& job : jobs) {
        const auto first = job.started_at.value_or(job.completed_at.value_or(TimePoint{}));
        sign.began = std::min(sign.began, first);
        sign.last_start = std::max(sign.last_start, first);
        const bool late = is_late(job, rules, now);
        if (!has_ended(job) && !late) {
            const auto due = first + rules.run;
            sign.due_at = std::min(sign.due_at.value_or(due), due);
        }
        sign.timed_out = sign.timed_out || late;
        const auto known = has_ended(job) ? job.completed_at.value_or(first) : first + rules.run;
        sign.at = std::max(sign.at, known);
    }
    const bool ended = std::ranges::all_of(jobs, has_ended);
    sign.red = ended && std::ranges::any_of(jobs, has_failed);
    sign.clean = ended && !sign.red && !sign.timed_out && std::ranges::none_of(jobs, was_cancelled);
}

/// Text for JSON: `inert` leaves only quotes and backslashes to be escaped.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : inert(text)) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + '"';
}

std::string_view word_for(const Sign& sign) {
    if (sign.silent) {
        return "silent";
    }
    if (sign.timed_out) {
        return "timed_out";
    }
    return sign.red ? "red" : "clean";
}

std::string to_json(const Sign& sign) {
    const auto& dispatch = sign.seen->run.dispatch;
    std::set<std::string> run_ids;
    for (const auto& job : sign.seen->run.jobs) {
        run_ids.insert(quoted(job.key.run_id));
    }
    return fmt::format(
        R"({{"dispatch":{},"what":"{}","event":{},"pr":{},"author":{},"ref":{},"head":{},)"
        R"("run_ids":[{}],"began_at":"{}","known_at":"{}"}})",
        static_cast<std::int64_t>(dispatch.id),
        word_for(sign),
        quoted(dispatch.event_type),
        dispatch.pr ? fmt::format("{}", static_cast<std::int64_t>(*dispatch.pr)) : "null",
        sign.seen->author.empty() ? "null" : quoted(sign.seen->author.text()),
        quoted(dispatch.ref),
        quoted(dispatch.head.text()),
        fmt::join(run_ids, ","),
        to_rfc3339(sign.began),
        to_rfc3339(sign.at)
    );
}

} // namespace

Sign sign_of(const SeenRun& seen, const BreakerRules& rules, TimePoint now) {
    const auto& run = seen.run;
    Sign sign{.seen = &seen};
    sign.trusted = !run.dispatch.pr || (seen.author_writes && !seen.author.empty());
    if (tells_nothing(run.dispatch.state)) {
        return sign;
    }
    const auto jobs = standing_jobs(run);
    if (jobs.empty() && !seen.overtaken) {
        weigh_silence(sign, run, rules, now);
    } else if (!jobs.empty()) {
        weigh_jobs(sign, jobs, rules, now);
    }
    return sign;
}

std::string evidence_text(
    std::string_view rule, const std::vector<Figure>& figures, const std::vector<Sign>& signs
) {
    std::string all = fmt::format(R"({{"rule":"{}")", rule);
    for (const auto& figure : figures) {
        all += fmt::format(R"(,"{}":{})", figure.name, figure.value);
    }
    std::vector<std::string> runs;
    runs.reserve(signs.size());
    for (const auto& sign : signs) {
        runs.push_back(to_json(sign));
    }
    return all + fmt::format(R"(,"runs":[{}]}})", fmt::join(runs, ","));
}

} // namespace baton::domain
