#pragma once

#include <optional>
#include <vector>

/// One option of each group, or none: the cheapest choice that gains enough.
namespace baton::quality {

struct KnapsackOption {
    int gain{0};   // at least 1
    int effort{0}; // at least 0
};

struct KnapsackGroup {
    std::vector<KnapsackOption> options;
    bool forced{false}; // one of the options has to be taken
    bool last{false};   // among equally cheap choices those with fewer of these
};

struct KnapsackPick {
    int group{0};
    int option{0};

    friend auto operator<=>(const KnapsackPick&, const KnapsackPick&) = default;
};

/// Less is better, field by field: effort, groups, groups that come last, the groups' order.
struct KnapsackChoice {
    int effort{0};
    int groups{0};
    int last{0};
    std::vector<KnapsackPick> picks; // in the order of the groups

    friend auto operator<=>(const KnapsackChoice&, const KnapsackChoice&) = default;
};

/// Exact, by dynamic programming over the gain; nullopt when no choice gains `need`.
std::optional<KnapsackChoice> cheapest(const std::vector<KnapsackGroup>& groups, int need);

} // namespace baton::quality
