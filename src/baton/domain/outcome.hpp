#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the ladder looks at, and what it makes of it: docs/design/ladder.md.
namespace baton::domain {

/// One attempt of a job; only those that count.
struct LadderAttempt {
    JobId job{};
    int number{1};
    std::optional<Conclusion> conclusion; // none: it has not ended
    SaidBy said_by{SaidBy::downstream};
    std::optional<TimePoint> started_at;
    std::optional<TimePoint> ended_at;
    std::optional<Millis> queue; // first attempts only
    bool tests_told{false};
    bool device_named{false};
    std::string triage; // the category of its own verdict; empty: none

    friend bool operator==(const LadderAttempt&, const LadderAttempt&) = default;
};

struct LadderJob {
    std::string workflow;
    std::string name;
    std::vector<LadderAttempt> attempts; // in order, over all generations of the dispatch

    friend bool operator==(const LadderJob&, const LadderJob&) = default;
};

/// One dispatch to one downstream, and what came of it.
struct LadderEvent {
    DispatchId id{};
    RepoName downstream;
    std::string event_type;
    std::optional<PrNumber> pr;
    HeadSha head;
    Level level{Level::l1}; // effective, when it was dispatched
    TimePoint sent_at{};
    std::optional<TimePoint> silent_at;    // nobody started it in time
    std::optional<TimePoint> overtaken_at; // a newer head came, or the pull request was closed
    bool paused{false};                    // sent during planned maintenance or a suspension
    bool shown{false};           // a check of it stands on the pull request, and something failed
    std::vector<LadderJob> jobs; // by workflow and name

    friend bool operator==(const LadderEvent&, const LadderEvent&) = default;
};

bool is_trunk(const LadderEvent& event); // push, nightly, periodic

enum class OutcomeClass : std::uint8_t {
    open = 1,
    superseded,
    skipped,
    missing,
    zombie,
    timeout,
    cancelled,
    flake,
    infra,
    test,
    success,
};

inline constexpr std::array kOutcomeClasses{
    OutcomeClass::open,
    OutcomeClass::superseded,
    OutcomeClass::skipped,
    OutcomeClass::missing,
    OutcomeClass::zombie,
    OutcomeClass::timeout,
    OutcomeClass::cancelled,
    OutcomeClass::flake,
    OutcomeClass::infra,
    OutcomeClass::test,
    OutcomeClass::success,
};

std::string_view name_of(OutcomeClass outcome);
std::optional<OutcomeClass> outcome_class_named(std::string_view name);

bool is_green(OutcomeClass outcome);   // success, flake
bool is_red(OutcomeClass outcome);     // counts against, unless it is excluded
bool is_infra(OutcomeClass outcome);   // red, and of the machines
bool is_decided(OutcomeClass outcome); // green or red

OutcomeClass class_of(const LadderEvent& event, const LadderJob& job);
/// Of an event without any job: missing, superseded or open.
OutcomeClass class_of(const LadderEvent& event);

} // namespace baton::domain
