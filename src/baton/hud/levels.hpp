#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/hud/shown.hpp"
#include "baton/ports/levels.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where downstreams stand on the ladder, as people see it.
namespace baton::hud {

/// What the ladder goes by here.
struct LadderRules {
    domain::Profile profile;
    Millis day_length{};
};

/// What is known of one downstream.
struct LevelFacts {
    RepoName upstream;
    domain::Downstream listed;
    std::optional<domain::LadderStanding> standing; // none: never evaluated
    std::vector<domain::LadderVerdict> verdicts;    // newest first
    std::vector<ports::KeptTransition> moves;       // newest first
    domain::LadderHistory history;
};

struct LevelLine {
    RepoName upstream;
    domain::Downstream listed;
    domain::LadderStanding standing; // as listed, when it was never evaluated
    std::string reason;              // of the newest move into its state; empty: always ok
    std::vector<std::string> rules;
    std::size_t violated{0}; // criteria that keep the level and are missed
    bool insufficient{false};
    std::string frozen; // why it did not move although it would have
    std::string pull;   // where what is proposed was put before the keepers; empty: nowhere
    std::optional<domain::Level> next_level;
    std::size_t met{0}; // of the next level
    std::size_t asked{0};
    std::optional<domain::Level> ready_for;
    std::optional<TimePoint> earliest;
    std::string forecast;
    std::optional<std::size_t> tenure_days;
};

LevelLine level_line_of(const LevelFacts& facts, const domain::Profile& profile);

/// Temporary, watch, proposed, then from level 4 down and by name.
void sort_levels(std::vector<LevelLine>& lines);

struct LevelUpstream {
    RepoName upstream;
    std::optional<TimePoint> as_of;
    std::optional<TimePoint> next_at; // none: it is being made
    Millis day_length{};
    domain::Profile profile;
    std::string frozen;
};

/// From the lines of one upstream.
LevelUpstream level_upstream_of(
    const RepoName& upstream,
    const std::vector<LevelLine>& lines,
    const LadderRules& rules,
    TimePoint now
);

struct LevelCriterion {
    struct Point {
        TimePoint as_of{};
        std::optional<double> value;
        std::size_t n{0};
        domain::Met met{};
    };

    domain::CriterionVerdict verdict;
    std::string_view kind;    // next, demotion, watch, at_once, restore
    std::vector<Point> trend; // oldest first
};

struct LevelRates {
    int window{0}; // days
    domain::Measured raw;
    domain::Measured adjusted;
    domain::Measured run;
    domain::Measured excluded;
};

/// The page of one downstream's level.
struct LevelPage {
    LevelUpstream evaluation;
    LevelLine line;
    std::vector<LevelCriterion> next;
    std::vector<LevelCriterion> demotion;
    std::vector<LevelRates> rates;      // shortest window first
    std::optional<ports::RedView> reds; // none: nothing was evaluated yet
    std::size_t decided{0};             // outcomes in the window of those, green and red
    std::vector<ports::KeptTransition> history;
};

struct LevelList {
    std::vector<LevelUpstream> upstreams;
    std::vector<LevelLine> lines;
};

/// A page of the ledger of levels, as everybody may see it.
struct MovePage {
    std::vector<ports::KeptTransition> rows; // newest first
    std::optional<std::int64_t> next;        // `before` of the page after; none: the end
};

LevelPage level_page_of(LevelFacts facts, const LadderRules& rules, TimePoint now);

/// Private ones are in no sentence of it.
void hide(ports::RedView& reds, const Shown& shown);

} // namespace baton::hud
