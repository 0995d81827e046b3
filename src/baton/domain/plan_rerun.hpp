#pragma once

#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/plan.hpp"

#include <set>

/// What people ask to be run again: the parts of `plan` for GitHub's "Re-run" and for commands.
namespace baton::domain {

/// GitHub's own buttons, which only people with write access see. One check: what failed in its
/// run. The gate: what failed at anybody who blocks. The suite: every job of everybody who shows
/// checks.
Plan plan_rerequest(
    const PlanInput& input, const RerequestFacts& facts, const Allowlist& allowlist
);

/// A command. Each downstream that it means is judged by itself: the sender needs write access
/// upstream or is on-call for it.
Plan plan_comment(
    const PlanInput& input,
    const CommentFacts& comment,
    const Allowlist& allowlist,
    const Rights& rights
);

/// The sender of a command, unless being on-call answers for everything it means.
std::set<Login>
command_rights_wanted(const Event& event, const CommentFacts& comment, const Allowlist& allowlist);

} // namespace baton::domain
