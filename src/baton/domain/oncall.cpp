#include "baton/domain/oncall.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/report.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace baton::domain {

namespace {

bool has_failed(const LadderAttempt& attempt) {
    return attempt.ended_at && (attempt.conclusion == Conclusion::failure ||
                                attempt.conclusion == Conclusion::timed_out);
}

/// Upstream's own breakages and what was counted that day already are no question to them.
bool is_theirs(const JudgedOutcome& one) {
    return is_red(one.outcome) && !one.repeated &&
           (!one.excluded || one.rule == ExclusionRule::alone);
}

/// In days of 24 hours, however long a day is here.
Millis scaled(Millis time, Millis day_length) {
    const auto days = static_cast<double>(time.count()) / static_cast<double>(day_length.count());
    const auto day = static_cast<double>(Millis(std::chrono::hours{24}).count());
    return std::min(Millis(static_cast<std::int64_t>(days * day)), kNeverAnswered);
}

} // namespace

Millis working_time(TimePoint from, TimePoint until, Millis day_length) {
    constexpr std::int64_t kWeek = 7;
    constexpr std::int64_t kFirstIsThursday = 3; // counted from Monday
    constexpr std::int64_t kSaturday = 5;
    Millis time{0};
    while (from < until) {
        const auto number = from.time_since_epoch() / day_length;
        const auto end = std::min(TimePoint((number + 1) * day_length), until);
        if ((number + kFirstIsThursday) % kWeek < kSaturday) {
            time += end - from;
        }
        from = end;
    }
    return time;
}

std::optional<TimePoint>
asked_at(const LadderEvent& event, const std::vector<const JudgedOutcome*>& outcomes) {
    std::optional<TimePoint> first;
    if (!event.pr || !event.shown) {
        return first;
    }
    for (const auto* one : outcomes) {
        if (!is_theirs(*one)) {
            continue;
        }
        for (const auto& job : event.jobs) {
            if (job.workflow != one->workflow || job.name != one->job) {
                continue;
            }
            for (const auto& attempt : job.attempts) {
                if (has_failed(attempt) && (!first || *attempt.ended_at < *first)) {
                    first = attempt.ended_at;
                }
            }
        }
    }
    return first;
}

std::optional<Millis> wait_for_answer(
    const Question& question, const std::vector<TimePoint>& answers, Millis day_length
) {
    const auto answer = std::ranges::lower_bound(answers, question.asked);
    const auto end = std::min(question.gone_at.value_or(question.until), question.until);
    const bool in_time = answer != answers.end() && *answer <= end;
    if (!in_time && working_time(question.asked, end, day_length) < day_length) {
        return std::nullopt;
    }
    return answer == answers.end()
               ? kNeverAnswered
               : scaled(working_time(question.asked, *answer, day_length), day_length);
}

} // namespace baton::domain
