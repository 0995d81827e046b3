#pragma once

#include "baton/domain/comparison.hpp"
#include "baton/ports/store.hpp"

#include <vector>

namespace baton::program {

/// What we decided for each downstream of a delivery: from its dispatches, and from the ledger for
/// those that got none.
std::vector<domain::OwnDecision> own_decisions(const ports::DeliveryHistory& history);

} // namespace baton::program
