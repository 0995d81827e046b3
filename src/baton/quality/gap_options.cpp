#include "baton/quality/gap_options.hpp"

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/evidence_age.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/item_score.hpp"
#include "baton/quality/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

const Claim kNoClaim{};

bool has(const std::vector<std::string>& all, const std::string& one) {
    return std::ranges::find(all, one) != all.end();
}

std::optional<int> named(const Effort& effort, const std::string& name) {
    const auto found = effort.each.find(name);
    return found == effort.each.end() ? effort.whole : std::optional(found->second);
}

int effort_of(const Item& item, const Claim& claim, const std::string& name, int points) {
    return named(claim.effort, name).value_or(named(item.effort, name).value_or(points));
}

/// The claim's estimate is from where the platform stands; the criteria's is from the step below,
/// for they do not know where that is.
int climb_effort(const Item& item, const Claim& claim, const Step& to, int proven) {
    if (const auto own = named(claim.effort, fmt::format("{}", to.percent))) {
        return *own;
    }
    int effort = 0;
    int below = proven;
    for (const auto& step : item.steps) {
        if (step.points > proven && step.points <= to.points) {
            effort +=
                named(item.effort, fmt::format("{}", step.percent)).value_or(step.points - below);
            below = step.points;
        }
    }
    return effort;
}

std::vector<Move> part_moves(const Item& item, const Claim& claim, const ItemScore& scored) {
    std::map<int, Move> by_gain{{0, Move{.item = item.id}}};
    for (const auto& part : item.parts) {
        if (has(scored.earned, part.id) || has(claim.blocked_options, part.id)) {
            continue;
        }
        const int effort = effort_of(item, claim, part.id, part.points);
        const auto before = by_gain;
        for (const auto& [gain, move] : before) {
            auto more = move;
            more.gain += part.points;
            more.effort += effort;
            more.adds.push_back(part.id);
            const auto [place, is_new] = by_gain.emplace(more.gain, more);
            if (!is_new && more.effort < place->second.effort) {
                place->second = std::move(more);
            }
        }
    }
    std::vector<Move> moves;
    for (auto& [gain, move] : by_gain) {
        if (gain > 0) {
            moves.push_back(std::move(move));
        }
    }
    return moves;
}

std::vector<Move> step_moves(const Item& item, const Claim& claim, const ItemScore& scored) {
    std::vector<Move> moves;
    for (const auto& step : item.steps) {
        const auto name = fmt::format("{}", step.percent);
        if (step.points <= scored.proven || has(claim.blocked_options, name)) {
            continue;
        }
        Move move{
            .item = item.id,
            .adds = {name},
            .gain = step.points - scored.proven,
            .effort = climb_effort(item, claim, step, scored.proven)
        };
        if (claim.value && claim.value->num && claim.value->den) {
            move.missing = std::max<std::int64_t>(
                0, least_num(step.percent, *claim.value->den) - *claim.value->num
            );
        }
        moves.push_back(std::move(move));
    }
    return moves;
}

/// The least or the most num that keeps the limit, by its direction.
std::int64_t edge_of(const Limit& limit, std::int64_t den) {
    constexpr std::int64_t kUnit = 100 * 1000;
    const auto bound = limit.bound.thousandths * den;
    switch (limit.comparison) {
    case Comparison::below:
        return (bound + kUnit - 1) / kUnit - 1;
    case Comparison::at_most:
        return bound / kUnit;
    case Comparison::above:
        return bound / kUnit + 1;
    case Comparison::at_least:
        return (bound + kUnit - 1) / kUnit;
    }
    return 0;
}

/// How many may still be lost; negative: how many are missing.
std::optional<std::int64_t> slack_of(const Item& item, const Value& value) {
    if (!item.automatic || !value.num || !value.den) {
        return std::nullopt;
    }
    const auto& limits = item.automatic->limits;
    if (limits.size() != 1 || limits.front().figure != "percent") {
        return std::nullopt;
    }
    const auto edge = edge_of(limits.front(), *value.den);
    const bool less_is_better = limits.front().comparison == Comparison::below ||
                                limits.front().comparison == Comparison::at_most;
    return less_is_better ? edge - *value.num : *value.num - edge;
}

std::vector<Move> whole_move(const Item& item, const Claim& claim, const ItemScore& scored) {
    Move move{.item = item.id, .gain = item.max - scored.proven};
    move.effort = claim.effort.whole.value_or(item.effort.whole.value_or(move.gain));
    if (claim.value) {
        move.missing = std::max<std::int64_t>(0, -slack_of(item, *claim.value).value_or(0));
    }
    return {std::move(move)};
}

FallRisk step_risk(const Item& item, const Value& value, const Measured& measured) {
    FallRisk risk{.item = item.id, .points = measured.points};
    if (measured.percent > 0) {
        risk.slack = *value.num - least_num(measured.percent, *value.den);
    }
    for (const auto& step : item.steps) {
        if (step.points > measured.points) {
            risk.next_needs = least_num(step.percent, *value.den) - *value.num;
            break;
        }
    }
    return risk;
}

} // namespace

std::vector<Move>
moves_of(const Item& item, const Assessment& assessment, const ItemScore& scored) {
    const auto* const found = assessment.claim(item.id);
    const auto& claim = found == nullptr ? kNoClaim : *found;
    if (scored.state == State::exempt || scored.proven >= item.max || claim.blocked) {
        return {};
    }
    if (scored.before_review) {
        return whole_move(item, claim, scored); // what a review gave is no part and no step
    }
    switch (item.kind) {
    case Kind::add:
        return part_moves(item, claim, scored);
    case Kind::step:
        return step_moves(item, claim, scored);
    case Kind::bin:
    case Kind::metric:
        return whole_move(item, claim, scored);
    }
    return {};
}

std::vector<Expiry>
expiring(const CriteriaSet& set, const Assessment& assessment, const Score& scored) {
    std::vector<Expiry> all;
    for (const auto& item : scored.items) {
        const auto* const claim = assessment.claim(item.id);
        if (claim == nullptr || item.proven == 0) {
            continue;
        }
        std::optional<Day> last;
        for (const auto& reference : claim->evidence) {
            const auto* const evidence = assessment.find_evidence(reference.id);
            const auto day = evidence == nullptr ? std::nullopt : day_of(*evidence);
            const int age = evidence == nullptr ? 0 : max_age_days(*evidence, *set.find(item.id));
            if (day && age > 0) {
                last = std::max(last.value_or(Day::min()), *day + std::chrono::days(age));
            }
        }
        if (last) {
            all.push_back({.item = item.id, .on = *last});
        }
    }
    std::ranges::sort(all, [](const Expiry& a, const Expiry& b) {
        return std::tie(a.on, a.item) < std::tie(b.on, b.item);
    });
    return all;
}

std::vector<FallRisk> fall_risks(const CriteriaSet& set, const Assessment& assessment) {
    std::vector<FallRisk> risks;
    for (const auto& item : set.items) {
        const auto* const claim = assessment.claim(item.id);
        if (claim == nullptr || claim->kind != ClaimKind::measured || !claim->value) {
            continue;
        }
        const auto measured = measure(item, *claim->value);
        if (!measured || !measured->enough) {
            continue;
        }
        if (item.kind == Kind::step) {
            risks.push_back(step_risk(item, *claim->value, *measured));
        } else if (const auto slack = slack_of(item, *claim->value)) {
            risks.push_back(
                {.item = item.id,
                 .points = measured->points,
                 .slack = std::max<std::int64_t>(0, *slack),
                 .next_needs = std::max<std::int64_t>(0, -*slack)}
            );
        }
    }
    return risks;
}

} // namespace baton::quality
