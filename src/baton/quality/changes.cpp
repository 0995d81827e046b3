#include "baton/quality/changes.hpp"

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/item_score.hpp"
#include "baton/quality/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

/// One item on one side; nothing where the set does not ask for it.
struct Side {
    const Item* item{nullptr};
    const Claim* claim{nullptr};
    const ItemScore* score{nullptr};
};

Side side_of(const Scored& scored, std::string_view id) {
    const auto found = std::ranges::find(scored.score.items, id, &ItemScore::id);
    return {
        .item = scored.set.find(id),
        .claim = scored.assessment.claim(id),
        .score = found == scored.score.items.end() ? nullptr : &*found,
    };
}

Points points_of(const ItemScore& score) {
    return {.proven = score.proven, .potential = score.potential, .max = score.max};
}

Points points_of(const Side& side) {
    return side.score == nullptr ? Points{} : points_of(*side.score);
}

std::string value_of(const Side& side) {
    return side.claim != nullptr && side.claim->value ? to_text(*side.claim->value) : "";
}

/// What a claim says, whatever it rests on.
using Said =
    std::tuple<ClaimKind, std::vector<std::string>, bool, std::map<std::string, CheckState>>;

Said said_in(const Side& side) {
    if (side.claim == nullptr) {
        return {ClaimKind::unknown, {}, false, {}};
    }
    std::vector<std::string> parts;
    for (const auto& part : side.claim->parts) {
        parts.push_back(part.id);
    }
    std::ranges::sort(parts);
    return {side.claim->kind, std::move(parts), side.claim->rest_unknown, side.claim->checks};
}

/// Whether the same words would have got other points by the later criteria.
bool asked_differently(
    const Scored& before, const Scored& after, const Side& old, const Side& now
) {
    if (old.item == nullptr || now.item == nullptr) {
        return true;
    }
    if (before.set.digest == after.set.digest) {
        return false;
    }
    const auto again =
        score_item(*now.item, before.assessment, {.exempt = after.set.exempt, .draft = false});
    return points_of(again) != points_of(old);
}

Cause cause_of(const Scored& before, const Scored& after, const Side& old, const Side& now) {
    if (asked_differently(before, after, old, now)) {
        return Cause::criteria;
    }
    if ((old.score->state == State::exempt) != (now.score->state == State::exempt)) {
        return Cause::exemption;
    }
    const auto unreviewed = [](const Side& side) {
        return side.score->before_review.value_or(side.score->proven);
    };
    if ((old.score->before_review || now.score->before_review) &&
        unreviewed(old) == unreviewed(now)) {
        return Cause::review;
    }
    if (value_of(old) != value_of(now)) {
        return Cause::measurement;
    }
    return said_in(old) == said_in(now) ? Cause::evidence : Cause::claim;
}

std::string named(const std::vector<std::string>& all, const std::vector<std::string>& without) {
    std::string out;
    for (const auto& one : all) {
        if (std::ranges::find(without, one) == without.end()) {
            out += (out.empty() ? "" : ", ") + inert(one);
        }
    }
    return out;
}

std::string criteria_detail(const Side& old, const Side& now) {
    if (old.item == nullptr) {
        return "not asked for before";
    }
    if (now.item == nullptr) {
        return "no longer asked for";
    }
    return old.item->max == now.item->max
               ? "asked for in another way"
               : fmt::format("worth {}, before {}", now.item->max, old.item->max);
}

std::string review_detail(const Side& old, const Side& now) {
    const auto& side = now.score->before_review ? now : old;
    const auto* const review =
        side.claim != nullptr && side.claim->review ? &*side.claim->review : nullptr;
    const auto reason = review == nullptr ? "" : inert(review->reason);
    return &side == &now ? fmt::format("{} before review: {}", *now.score->before_review, reason)
                         : fmt::format("no longer changed by review: {}", reason);
}

std::string claim_detail(const Side& old, const Side& now) {
    const auto word = [](const Side& side) {
        return side.claim == nullptr ? "not named" : std::string(name_of(side.claim->kind));
    };
    auto out =
        word(old) == word(now) ? word(now) : fmt::format("{}, before {}", word(now), word(old));
    const auto more = named(now.score->earned, old.score->earned);
    const auto less = named(old.score->earned, now.score->earned);
    out += more.empty() ? "" : fmt::format("; now with {}", more);
    out += less.empty() ? "" : fmt::format("; now without {}", less);
    return out;
}

std::string detail_of(Cause cause, const Side& old, const Side& now) {
    const auto or_none = [](std::string text) { return text.empty() ? "none" : text; };
    switch (cause) {
    case Cause::criteria:
        return criteria_detail(old, now);
    case Cause::exemption:
        return now.score->state == State::exempt ? fmt::format("exempt: {}", inert(now.score->note))
                                                 : "no longer exempt";
    case Cause::review:
        return review_detail(old, now);
    case Cause::measurement:
        return fmt::format("{}, before {}", or_none(value_of(now)), or_none(value_of(old)));
    case Cause::evidence:
        return now.score->proven > old.score->proven ? "now with evidence" : "now without evidence";
    case Cause::claim:
        return claim_detail(old, now);
    }
    return {};
}

/// In the order of the later criteria, what is no longer asked for last.
std::vector<std::string> ids_of(const Scored& before, const Scored& after) {
    std::vector<std::string> ids;
    for (const auto& item : after.set.items) {
        ids.push_back(item.id);
    }
    for (const auto& item : before.set.items) {
        if (after.set.find(item.id) == nullptr) {
            ids.push_back(item.id);
        }
    }
    return ids;
}

Points points_of(const Score& score) {
    return {.proven = score.proven, .potential = score.potential, .max = score.max};
}

} // namespace

std::string_view name_of(Cause cause) {
    switch (cause) {
    case Cause::criteria:
        return "criteria";
    case Cause::exemption:
        return "exemption";
    case Cause::review:
        return "review";
    case Cause::measurement:
        return "measurement";
    case Cause::evidence:
        return "evidence";
    case Cause::claim:
        return "claim";
    }
    return "";
}

std::string level_name(const CriteriaSet& set, int rank) {
    const auto* const level = set.level(rank);
    return level == nullptr ? fmt::format("rank {}", rank) : level->name;
}

std::string to_text(const Value& value) {
    if (value.num && value.den) {
        return fmt::format("{} of {}", *value.num, *value.den);
    }
    std::string out;
    for (const auto& [name, amount] : value.figures) {
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", inert(name), to_text(amount));
    }
    return out;
}

Changes changes(const Scored& before, const Scored& after) {
    Changes out{
        .from = before.assessment.release,
        .to = after.assessment.release,
        .criteria = {.before = label_of(before.set), .after = label_of(after.set)},
        .level =
            {.before = level_name(before.set, before.score.level),
             .after = level_name(after.set, after.score.level)},
        .before = points_of(before.score),
        .after = points_of(after.score),
    };
    if (before.documented && after.documented) {
        out.documented = LevelChange{
            .before = level_name(before.set, *before.documented),
            .after = level_name(after.set, *after.documented),
        };
    }
    std::map<std::tuple<int, int, std::size_t>, PointChange> sorted;
    for (const auto& id : ids_of(before, after)) {
        const auto old = side_of(before, id);
        const auto now = side_of(after, id);
        const auto from = points_of(old);
        const auto to = points_of(now);
        if (from == to) {
            continue;
        }
        const auto cause = cause_of(before, after, old, now);
        sorted[{
            -std::abs(to.proven - from.proven),
            -std::abs(to.potential - from.potential),
            sorted.size(),
        }] = {
            .item = id,
            .title = (now.item == nullptr ? old : now).item->title,
            .before = from,
            .after = to,
            .cause = cause,
            .detail = detail_of(cause, old, now),
        };
    }
    for (auto& [order, change] : sorted) {
        out.items.push_back(std::move(change));
    }
    return out;
}

} // namespace baton::quality
