#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/score.hpp"

#include <vector>

/// What can be done about one item.
namespace baton::quality {

/// Each is a way to more points, by gain; at most one for each gain, the cheapest. Empty when
/// nothing is missing, or nothing can be done.
std::vector<Move> moves_of(const Item& item, const Assessment& assessment, const ItemScore& scored);

/// Of items that are measured as shares, and earn something or could.
std::vector<FallRisk> fall_risks(const CriteriaSet& set, const Assessment& assessment);

/// Items without a day on any of their evidence are not among them.
std::vector<Expiry>
expiring(const CriteriaSet& set, const Assessment& assessment, const Score& scored);

} // namespace baton::quality
