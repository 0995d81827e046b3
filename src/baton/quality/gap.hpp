#pragma once

#include "baton/base/result.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/score.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The cheapest way to a level.
namespace baton::quality {

/// One thing to do: an item made whole, parts added, a step climbed.
struct Move {
    std::string item;
    std::vector<std::string> adds; // parts, or the step ("80"); empty: the whole item
    int gain{0};
    int effort{0};
    bool forced{false};      // the level asks for it by name or priority
    std::int64_t missing{0}; // of a measured value: how many more are needed
};

struct Way {
    int target{0}; // points
    int points{0}; // after it
    int effort{0};
    std::vector<Move> moves; // in the order of the criteria
};

/// How near a measured share is to losing its step or limit, and how far from the next.
struct FallRisk {
    std::string item;
    int points{0};              // what stands on it
    std::int64_t slack{0};      // so many may be lost before the points are
    std::int64_t next_needs{0}; // so many are missing for more points; 0: there are no more
};

/// When an item's evidence is too old, all of it.
struct Expiry {
    std::string item;
    Day on{}; // the last day on which it counts
};

struct Gap {
    int rank{0};               // the level asked for
    bool reached{false};       // already, by the chosen reading
    std::optional<Way> way;    // by the chosen reading; absent: it cannot be reached
    std::optional<Way> robust; // by every reading
    std::vector<FallRisk> risks;
    std::vector<Expiry> expiring; // of items that earn something, the first to expire first
};

/// Exact: no cheaper set of moves exists. Among equally cheap ones: fewer items, then fewer of
/// priority P2, then the first by the order of the criteria. `invalid` when more than
/// kLinkedItemsMax items are required by others.
Result<Gap>
gap(const CriteriaSet& set, const Assessment& assessment, const Score& scored, int rank);

inline constexpr std::size_t kLinkedItemsMax = 8;

} // namespace baton::quality
