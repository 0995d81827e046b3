#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"

#include <optional>

/// How long evidence counts.
namespace baton::quality {

/// When it was captured, or the end of its window; nullopt when neither is stated.
std::optional<Day> day_of(const Evidence& evidence);

/// The item's own limit, else the type's: 30 days for what is measured, 180 for links, 365 for
/// statements; 0: none.
int max_age_days(const Evidence& evidence, const Item& item);

} // namespace baton::quality
