#pragma once

#include "baton/base/ids.hpp"

#include <string>

namespace baton::store {

/// Why a delivery that is known has no payload, and what that means.
std::string past_retention(const DeliveryId& id);

} // namespace baton::store
