#include "baton/domain/outcome.hpp"

#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace baton::domain {

namespace {

bool has_failed(const LadderAttempt& attempt) {
    return attempt.conclusion == Conclusion::failure || attempt.conclusion == Conclusion::timed_out;
}

bool has_passed(const LadderAttempt& attempt) {
    return attempt.conclusion == Conclusion::success;
}

/// Before it ended; without an end by our clock, at any time.
bool was_overtaken(const LadderEvent& event, const LadderAttempt& attempt) {
    return event.overtaken_at && (!attempt.ended_at || *event.overtaken_at <= *attempt.ended_at);
}

OutcomeClass class_of_failure(const LadderJob& job) {
    const auto& last = job.attempts.back();
    if (last.triage == "flake" && std::ranges::any_of(job.attempts, has_passed)) {
        return OutcomeClass::flake;
    }
    if (last.tests_told) {
        return OutcomeClass::test;
    }
    const bool told_before = std::ranges::any_of(job.attempts, [](const LadderAttempt& attempt) {
        return attempt.tests_told && has_failed(attempt);
    });
    return told_before && last.triage != "infra" ? OutcomeClass::test : OutcomeClass::infra;
}

} // namespace

bool is_trunk(const LadderEvent& event) {
    return event.event_type == "push" || event.event_type == "nightly" ||
           event.event_type == "periodic";
}

std::string_view name_of(OutcomeClass outcome) {
    switch (outcome) {
    case OutcomeClass::open:
        return "open";
    case OutcomeClass::superseded:
        return "superseded";
    case OutcomeClass::skipped:
        return "skipped";
    case OutcomeClass::missing:
        return "missing";
    case OutcomeClass::zombie:
        return "zombie";
    case OutcomeClass::timeout:
        return "timeout";
    case OutcomeClass::cancelled:
        return "cancelled";
    case OutcomeClass::flake:
        return "flake";
    case OutcomeClass::infra:
        return "infra";
    case OutcomeClass::test:
        return "test";
    case OutcomeClass::success:
        return "success";
    }
    return "";
}

std::optional<OutcomeClass> outcome_class_named(std::string_view name) {
    const auto* const found = std::ranges::find(kOutcomeClasses, name, [](OutcomeClass outcome) {
        return name_of(outcome);
    });
    return found == kOutcomeClasses.end() ? std::nullopt : std::optional(*found);
}

bool is_green(OutcomeClass outcome) {
    return outcome == OutcomeClass::success || outcome == OutcomeClass::flake;
}

bool is_red(OutcomeClass outcome) {
    return is_infra(outcome) || outcome == OutcomeClass::test;
}

bool is_infra(OutcomeClass outcome) {
    switch (outcome) {
    case OutcomeClass::missing:
    case OutcomeClass::zombie:
    case OutcomeClass::timeout:
    case OutcomeClass::cancelled:
    case OutcomeClass::infra:
        return true;
    case OutcomeClass::open:
    case OutcomeClass::superseded:
    case OutcomeClass::skipped:
    case OutcomeClass::flake:
    case OutcomeClass::test:
    case OutcomeClass::success:
        break;
    }
    return false;
}

bool is_decided(OutcomeClass outcome) {
    return is_green(outcome) || is_red(outcome);
}

OutcomeClass class_of(const LadderEvent& event, const LadderJob& job) {
    if (job.attempts.empty()) {
        return class_of(event);
    }
    const auto& last = job.attempts.back();
    if (!last.conclusion) {
        return OutcomeClass::open;
    }
    const bool stopped = last.conclusion == Conclusion::cancelled || last.said_by == SaidBy::relay;
    if (stopped && was_overtaken(event, last)) {
        return OutcomeClass::superseded;
    }
    if (last.said_by == SaidBy::relay) {
        return OutcomeClass::zombie;
    }
    switch (*last.conclusion) {
    case Conclusion::skipped:
    case Conclusion::neutral:
        return OutcomeClass::skipped;
    case Conclusion::timed_out:
        return OutcomeClass::timeout;
    case Conclusion::cancelled:
    case Conclusion::action_required:
        return OutcomeClass::cancelled;
    case Conclusion::failure:
        return class_of_failure(job);
    case Conclusion::success:
        break;
    }
    return std::ranges::any_of(job.attempts, has_failed) ? OutcomeClass::flake
                                                         : OutcomeClass::success;
}

OutcomeClass class_of(const LadderEvent& event) {
    if (event.overtaken_at && (!event.silent_at || *event.overtaken_at <= *event.silent_at)) {
        return OutcomeClass::superseded;
    }
    return event.silent_at ? OutcomeClass::missing : OutcomeClass::open;
}

} // namespace baton::domain
