#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/wire/criteria.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/// Assessments in a few words, by the criteria that are built in.
namespace baton::quality::story {

inline const CriteriaSet& points() {
    return *wire::builtin_criteria_set("pytorch-cpq/2025.11-124");
}

inline Value share(std::int64_t num, std::int64_t den) {
    return {.num = num, .den = den, .figures = {}, .at = {}};
}

/// A claim with evidence that earns everything.
inline Claim whole(const Item& item) {
    Claim claim{.item = item.id, .kind = ClaimKind::met, .evidence = {{.id = "e"}}};
    if (item.kind == Kind::step) {
        claim.kind = ClaimKind::measured;
        claim.value = share(100, 100);
    }
    return claim;
}

inline Claim unmet(std::string_view item) {
    return {.item = std::string(item), .kind = ClaimKind::unmet};
}

/// The named parts, with evidence.
inline Claim parts(std::string_view item, const std::vector<std::string>& names) {
    Claim claim{.item = std::string(item), .kind = ClaimKind::partial, .evidence = {{.id = "e"}}};
    for (const auto& name : names) {
        claim.parts.push_back({.id = name});
    }
    return claim;
}

inline Claim measured(std::string_view item, std::int64_t num, std::int64_t den) {
    return {
        .item = std::string(item),
        .kind = ClaimKind::measured,
        .evidence = {{.id = "e"}},
        .value = share(num, den)
    };
}

inline void put(Assessment& assessment, Claim claim) {
    const auto found = std::ranges::find(assessment.claims, claim.item, &Claim::item);
    if (found == assessment.claims.end()) {
        assessment.claims.push_back(std::move(claim));
    } else {
        *found = std::move(claim);
    }
}

inline Assessment empty_assessment(const CriteriaSet& set) {
    Assessment assessment{.set = set.set, .version = set.version};
    assessment.platform.id = "made-up";
    assessment.platform.targets = {"inference", "training", "single-node", "distributed"};
    assessment.release = {.major = 2, .minor = 14};
    assessment.assessed.on = parse_day("2026-10-20");
    assessment.evidence.push_back(
        {.id = "e", .type = "url", .url = "https://example.org", .captured = parse_day("2026-10-10")
        }
    );
    return assessment;
}

/// Everything that `choose` says is whole, the rest unmet.
template <class Choose> Assessment assess(const CriteriaSet& set, Choose choose) {
    auto assessment = empty_assessment(set);
    for (const auto& item : set.items) {
        put(assessment, choose(item) ? whole(item) : unmet(item.id));
    }
    return assessment;
}

inline Assessment everything(const CriteriaSet& set) {
    return assess(set, [](const Item&) { return true; });
}

/// Every P0 and so many points; `without` stays unmet.
inline Assessment with_points(int wanted, std::string_view without = "") {
    const auto& set = points();
    auto assessment = assess(set, [](const Item& item) { return item.priority == Priority::p0; });
    int sum = 0;
    for (const auto& item : set.items) {
        sum += item.priority == Priority::p0 ? item.max : 0;
    }
    for (const auto& item : set.items) {
        const bool takes = item.priority != Priority::p0 && item.id != "FEAT-2" &&
                           item.id != without && sum + item.max <= wanted;
        if (takes) {
            put(assessment, whole(item));
            sum += item.max;
        }
    }
    std::vector<std::string> names;
    for (const auto& part : set.find("FEAT-2")->parts) {
        if (sum < wanted) {
            names.push_back(part.id);
            ++sum;
        }
    }
    put(assessment, parts("FEAT-2", names));
    EXPECT_EQ(sum, wanted) << "the story cannot be told";
    return assessment;
}

} // namespace baton::quality::story
