#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/readings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Points and levels. Whole numbers only; opens no evidence: what is declared counts.
namespace baton::quality {

/// unproven: claimed without evidence (A34). insufficient: measured on too little.
enum class State : std::uint8_t {
    met = 1,
    partial,
    unmet,
    unknown,
    exempt,
    unproven,
    insufficient
};
std::string_view name_of(State state);

struct ItemScore {
    std::string id;
    std::string section;
    Priority priority{Priority::p1};
    State state{State::unknown};
    int proven{0};
    int potential{0};                 // proven, and what is unknown
    int max{0};                       // 0 when it is exempt and left out
    int exempt{0};                    // points left out
    std::optional<int> before_review; // where a review changed it
    std::string note;                 // why it is not what was claimed; empty when it is
    std::vector<std::string> earned;  // parts, or the step, that count
    Position at;
};

struct SectionScore {
    std::string id;
    std::string title;
    int proven{0};
    int potential{0};
    int max{0};
    int exempt{0};
};

struct P0Score {
    int met{0};
    int total{0};
    std::vector<std::string> open;
};

/// What users should know while an item is open, whatever the level (A16).
struct Warning {
    std::string item;
    std::string text;
};

/// What a level asks for under a reading.
struct Threshold {
    int rank{0};
    int points{0};
};

struct ReadingScore {
    Reading reading{};
    int total{0};                      // applicable, by the reading's base
    int level{0};                      // rank of what is proven
    int potential_level{0};            // rank of what might be
    std::vector<Threshold> thresholds; // best first; levels that ask for points
};

struct Score {
    int proven{0};
    int potential{0};
    int max{0}; // of the rows that apply
    int exempt{0};
    P0Score p0;
    std::vector<Warning> warnings;     // in the order of the criteria
    Reading reading{Reading::printed}; // the one that `level` follows
    int level{0};
    int potential_level{0};
    std::vector<ReadingScore> readings; // all four
    bool reading_sensitive{false};      // they disagree about what is proven
    std::vector<SectionScore> sections;
    std::vector<ItemScore> items; // in the order of the criteria
};

struct ScoreOptions {
    std::optional<Reading> reading; // absent: the assessment's, then the set's
    std::optional<ExemptPoints> exempt;
    bool draft{false}; // claims without evidence count in the potential
};

Score score(const CriteriaSet& set, const Assessment& assessment, const ScoreOptions& options = {});

/// The best level that so many points and these items reach; rank 0 when none does.
struct Reached {
    int points{0};
    int total{0}; // what percentages are taken of
    Rounding rounding{Rounding::floor};
    std::vector<std::string> open; // applicable items that are not whole
};

int level_of(const CriteriaSet& set, const Reached& reached);

/// Whether the item may be left out for this platform (A12).
bool may_be_exempt(const Item& item, const Platform& platform);

/// "79.8 % of 124": one decimal, cut, never rounded up (A3).
std::string percent_text(int points, int total);

} // namespace baton::quality
