#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/outcome.hpp"

#include <chrono>
#include <optional>
#include <vector>

/// How soon the people on call answer when their downstream is red where everybody sees it.
namespace baton::domain {

/// What counts for one that nobody ever answered.
inline constexpr Millis kNeverAnswered{std::chrono::days{14}};

/// How much of it lies on Monday to Friday, UTC.
Millis working_time(TimePoint from, TimePoint until, Millis day_length);

/// When the people of its downstream were first asked by a red check on a pull request; none: what
/// is red is not theirs, was told before, or stands nowhere.
std::optional<TimePoint>
asked_at(const LadderEvent& event, const std::vector<const JudgedOutcome*>& outcomes);

struct Question {
    TimePoint asked{};
    std::optional<TimePoint> gone_at; // a newer head came, or the pull request was closed
    TimePoint until{};                // what is known
};

/// Working time from the question to the first answer, in days of 24 hours; none: it may still
/// come, or the question was gone before a working day was over. `answers` must be sorted.
std::optional<Millis>
wait_for_answer(const Question& question, const std::vector<TimePoint>& answers, Millis day_length);

} // namespace baton::domain
