#pragma once

#include "baton/hud/pull_page.hpp"
#include "baton/ports/failures.hpp"

#include <vector>

namespace baton::hud {

/// Says of each cell how it stands against trunk, and of each that failed whose failure it is.
void tell_failures(
    std::vector<BackendOnPull>& backends, const std::vector<ports::CommitCell>& around
);

/// Says of each failed test which cluster it is in and where else that was seen.
void tell_clusters(std::vector<FailedTestOf>& tests, const std::vector<ports::CommitCell>& around);

} // namespace baton::hud
