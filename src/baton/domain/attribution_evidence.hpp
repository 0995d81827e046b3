#pragma once

#include "baton/domain/attribution.hpp"

#include <vector>

namespace baton::domain {

/// What each rule but a person's word finds in the facts; at most one line for each.
std::vector<Evidence> evidence_of(const FailureFacts& facts);

} // namespace baton::domain
