#include "baton/domain/ladder_day.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/oncall.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

std::size_t place_of(OutcomeClass outcome) {
    return static_cast<std::size_t>(outcome) - 1;
}

template <class T> void keep_later(std::optional<T>& known, const std::optional<T>& other) {
    known = std::max(known, other); // nothing is the least
}

/// An event with its judged outcomes.
struct Told {
    const LadderEvent* event{nullptr};
    std::vector<const JudgedOutcome*> outcomes;
};

bool is_named(const JudgedOutcome& one, const std::string& name) {
    return one.job == name || (one.job.empty() && one.workflow == name) ||
           fmt::format("{}/{}", one.workflow, one.job) == name;
}

/// How the event ended as a whole, by the jobs that are required of it.
struct Whole {
    bool open{false};
    bool superseded{false};
    bool unheard{false}; // one of them never ended
    bool failed{false};  // one of them counts against
    bool alone{false};   // one of them is excluded, and by `alone`
    bool excluded{false};
    bool passed{false};
};

void add_to(Whole& whole, const JudgedOutcome& one) {
    const auto outcome = one.outcome;
    whole.open |= outcome == OutcomeClass::open;
    whole.superseded |= outcome == OutcomeClass::superseded;
    whole.unheard |= outcome == OutcomeClass::missing || outcome == OutcomeClass::zombie;
    const bool set_aside = one.excluded || one.repeated;
    whole.failed |= is_red(outcome) && !set_aside;
    whole.excluded |= is_red(outcome) && set_aside;
    whole.alone |= is_red(outcome) && one.excluded && one.rule == ExclusionRule::alone;
    whole.passed |= is_green(outcome);
}

Whole whole_of(const Told& told, const std::vector<std::string>& required_jobs) {
    Whole whole;
    if (required_jobs.empty() || told.event->jobs.empty()) {
        for (const auto* one : told.outcomes) {
            add_to(whole, *one);
        }
        return whole;
    }
    for (const auto& name : required_jobs) {
        bool heard = false;
        for (const auto* one : told.outcomes) {
            if (is_named(*one, name)) {
                add_to(whole, *one);
                heard = true;
            }
        }
        whole.unheard |= !heard;
        whole.failed |= !heard;
    }
    return whole;
}

bool is_required(const LadderJob& job, const std::vector<std::string>& required_jobs) {
    const JudgedOutcome named{.workflow = job.workflow, .job = job.name};
    return required_jobs.empty() || std::ranges::any_of(required_jobs, [&](const auto& name) {
               return is_named(named, name);
           });
}

bool was_timed_out(OutcomeClass outcome) {
    return outcome == OutcomeClass::timeout || outcome == OutcomeClass::zombie;
}

/// Counts the days of one downstream.
class Counter {
public:
    Counter(const std::vector<std::string>& required_jobs, Millis day_length)
        : required_jobs_(required_jobs)
        , day_length_(day_length) {}

    /// What those on call said, before anything is added.
    void know_answers(const LadderEvidence& evidence, const RepoName& downstream) {
        known_until_ = evidence.until;
        for (const auto& answer : evidence.answers) {
            if (answer.downstream == downstream) {
                answers_[answer.pr].push_back(answer.at);
            }
        }
        for (auto& [pr, all] : answers_) {
            std::ranges::sort(all);
        }
    }

    LadderDay& at(TimePoint when) {
        const auto day = day_of(when, day_length_);
        auto& counted = days_[day];
        counted.day = day;
        return counted;
    }

    void add(const Told& told) {
        const auto& event = *told.event;
        auto& day = at(event.sent_at);
        if (event.paused) {
            return;
        }
        sent_on_[day.day] = true;
        if (event.level == Level::l1) {
            add_rehearsal(day, told);
            return;
        }
        day.level = std::max(day.level, event.level);
        for (const auto* one : told.outcomes) {
            add_outcome(day, *one);
        }
        for (const auto& job : event.jobs) {
            add_attempts(day, job);
            add_last_attempt(day, event, job);
        }
        add_whole(day, told);
        add_compat(day, event);
        add_oncall(day, told);
    }

    std::vector<LadderDay> take() {
        std::vector<LadderDay> all;
        std::optional<TimePoint> answered; // by anything that was sent until then
        for (auto& [when, day] : days_) {
            keep_later(answered, day.last_answer_at);
            for (const auto& sent : unheard_[when]) {
                if ((!answered || sent > *answered) &&
                    (!day.first_unanswered_at || sent < *day.first_unanswered_at)) {
                    day.first_unanswered_at = sent;
                }
            }
            for (auto* samples : {&day.queue, &day.e2e, &day.e2e_compat, &day.oncall}) {
                std::ranges::sort(*samples);
            }
            day.paused = paused_on_.contains(when) && !sent_on_.contains(when);
            all.push_back(std::move(day));
        }
        return all;
    }

    void pause(TimePoint when) { paused_on_[at(when).day] = true; }

private:
    static void add_outcome(LadderDay& day, const JudgedOutcome& one) {
        ++day.outcomes[place_of(one.outcome)];
        if (!is_red(one.outcome)) {
            return;
        }
        day.excluded[place_of(one.outcome)] += one.excluded || one.repeated ? 1 : 0;
        day.repeated += one.repeated ? 1 : 0;
        const bool alone = one.excluded && one.rule == ExclusionRule::alone;
        day.alone += alone ? 1 : 0;
        const bool proven = one.rule == ExclusionRule::pull_request || (alone && !one.provisional);
        day.true_positives += proven ? 1 : 0;
        day.false_alarms += one.rule == ExclusionRule::false_alarm ? 1 : 0;
    }

    static void add_attempts(LadderDay& day, const LadderJob& job) {
        for (const auto& attempt : job.attempts) {
            ++day.runs;
            day.device_named += attempt.device_named ? 1 : 0;
            if (attempt.queue) {
                day.queue.push_back(*attempt.queue);
            }
            if (attempt.conclusion && attempt.said_by == SaidBy::downstream) {
                keep_later(day.last_answer_at, attempt.ended_at);
            }
        }
    }

    static void add_last_attempt(LadderDay& day, const LadderEvent& event, const LadderJob& job) {
        if (job.attempts.empty() || !job.attempts.back().conclusion) {
            return;
        }
        const auto& last = job.attempts.back();
        const auto outcome = class_of(event, job);
        if (outcome == OutcomeClass::superseded && last.said_by == SaidBy::relay) {
            return; // nobody waited for it any more, so it neither completed nor timed out
        }
        if (last.conclusion == Conclusion::skipped || last.conclusion == Conclusion::neutral) {
            return;
        }
        ++day.completed;
        day.completed_passed += last.conclusion == Conclusion::success ? 1 : 0;
        day.timed_out += was_timed_out(outcome) ? 1 : 0;
        if (last.started_at && last.ended_at && !was_timed_out(outcome)) {
            ++day.ran;
            day.overran += *last.ended_at - *last.started_at > kOverrun ? 1 : 0;
        }
    }

    /// At level 1 only that it answers is looked at.
    static void add_rehearsal(LadderDay& day, const Told& told) {
        const auto whole = whole_of(told, {});
        if (!whole.open && !whole.superseded) {
            ++day.events;
            day.answered += whole.unheard ? 0 : 1;
        }
    }

    void add_whole(LadderDay& day, const Told& told) {
        const auto whole = whole_of(told, required_jobs_);
        if (whole.open || whole.superseded) {
            return;
        }
        ++day.events;
        if (whole.unheard) {
            unheard_[day.day].push_back(told.event->sent_at);
        } else {
            ++day.answered;
            add_end_to_end(day, *told.event);
        }
        const bool decided = whole.failed || (whole.passed && !whole.excluded);
        day.decided += decided ? 1 : 0;
        day.passed += decided && !whole.failed ? 1 : 0;
        day.alone_events += whole.alone && !whole.failed ? 1 : 0;
    }

    void add_end_to_end(LadderDay& day, const LadderEvent& event) const {
        std::optional<TimePoint> end;
        for (const auto& job : event.jobs) {
            if (is_required(job, required_jobs_) && !job.attempts.empty()) {
                keep_later(end, job.attempts.back().ended_at);
            }
        }
        if (end) {
            day.e2e.push_back(*end - event.sent_at);
        }
    }

    /// The largest queue time and the span from the first start to the last completion.
    static void add_compat(LadderDay& day, const LadderEvent& event) {
        Millis queue{};
        std::optional<TimePoint> start;
        std::optional<TimePoint> end;
        for (const auto& job : event.jobs) {
            if (job.attempts.empty()) {
                continue;
            }
            const auto& last = job.attempts.back();
            if (!last.started_at || !last.ended_at) {
                continue;
            }
            queue = std::max(queue, job.attempts.front().queue.value_or(Millis{}));
            start = std::min(start.value_or(*last.started_at), *last.started_at);
            end = std::max(end.value_or(*last.ended_at), *last.ended_at);
        }
        if (start) {
            day.e2e_compat.push_back(queue + (*end - *start));
        }
    }

    void add_oncall(LadderDay& day, const Told& told) {
        const auto asked = asked_at(*told.event, told.outcomes);
        if (!asked) {
            return;
        }
        const Question question{
            .asked = *asked, .gone_at = told.event->overtaken_at, .until = known_until_
        };
        const auto wait = wait_for_answer(question, answers_[*told.event->pr], day_length_);
        if (wait) {
            day.oncall.push_back(*wait);
        }
    }

    const std::vector<std::string>& required_jobs_;
    Millis day_length_;
    TimePoint known_until_{};
    std::map<PrNumber, std::vector<TimePoint>> answers_; // sorted
    std::map<TimePoint, LadderDay> days_;
    std::map<TimePoint, std::vector<TimePoint>> unheard_; // by day, when they were sent
    std::map<TimePoint, bool> sent_on_;
    std::map<TimePoint, bool> paused_on_;
};

bool was_answered_before(const LadderEvent& event, TimePoint when) {
    return !event.jobs.empty() && std::ranges::all_of(event.jobs, [when](const LadderJob& job) {
        return !job.attempts.empty() && job.attempts.back().conclusion &&
               job.attempts.back().said_by == SaidBy::downstream && job.attempts.back().ended_at &&
               *job.attempts.back().ended_at <= when;
    });
}

void add_merges(
    Counter& counter, const LadderEvidence& evidence, const std::vector<const LadderEvent*>& events
) {
    std::map<PrNumber, bool> covered; // of every merged one that it was sent
    for (const auto* event : events) {
        const auto pull = event->pr ? evidence.pulls.find(*event->pr) : evidence.pulls.end();
        if (pull != evidence.pulls.end() && pull->second.merged_at) {
            covered[*event->pr] |= event->head == pull->second.head &&
                                   was_answered_before(*event, *pull->second.merged_at);
        }
    }
    for (const auto& [pr, is_covered] : covered) {
        auto& day = counter.at(*evidence.pulls.at(pr).merged_at);
        ++day.merged;
        day.merged_covered += is_covered ? 1 : 0;
    }
}

} // namespace

TimePoint day_of(TimePoint when, Millis day_length) {
    const auto since = when.time_since_epoch();
    return TimePoint(since - (since % day_length));
}

std::vector<LadderDay> days_of(
    const LadderEvidence& evidence,
    const std::vector<JudgedOutcome>& outcomes,
    const RepoName& downstream,
    const std::vector<std::string>& required_jobs,
    Millis day_length
) {
    Counter counter(required_jobs, day_length);
    counter.know_answers(evidence, downstream);
    std::vector<const LadderEvent*> events;
    for (std::size_t i = 0; i < outcomes.size();) {
        Told told{.event = &evidence.events[outcomes[i].event], .outcomes = {}};
        const bool is_its = told.event->downstream == downstream;
        for (const auto place = outcomes[i].event; // those of one event stand together
             i < outcomes.size() && outcomes[i].event == place;
             ++i) {
            if (is_its) {
                told.outcomes.push_back(&outcomes[i]);
            }
        }
        if (!is_its) {
            continue;
        }
        if (told.event->paused) {
            counter.pause(told.event->sent_at);
        } else {
            events.push_back(told.event);
        }
        counter.add(told);
    }
    add_merges(counter, evidence, events);
    for (const auto& reports : evidence.reports) {
        if (reports.downstream == downstream) {
            auto& day = counter.at(reports.day);
            day.reports += reports.reports;
            day.invalid += reports.invalid;
            day.limited += reports.limited;
        }
    }
    return counter.take();
}

} // namespace baton::domain
