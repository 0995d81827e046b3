#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Moves up and down the ladder: figures, profile and standing in, verdict out.
namespace baton::domain {

enum class LadderState : std::uint8_t { ok = 1, watch, temporary };

std::string_view name_of(LadderState state);
std::optional<LadderState> ladder_state_named(std::string_view name);

enum class LadderMove : std::uint8_t {
    watched = 1,
    calmed,  // from watch to ok
    demoted, // for a while
    returned,
    proposed,  // a change of the list
    withdrawn, // what was proposed
    relisted,  // the list changed the level
    frozen,    // something would have moved
};

std::string_view name_of(LadderMove move);
std::optional<LadderMove> ladder_move_named(std::string_view name);

struct LevelProposal {
    Level from{};
    Level to{};
    TimePoint since{};
    std::string reason;

    friend bool operator==(const LevelProposal&, const LevelProposal&) = default;
};

/// Where a downstream stands: what the next evaluation starts from.
struct LadderStanding {
    Level listed{Level::l1};
    Level effective{Level::l1};
    LadderState state{LadderState::ok};
    TimePoint since{};              // of the state
    std::optional<TimePoint> as_of; // the last evaluation; none: never
    int violated{0};                // evaluations in a row
    int clean{0};
    int ready{0};                       // for the next level; below nothing: not ready any more
    std::vector<TimePoint> temporaries; // beginnings of temporary demotions, the newest 16
    std::optional<TimePoint> raised_at;
    std::optional<TimePoint> lowered_at;
    std::optional<TimePoint> watched_at; // the last evaluation after which it was watched
    std::optional<LevelProposal> proposal;

    friend bool operator==(const LadderStanding&, const LadderStanding&) = default;
};

/// One line of the ledger of levels.
struct LadderTransition {
    LadderMove move{};
    LadderState from_state{};
    LadderState to_state{};
    Level from{}; // effective
    Level to{};
    std::vector<std::string> rules; // ids of the criteria behind it
    std::string reason;             // one sentence

    friend bool operator==(const LadderTransition&, const LadderTransition&) = default;
};

struct LadderFacts {
    Level listed{Level::l1};
    bool paused{false};
    LadderHistory history;
    std::optional<LadderStanding> standing; // none: seen for the first time
};

/// What one evaluation says of one downstream.
struct LadderVerdict {
    TimePoint as_of{};
    LadderStanding standing;                // after it
    std::vector<CriterionVerdict> demotion; // with at_once, and restore while it is temporary
    std::vector<CriterionVerdict> next;     // of the next level; empty at level 4
    bool violated{false};
    bool insufficient{false};                  // too little, or too much excluded: nothing moves
    std::optional<Level> ready_for;            // every criterion of that level is met
    std::optional<TimePoint> earliest;         // when it could be raised at best, as things go
    std::string forecast;                      // why then, or what stands in the way
    std::vector<LadderTransition> transitions; // in order

    friend bool operator==(const LadderVerdict&, const LadderVerdict&) = default;
};

/// Why nobody moves at this evaluation; empty: they may.
struct FreezeFacts {
    std::size_t judged{0};
    std::size_t violated{0};
    std::size_t dispatches{0}; // of the day before
    std::size_t unsent{0};
    std::size_t probed{0}; // runs of the relay's own probe of that day that came to an end
    std::size_t faulty{0}; // of those: not all of it ended as it was made to
};

/// Counts what the relay's probe was sent in the window: whatever goes wrong with it is the
/// relay's, or nobody's who is judged here.
void add_probe(
    FreezeFacts& facts,
    const std::vector<LadderEvent>& events,
    const RepoName& probe,
    LadderWindow window
);

std::string freeze_reason(const FreezeFacts& facts, const Profile& profile);

/// Whether it can be lowered at all, so that it belongs to those of whom half may be violated.
bool is_judged(const LadderFacts& facts);

/// Whether it is judged, stands as it is listed, and a demotion criterion is violated: first pass,
/// before anybody is judged.
bool is_violated(const LadderFacts& facts, const Profile& profile, TimePoint as_of);

LadderVerdict judge_level(
    const LadderFacts& facts, const Profile& profile, TimePoint as_of, const std::string& frozen
);

/// Monday to Friday, UTC.
TimePoint add_working_days(TimePoint from, int days, Millis day_length);

} // namespace baton::domain
