#include "baton/quality/knapsack.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

using Row = std::vector<std::optional<KnapsackChoice>>; // by gain; the last: that or more

void keep_better(std::optional<KnapsackChoice>& place, KnapsackChoice choice) {
    if (!place || choice < *place) {
        place = std::move(choice);
    }
}

Row with_group(const Row& before, const KnapsackGroup& group, int index) {
    const auto last = before.size() - 1;
    Row after = group.forced ? Row(before.size()) : before;
    for (std::size_t gain = 0; gain < before.size(); ++gain) {
        if (!before[gain]) {
            continue;
        }
        for (std::size_t i = 0; i < group.options.size(); ++i) {
            const auto& option = group.options[i];
            auto choice = *before[gain];
            choice.effort += option.effort;
            choice.groups += 1;
            choice.last += group.last ? 1 : 0;
            choice.picks.push_back({.group = index, .option = static_cast<int>(i)});
            const auto reached = gain + static_cast<std::size_t>(std::max(option.gain, 0));
            keep_better(after[std::min(reached, last)], std::move(choice));
        }
    }
    return after;
}

} // namespace

std::optional<KnapsackChoice> cheapest(const std::vector<KnapsackGroup>& groups, int need) {
    Row row(static_cast<std::size_t>(std::max(need, 0)) + 1);
    row.front() = KnapsackChoice{};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        row = with_group(row, groups[i], static_cast<int>(i));
    }
    return row.back();
}

} // namespace baton::quality
