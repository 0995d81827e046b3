#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"
#include "baton/domain/report.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the tests of the ladder share: events told by what became of them, and days by their
/// counts.
namespace baton::domain::ladder_story {

using namespace std::chrono_literals;

inline const TimePoint kMonday = *parse_rfc3339("2026-09-07T00:00:00Z");
inline constexpr Millis kDay{24h};

inline LadderAttempt ended(Conclusion conclusion, TimePoint at) {
    return {
        .conclusion = conclusion,
        .started_at = at - 1h,
        .ended_at = at,
        .tests_told = true,
        .device_named = true,
    };
}

/// One job `ci/test`, told by one letter for each attempt: + passed, - failed a test, ! failed
/// without a test, t timed out, z ended by the relay, c cancelled, s skipped, a action required,
/// . running. No letter at all: the event was never started.
inline std::vector<LadderAttempt> attempts(const std::string& letters, TimePoint sent) {
    std::vector<LadderAttempt> all;
    for (const char letter : letters) {
        const auto at = sent + (static_cast<int>(all.size()) + 1) * 90min;
        auto one = ended(Conclusion::success, at);
        one.number = static_cast<int>(all.size()) + 1;
        one.queue = all.empty() ? std::optional(Millis{30min}) : std::nullopt;
        switch (letter) {
        case '-':
            one.conclusion = Conclusion::failure;
            break;
        case '!':
            one.conclusion = Conclusion::failure;
            one.tests_told = false;
            break;
        case 't':
            one.conclusion = Conclusion::timed_out;
            break;
        case 'z':
            one.conclusion = Conclusion::timed_out;
            one.said_by = SaidBy::relay;
            break;
        case 'c':
            one.conclusion = Conclusion::cancelled;
            break;
        case 's':
            one.conclusion = Conclusion::skipped;
            break;
        case 'a':
            one.conclusion = Conclusion::action_required;
            break;
        case '.':
            one.conclusion.reset();
            one.ended_at.reset();
            break;
        default:
            break;
        }
        all.push_back(one);
    }
    return all;
}

struct Sent {
    std::string by{"acme/x"};
    std::string letters;
    Millis at{}; // after kMonday
    std::string head{"head"};
    std::int64_t pr{0}; // none: on trunk
    std::string job{"test"};
};

inline LadderEvent event(const Sent& sent) {
    static std::int64_t id = 0;
    LadderEvent one{
        .id = DispatchId{++id},
        .downstream = *RepoName::parse(sent.by),
        .event_type = sent.pr == 0 ? "push" : "pull_request",
        .pr = sent.pr == 0 ? std::nullopt : std::optional(PrNumber{sent.pr}),
        .head = HeadSha(sent.head),
        .level = Level::l3,
        .sent_at = kMonday + sent.at,
    };
    if (sent.letters.empty()) {
        one.silent_at = one.sent_at + 2h;
    } else {
        one.jobs.push_back(
            {.workflow = "ci", .name = sent.job, .attempts = attempts(sent.letters, one.sent_at)}
        );
    }
    return one;
}

inline LadderEvidence evidence(const std::vector<Sent>& all) {
    LadderEvidence told;
    for (const auto& sent : all) {
        told.events.push_back(event(sent));
    }
    return told;
}

inline std::size_t place(OutcomeClass outcome) {
    return static_cast<std::size_t>(outcome) - 1;
}

/// A day with so many passed and failed outcomes, one job an event.
inline LadderDay day(int number, std::size_t passed, std::size_t failed) {
    LadderDay one{.day = kMonday + number * kDay, .level = Level::l3};
    one.events = one.answered = one.decided = passed + failed;
    one.passed = one.completed_passed = passed;
    one.completed = one.ran = one.runs = one.device_named = passed + failed;
    one.outcomes[place(OutcomeClass::success)] = passed;
    one.outcomes[place(OutcomeClass::test)] = failed;
    if (one.events > 0) {
        one.last_answer_at = one.day + 20h;
    }
    one.queue.assign(one.events, 10min);
    one.e2e.assign(one.events, 1h);
    one.e2e_compat.assign(one.events, 1h);
    return one;
}

/// A day on which so much was sent and nothing came back.
inline LadderDay silent_day(int number, std::size_t events) {
    LadderDay one{.day = kMonday + number * kDay, .level = Level::l3};
    one.events = events;
    one.decided = events;
    one.outcomes[place(OutcomeClass::missing)] = events;
    one.first_unanswered_at = one.day + 1h;
    return one;
}

inline LadderHistory history(std::vector<LadderDay> days) {
    return {
        .days = std::move(days),
        .first_at_level2 = kMonday - 100 * kDay,
        .first_at_level3 = kMonday - 50 * kDay,
    };
}

inline Criterion
asks(std::string id, Figure figure, Comparison comparison, double target, std::size_t least = 0) {
    return {
        .id = std::move(id),
        .figure = figure,
        .window = 7,
        .comparison = comparison,
        .target = target,
        .least = least,
    };
}

/// Rules with one criterion of each kind.
inline Profile rules() {
    Profile profile{.name = "test", .version = "1"};
    using enum Comparison;
    profile.to_l2 = {asks("l2.answered", Figure::answered, at_least, 0.9, 20)};
    profile.to_l3 = {
        asks("l3.tenure", Figure::tenure_l2, at_least, 30),
        asks("l3.pass", Figure::pass_raw, at_least, 0.9, 20),
    };
    profile.to_l4 = {asks("l4.pass", Figure::pass_run, at_least, 0.95, 20)};
    profile.watch = {asks("watch.pass", Figure::pass_adj, at_least, 0.95, 20)};
    profile.demotion = {asks("down.pass", Figure::pass_adj, at_least, 0.9, 20)};
    profile.at_once = {
        asks("once.pass", Figure::pass_adj, at_least, 0.5, 20),
        asks("once.silence", Figure::silence, below, 72, 3),
    };
    profile.restore = {asks("back.pass", Figure::pass_adj, at_least, 0.92, 20)};
    return profile;
}

} // namespace baton::domain::ladder_story
