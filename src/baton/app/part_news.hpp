#pragma once

#include "baton/api/health.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/journal.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace baton::app {

/// What /readyz says of a part before anybody looked.
inline constexpr std::string_view kNotLookedAt = "not looked at yet";

/// Sets how a part stands and notes it when that is news: one entry when it goes wrong, when it
/// goes wrong in another way, and when it works again.
void tell_part(
    api::Readiness& readiness,
    ports::Journal& journal,
    const std::string& part,
    const std::optional<Error>& error
);

} // namespace baton::app
