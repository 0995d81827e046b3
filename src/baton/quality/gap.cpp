#include "baton/quality/gap.hpp"

#include "baton/base/result.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap_options.hpp"
#include "baton/quality/knapsack.hpp"
#include "baton/quality/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

/// What can be done about each item that is not whole, in the order of the criteria.
struct Candidate {
    const Item* item{nullptr};
    std::vector<std::string> needs; // of those that are not whole yet
    std::vector<Move> moves;
    bool forced{false};
};

class Solver {
public:
    Solver(const CriteriaSet& set, const Assessment& assessment, const Score& scored, int rank)
        : scored_(scored) {
        const auto& require = set.level(rank)->require;
        for (const auto& item : scored.items) {
            if (item.state == State::exempt || item.proven >= item.max) {
                whole_.insert(item.id);
            }
        }
        for (const auto& item : scored.items) {
            if (whole_.contains(item.id)) {
                continue;
            }
            const auto* const known = set.find(item.id);
            Candidate candidate{
                .item = known,
                .needs = {},
                .moves = moves_of(*known, assessment, item),
                .forced = require.all_priority == known->priority ||
                          std::ranges::find(require.items, item.id) != require.items.end()
            };
            if (const auto* const claim = assessment.claim(item.id)) {
                for (const auto& need : claim->needs) {
                    if (!whole_.contains(need)) {
                        candidate.needs.push_back(need);
                        linked_.insert(need);
                    }
                }
            }
            candidates_.push_back(std::move(candidate));
        }
    }

    std::size_t linked() const { return linked_.size(); }

    /// Tries every combination of the items that others require.
    std::optional<Way> cheapest_way(int target) const {
        std::optional<KnapsackChoice> best;
        std::optional<Way> way;
        const std::vector<std::string> linked(linked_.begin(), linked_.end());
        for (std::size_t mask = 0; mask < (std::size_t{1} << linked.size()); ++mask) {
            std::set<std::string> done;
            for (std::size_t i = 0; i < linked.size(); ++i) {
                if ((mask >> i & 1U) != 0) {
                    done.insert(linked[i]);
                }
            }
            const auto groups = groups_with(done);
            if (!groups) {
                continue;
            }
            const auto choice = cheapest(groups->first, target - scored_.proven);
            if (choice && (!best || *choice < *best)) {
                best = choice;
                way = way_of(*choice, groups->second, target);
            }
        }
        return way;
    }

private:
    using Options = std::vector<std::vector<Move>>; // by group

    /// Those in `done` are made whole; who requires others stays as it is. nullopt when that cannot
    /// be.
    std::optional<std::pair<std::vector<KnapsackGroup>, Options>>
    groups_with(const std::set<std::string>& done) const {
        std::vector<KnapsackGroup> groups;
        Options options;
        std::size_t found = 0;
        for (const auto& candidate : candidates_) {
            const bool linked = done.contains(candidate.item->id);
            const bool must = candidate.forced || linked;
            found += linked ? 1 : 0;
            const bool ready = std::ranges::all_of(candidate.needs, [&](const std::string& need) {
                return done.contains(need);
            });
            KnapsackGroup group{
                .options = {}, .forced = must, .last = candidate.item->priority == Priority::p2
            };
            std::vector<Move> moves;
            for (const auto& move : candidate.moves) {
                const bool whole =
                    scored_of(candidate.item->id).proven + move.gain == candidate.item->max;
                if (ready && (whole || !must)) {
                    group.options.push_back({.gain = move.gain, .effort = move.effort});
                    moves.push_back(move);
                    moves.back().forced = candidate.forced;
                }
            }
            if (must && moves.empty()) {
                return std::nullopt;
            }
            groups.push_back(std::move(group));
            options.push_back(std::move(moves));
        }
        if (found < done.size()) {
            return std::nullopt; // something is required that no item is
        }
        return std::pair(std::move(groups), std::move(options));
    }

    const ItemScore& scored_of(const std::string& id) const {
        return *std::ranges::find(scored_.items, id, &ItemScore::id);
    }

    Way way_of(const KnapsackChoice& choice, const Options& options, int target) const {
        Way way{.target = target, .points = scored_.proven, .effort = choice.effort};
        for (const auto& pick : choice.picks) {
            const auto& move = options[static_cast<std::size_t>(pick.group)]
                                      [static_cast<std::size_t>(pick.option)];
            way.points += move.gain;
            way.moves.push_back(move);
        }
        return way;
    }

    const Score& scored_;
    std::set<std::string> whole_;
    std::set<std::string> linked_;
    std::vector<Candidate> candidates_;
};

int threshold_of(const ReadingScore& reading, int rank) {
    const auto found = std::ranges::find(reading.thresholds, rank, &Threshold::rank);
    return found == reading.thresholds.end() ? 0 : found->points;
}

} // namespace

Result<Gap>
gap(const CriteriaSet& set, const Assessment& assessment, const Score& scored, int rank) {
    if (set.level(rank) == nullptr) {
        return fail(Errc::invalid, fmt::format("{} has no level of rank {}", label_of(set), rank));
    }
    const Solver solver(set, assessment, scored, rank);
    if (solver.linked() > kLinkedItemsMax) {
        return fail(
            Errc::invalid,
            fmt::format(
                "{} items are required by others, at most {} can be weighed: drop some requires",
                solver.linked(),
                kLinkedItemsMax
            )
        );
    }
    Gap out{.rank = rank};
    int target = 0;
    int highest = 0;
    for (const auto& reading : scored.readings) {
        const int asked = threshold_of(reading, rank);
        highest = std::max(highest, asked);
        if (reading.reading == scored.reading) {
            target = asked;
            out.reached = reading.level >= rank;
        }
    }
    out.way =
        out.reached ? Way{.target = target, .points = scored.proven} : solver.cheapest_way(target);
    out.robust = solver.cheapest_way(highest);
    out.risks = fall_risks(set, assessment);
    out.expiring = expiring(set, assessment, scored);
    return out;
}

} // namespace baton::quality
