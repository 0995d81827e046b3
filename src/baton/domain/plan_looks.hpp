#pragma once

#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/run.hpp"

#include <vector>

/// Whose checks may have to change: the part of `plan` that wakes the reconciler.
namespace baton::domain {

/// Whether its jobs stand as checks on pull requests, always or by label.
bool shows_checks(const Downstream& downstream);

/// Checks stand on commits: on the head of now, on the one before, and on the one that a late
/// webhook tells of, so that the order of webhooks leaves no trace. `folded`: after this event.
std::vector<Subject> looks_at_pull_request(
    const PlanInput& input, const PullRequest& folded, const Allowlist& allowlist
);

/// The merge queue's commit gets a gate of its own.
Subject look_at_merge_group(const PlanInput& input, const MergeGroupFacts& group);

} // namespace baton::domain
