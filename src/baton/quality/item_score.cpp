#include "baton/quality/item_score.hpp"

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::quality {

namespace {

constexpr std::int64_t kWhole = 100;
constexpr std::int64_t kThousand = 1000;

bool has_share(const Value& value) {
    return value.num && value.den && *value.num <= *value.den;
}

/// 100 * num / den against the bound, without dividing.
bool share_holds(const Limit& limit, const Value& value) {
    return holds(
        Amount{.thousandths = kWhole * kThousand * *value.num},
        limit.comparison,
        Amount{.thousandths = limit.bound.thousandths * *value.den}
    );
}

std::optional<Measured> measure_limits(const Item& item, const Value& value) {
    Measured measured{.points = item.max};
    for (const auto& limit : item.automatic->limits) {
        bool held = false;
        if (limit.figure == "percent") {
            if (!has_share(value)) {
                return std::nullopt;
            }
            measured.enough =
                measured.enough && *value.den >= std::max<std::int64_t>(1, item.automatic->min_den);
            held = share_holds(limit, value);
        } else {
            const auto figure = value.figures.find(limit.figure);
            if (figure == value.figures.end()) {
                return std::nullopt;
            }
            held = holds(figure->second, limit.comparison, limit.bound);
        }
        if (!held) {
            measured.points = 0;
        }
    }
    if (!measured.enough) {
        measured.points = 0;
    }
    return measured;
}

State state_of(int points, int max) {
    if (points >= max) {
        return State::met;
    }
    return points == 0 ? State::unmet : State::partial;
}

/// Sets what was earned, with everything else known to be missing.
void earn(ItemScore& scored, int points) {
    scored.proven = points;
    scored.potential = points;
    scored.state = state_of(points, scored.max);
}

void leave_unknown(ItemScore& scored, State state, std::string note) {
    scored.proven = 0;
    scored.potential = scored.max;
    scored.state = state;
    scored.note = std::move(note);
}

void refuse(ItemScore& scored, State state, std::string note) {
    scored.proven = 0;
    scored.potential = 0;
    scored.state = state;
    scored.note = std::move(note);
    scored.earned.clear();
}

void earn_measured(const Item& item, const Value& value, ItemScore& scored) {
    const auto measured = measure(item, value);
    if (!measured) {
        refuse(scored, State::unproven, "the value does not fit the item");
    } else if (!measured->enough) {
        leave_unknown(scored, State::insufficient, "too little was measured");
    } else {
        earn(scored, measured->points);
        if (measured->percent > 0) {
            scored.earned.push_back(fmt::format("{}", measured->percent));
        }
    }
}

void earn_parts(const Item& item, const Claim& claim, ItemScore& scored) {
    const bool all = claim.kind == ClaimKind::met && claim.parts.empty();
    int points = 0;
    for (const auto& part : item.parts) {
        if (all || std::ranges::find(claim.parts, part.id, &Reference::id) != claim.parts.end()) {
            points += part.points;
            scored.earned.push_back(part.id);
        }
    }
    earn(scored, points);
    if (claim.kind == ClaimKind::partial && claim.rest_unknown) {
        scored.potential = item.max;
    }
}

/// What is claimed, whatever it rests on.
void earn_claimed(const Item& item, const Claim& claim, ItemScore& scored) {
    const bool measurable = item.kind == Kind::step || item.automatic.has_value();
    if (claim.value && measurable && item.kind != Kind::add) {
        earn_measured(item, *claim.value, scored);
    } else if (claim.kind == ClaimKind::measured) {
        refuse(scored, State::unproven, "measured, without a value that can be compared");
    } else if (item.kind == Kind::step || item.kind == Kind::metric) {
        refuse(scored, State::unproven, "only a measured value counts");
    } else if (item.kind == Kind::add) {
        earn_parts(item, claim, scored);
    } else if (claim.kind == ClaimKind::met) {
        earn(scored, item.max);
    } else {
        refuse(scored, State::unmet, "all or nothing: it has no parts");
    }
}

void apply_checks(
    const Item& item, const Claim& claim, const Platform& platform, ItemScore& scored
) {
    for (const auto& check : item.checks) {
        const auto said = claim.checks.find(check.id);
        if (said == claim.checks.end() || !applies(check, platform)) {
            continue;
        }
        if (said->second == CheckState::fail) {
            refuse(scored, State::unmet, fmt::format("check {} fails", inert(check.id)));
            return;
        }
        if (said->second == CheckState::unknown) {
            leave_unknown(
                scored, State::unknown, fmt::format("check {} is unknown", inert(check.id))
            );
            scored.earned.clear();
        }
    }
}

void exempt(
    const Item& item, const Claim& claim, const Platform& platform, ExemptPoints how, ItemScore& out
) {
    if (!may_be_exempt(item, platform) || claim.reason.empty()) {
        refuse(out, State::unmet, "exempt without right or reason");
        return;
    }
    out.state = State::exempt;
    out.note = claim.reason;
    out.proven = how == ExemptPoints::credit ? item.max : 0;
    out.potential = out.proven;
    if (how == ExemptPoints::exclude) {
        out.max = 0;
        out.exempt = item.max;
    }
}

void apply_review(const Item& item, const Review& review, ItemScore& scored) {
    if (review.verdict == ReviewVerdict::accept) {
        return;
    }
    const int before = scored.proven;
    scored.max = item.max;
    scored.exempt = 0;
    if (review.verdict == ReviewVerdict::reject) {
        refuse(scored, State::unmet, review.reason);
    } else {
        earn(scored, std::clamp(review.points, 0, item.max));
        scored.note = review.reason;
        scored.earned.clear();
    }
    scored.before_review = before;
}

void apply_claim(
    const Item& item,
    const Claim& claim,
    const Assessment& assessment,
    const ClaimRules& rules,
    ItemScore& scored
) {
    switch (claim.kind) {
    case ClaimKind::unknown:
        leave_unknown(scored, State::unknown, claim.note);
        return;
    case ClaimKind::unmet:
        refuse(scored, State::unmet, claim.plan);
        return;
    case ClaimKind::exempt:
        exempt(item, claim, assessment.platform, rules.exempt, scored);
        return;
    case ClaimKind::met:
    case ClaimKind::partial:
    case ClaimKind::measured:
        break;
    }
    earn_claimed(item, claim, scored);
    apply_checks(item, claim, assessment.platform, scored);
    if (!has_evidence(claim, assessment)) {
        const int claimed = scored.potential;
        refuse(scored, State::unproven, "claimed without evidence");
        scored.potential = rules.draft ? claimed : 0;
    }
}

} // namespace

std::int64_t least_num(int percent, std::int64_t den) {
    return (percent * den + kWhole - 1) / kWhole;
}

std::optional<Measured> measure(const Item& item, const Value& value) {
    if (item.kind == Kind::add) {
        return std::nullopt;
    }
    if (item.kind != Kind::step) {
        return item.automatic && !item.automatic->limits.empty() ? measure_limits(item, value)
                                                                 : std::nullopt;
    }
    if (!has_share(value)) {
        return std::nullopt;
    }
    const auto least = item.automatic ? std::max<std::int64_t>(1, item.automatic->min_den) : 1;
    if (*value.den < least) {
        return Measured{.enough = false};
    }
    Measured measured;
    for (const auto& step : item.steps) {
        if (kWhole * *value.num >= step.percent * *value.den && step.points > measured.points) {
            measured.points = step.points;
            measured.percent = step.percent;
        }
    }
    return measured;
}

bool has_evidence(const Claim& claim, const Assessment& assessment) {
    return std::ranges::any_of(claim.evidence, [&](const Reference& reference) {
        return assessment.find_evidence(reference.id) != nullptr;
    });
}

bool applies(const Check& check, const Platform& platform) {
    return check.only_class.empty() || check.only_class == platform.family;
}

bool may_be_exempt(const Item& item, const Platform& platform) {
    return item.priority != Priority::p0 && !item.exempt_without.empty() &&
           std::ranges::find(platform.targets, item.exempt_without) == platform.targets.end();
}

ItemScore score_item(const Item& item, const Assessment& assessment, const ClaimRules& rules) {
    ItemScore scored{
        .id = item.id, .section = item.section, .priority = item.priority, .max = item.max
    };
    const auto* const claim = assessment.claim(item.id);
    if (claim == nullptr) {
        leave_unknown(scored, State::unknown, "the assessment does not name it");
        return scored;
    }
    scored.at = claim->at;
    apply_claim(item, *claim, assessment, rules, scored);
    if (claim->review) {
        apply_review(item, *claim->review, scored);
    }
    return scored;
}

} // namespace baton::quality
