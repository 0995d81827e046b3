#pragma once

#include "baton/base/time.hpp"
#include "baton/hud/shown.hpp"
#include "baton/ports/operators.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Reports that were refused: why, and what their authors have to do.
namespace baton::hud {

/// What the author of a report that was refused for this reason has to do.
std::string_view hint_for(std::string_view reason);

/// Whether it is one of the fixed words.
bool is_reason(std::string_view reason);

/// Whether everybody may see that somebody was refused; of those whom nobody lists the name is left
/// out (`anonymous`), for nobody knows what they were.
bool may_be_told(const RepoName& downstream, const Shown& shown);

/// The group as everybody may see it.
ports::RefusalGroup anonymous(ports::RefusalGroup group, const Shown& shown);

struct ReasonTotal {
    std::string reason;
    std::size_t count{0};
};

/// Of those who are shown, most frequent first.
std::vector<ReasonTotal>
totals_by_reason(const std::vector<ports::RefusalTotal>& totals, const Shown& shown);

struct CallerTotal {
    RepoName downstream; // empty: unknown and unlisted callers together
    std::string reason;  // its most frequent one
    std::size_t count{0};
    TimePoint last_at{};
};

/// Of those who are shown, most frequent first.
std::vector<CallerTotal>
totals_by_downstream(const std::vector<ports::RefusalTotal>& totals, const Shown& shown);

/// The totals that everybody may see, with unlisted callers among the unknown.
std::vector<ports::RefusalTotal>
shown_totals(const std::vector<ports::RefusalTotal>& totals, const Shown& shown);

/// The beginning of the hour (UTC) that is `hours` before the one that runs.
TimePoint hour_before(TimePoint now, int hours);

} // namespace baton::hud
