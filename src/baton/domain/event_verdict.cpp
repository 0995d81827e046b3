#include "baton/domain/event_verdict.hpp"

#include "baton/domain/outage.hpp"
#include "baton/domain/outcome.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace baton::domain {

bool EventVerdict::open() const {
    return std::ranges::find(classes, OutcomeClass::open) != classes.end();
}

bool EventVerdict::passed() const {
    return any(is_green) && !any(is_red);
}

bool EventVerdict::has_verdict() const {
    return any([](OutcomeClass outcome) {
        return is_green(outcome) || outcome == OutcomeClass::test;
    });
}

bool EventVerdict::counts() const {
    return !open() && any(is_decided);
}

EventVerdict verdict_of(const LadderEvent& event, const std::vector<std::string>& required) {
    EventVerdict verdict;
    for (const auto& job : event.jobs) {
        if (required.empty() || std::ranges::find(required, job.name) != required.end()) {
            verdict.classes.push_back(class_of(event, job));
        }
    }
    if (verdict.classes.empty()) {
        verdict.classes.push_back(class_of(event));
    }
    return verdict;
}

ExpectedRun expected_run(const LadderEvent& event, const EventVerdict& verdict) {
    ExpectedRun run{.due = event.sent_at, .good = verdict.has_verdict()};
    for (const auto& job : event.jobs) {
        if (!job.attempts.empty() && job.attempts.back().ended_at) {
            const auto ended = *job.attempts.back().ended_at;
            run.completed_at = std::max(run.completed_at.value_or(ended), ended);
        }
    }
    return run;
}

} // namespace baton::domain
