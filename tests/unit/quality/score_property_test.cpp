#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/score.hpp"
#include "baton/quality/simulate.hpp"
#include "baton/wire/score_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unit/quality/quality_story.hpp"

namespace baton::quality {

namespace {

using namespace story;

Claim drawn_claim(const Item& item) {
    const auto kind = *rc::gen::inRange(0, 6);
    Claim claim{.item = item.id};
    if (*rc::gen::inRange(0, 4) > 0) {
        claim.evidence = {{.id = "e"}};
    }
    switch (kind) {
    case 0:
        claim.kind = ClaimKind::unknown;
        break;
    case 1:
        claim.kind = ClaimKind::unmet;
        break;
    case 2:
        claim.kind = ClaimKind::exempt;
        claim.reason = "because";
        break;
    case 3:
        claim.kind = ClaimKind::partial;
        claim.rest_unknown = *rc::gen::arbitrary<bool>();
        for (const auto& part : item.parts) {
            if (*rc::gen::arbitrary<bool>()) {
                claim.parts.push_back({.id = part.id});
            }
        }
        break;
    case 4:
        claim.kind = ClaimKind::met;
        break;
    default:
        claim.kind = ClaimKind::measured;
        claim.value = share(*rc::gen::inRange<std::int64_t>(0, 1001), 1000);
    }
    return claim;
}

Assessment drawn() {
    auto assessment = empty_assessment(points());
    if (*rc::gen::arbitrary<bool>()) {
        assessment.platform.targets = {"inference", "single-node"};
    }
    for (const auto& item : points().items) {
        put(assessment, drawn_claim(item));
    }
    return assessment;
}

/// By every reading, for what is proven.
bool no_level_is_lower(const Score& after, const Score& before) {
    for (std::size_t i = 0; i < before.readings.size(); ++i) {
        if (after.readings[i].level < before.readings[i].level) {
            return false;
        }
    }
    return true;
}

RC_GTEST_PROP(ScoreProperty, NumbersStayInOrderAndSectionsAddUp, ()) {
    const auto scored = score(points(), drawn());
    RC_ASSERT(0 <= scored.proven);
    RC_ASSERT(scored.proven <= scored.potential);
    RC_ASSERT(scored.potential <= scored.max);
    RC_ASSERT(scored.max + scored.exempt == 126);
    RC_ASSERT(scored.level <= scored.potential_level);
    int proven = 0;
    for (const auto& section : scored.sections) {
        proven += section.proven;
    }
    RC_ASSERT(proven == scored.proven);
    for (const auto& item : scored.items) {
        RC_ASSERT(0 <= item.proven && item.proven <= item.potential && item.potential <= item.max);
    }
}

RC_GTEST_PROP(ScoreProperty, MakingAnyItemWholeNeverLowers, ()) {
    auto assessment = drawn();
    const auto& item = *rc::gen::elementOf(points().items);
    RC_PRE(assessment.claim(item.id)->kind != ClaimKind::exempt);
    const auto before = score(points(), assessment);
    put(assessment, whole(item));
    const auto after = score(points(), assessment);
    RC_ASSERT(after.proven >= before.proven);
    RC_ASSERT(after.p0.met >= before.p0.met);
    RC_ASSERT(no_level_is_lower(after, before));
}

RC_GTEST_PROP(ScoreProperty, OneMorePartOrOneMoreTestNeverLowers, ()) {
    auto assessment = drawn();
    for (auto& claim : assessment.claims) {
        const auto before = score(points(), assessment);
        const auto* const item = points().find(claim.item);
        if (claim.kind == ClaimKind::measured && item->kind == Kind::step) {
            claim.value->num = std::min<std::int64_t>(*claim.value->num + 1, 1000);
        } else if (claim.kind == ClaimKind::partial && !item->parts.empty()) {
            const auto& part = *rc::gen::elementOf(item->parts);
            claim.parts.push_back({.id = part.id});
        } else {
            continue;
        }
        const auto after = score(points(), assessment);
        RC_ASSERT(after.proven >= before.proven);
        RC_ASSERT(after.potential >= before.potential);
        RC_ASSERT(no_level_is_lower(after, before));
    }
}

RC_GTEST_PROP(ScoreProperty, MoreEvidenceNeverLowers, ()) {
    auto assessment = drawn();
    const auto before = score(points(), assessment);
    for (auto& claim : assessment.claims) {
        if (*rc::gen::arbitrary<bool>()) {
            claim.evidence.push_back({.id = "e"});
        }
    }
    const auto after = score(points(), assessment);
    RC_ASSERT(after.proven >= before.proven);
    RC_ASSERT(after.potential >= before.potential);
    RC_ASSERT(no_level_is_lower(after, before));
}

/// The same set, where the drawn item may be exempt.
std::pair<CriteriaSet, std::string> set_with_an_exemption() {
    auto set = points();
    const auto at =
        *rc::gen::suchThat(rc::gen::inRange<std::size_t>(0, set.items.size()), [&](std::size_t i) {
            return set.items[i].priority != Priority::p0;
        });
    set.items[at].exempt_without = "distributed";
    return {set, set.items[at].id};
}

RC_GTEST_PROP(ScoreProperty, ExemptingWhatIsNotEarnedNeverLowersTheLevel, ()) {
    const auto [set, id] = set_with_an_exemption();
    auto assessment = drawn();
    assessment.platform.targets = {"inference"};
    put(assessment, unmet(id));
    const auto before = score(set, assessment);
    put(assessment, {.item = id, .kind = ClaimKind::exempt, .reason = "because"});
    RC_ASSERT(no_level_is_lower(score(set, assessment), before));
}

RC_GTEST_PROP(ScoreProperty, ExemptingWhatIsEarnedNeverRaisesTheLevel, ()) {
    const auto [set, id] = set_with_an_exemption();
    auto assessment = drawn();
    assessment.platform.targets = {"inference"};
    put(assessment, whole(*set.find(id)));
    const auto before = score(set, assessment);
    put(assessment, {.item = id, .kind = ClaimKind::exempt, .reason = "because"});
    RC_ASSERT(no_level_is_lower(before, score(set, assessment)));
}

/// What a move asks for, as a supposition.
std::string change_of(const Move& move) {
    if (points().find(move.item)->kind == Kind::step) {
        return fmt::format("{}={}/100", move.item, move.adds.front());
    }
    return move.adds.empty() ? move.item + "=met"
                             : fmt::format("{}=+{}", move.item, fmt::join(move.adds, ","));
}

RC_GTEST_PROP(ScoreProperty, WhoGoesTheWayThatGapSaysGetsThere, ()) {
    auto assessment = drawn();
    const auto rank = *rc::gen::inRange(0, 3);
    const auto robust = *rc::gen::arbitrary<bool>();
    const auto found = gap(points(), assessment, score(points(), assessment), rank);
    RC_ASSERT(found.has_value());
    const auto& way = robust ? found->robust : found->way;
    RC_PRE(way.has_value());
    for (const auto& move : way->moves) {
        RC_ASSERT(suppose(points(), assessment, change_of(move)).has_value());
    }
    const auto after = score(points(), assessment);
    RC_ASSERT(after.proven >= way->points);
    RC_ASSERT(after.level >= rank);
    RC_ASSERT(!robust || std::ranges::all_of(after.readings, [&](const ReadingScore& reading) {
        return reading.level >= rank;
    }));
}

RC_GTEST_PROP(ScoreProperty, TheOrderOfTheFileChangesNoByte, ()) {
    auto assessment = drawn();
    const auto before = wire::score_json(points(), assessment, score(points(), assessment));
    std::ranges::reverse(assessment.claims);
    std::ranges::reverse(assessment.evidence);
    RC_ASSERT(wire::score_json(points(), assessment, score(points(), assessment)) == before);
}

} // namespace

} // namespace baton::quality
