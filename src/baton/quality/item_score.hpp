#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/score.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What one claim is worth.
namespace baton::quality {

/// What a value says about an item that can be measured; nullopt when it does not fit the item: no
/// share where one is asked for, num above den, a figure left out.
struct Measured {
    bool enough{true}; // false: too little was measured
    int points{0};
    int percent{0}; // the step reached; 0: none
};

std::optional<Measured> measure(const Item& item, const Value& value);

/// The least num of den that reaches the percentage.
std::int64_t least_num(int percent, std::int64_t den);

struct ClaimRules {
    ExemptPoints exempt{ExemptPoints::exclude};
    bool draft{false};
};

ItemScore score_item(const Item& item, const Assessment& assessment, const ClaimRules& rules);

/// Whether the claim names at least one evidence that is declared.
bool has_evidence(const Claim& claim, const Assessment& assessment);

/// Whether the check is asked of this platform (A14).
bool applies(const Check& check, const Platform& platform);

} // namespace baton::quality
