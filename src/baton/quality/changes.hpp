#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/score.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What changed between two assessments, and why.
namespace baton::quality {

/// Why an item has other points. The first that explains it, in this order: it is asked for
/// differently, left out or no longer, judged by a reviewer, measured differently, the same said
/// with or without evidence, something else said.
enum class Cause : std::uint8_t { criteria = 1, exemption, review, measurement, evidence, claim };
std::string_view name_of(Cause cause);

/// An assessment with what it was scored by.
struct Scored {
    const CriteriaSet& set;
    const Assessment& assessment;
    const Score& score;
    std::optional<int> documented; // rank, where the releases before are known
};

struct Points {
    int proven{0};
    int potential{0};
    int max{0};

    friend bool operator==(const Points&, const Points&) = default;
};

struct PointChange {
    std::string item;
    std::string title;
    Points before; // all 0: not asked for
    Points after;
    Cause cause{Cause::claim};
    std::string detail; // "9 of 14, before 5 of 14"
};

struct LevelChange {
    std::string before; // names, since the two may be of different sets
    std::string after;

    friend bool operator==(const LevelChange&, const LevelChange&) = default;
};

struct Changes {
    Release from;
    Release to;
    LevelChange criteria; // labels
    LevelChange level;
    std::optional<LevelChange> documented; // where both are known
    Points before;
    Points after;
    std::vector<PointChange> items; // the greatest difference first, then as in the criteria
};

Changes changes(const Scored& before, const Scored& after);

/// The name of a rank, for people.
std::string level_name(const CriteriaSet& set, int rank);

/// "9 of 14"; "max_recovery_h 41.5, outages 2"
std::string to_text(const Value& value);

} // namespace baton::quality
