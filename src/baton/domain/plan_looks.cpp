#include "baton/domain/plan_looks.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/run.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace baton::domain {

bool shows_checks(const Downstream& downstream) {
    return policy_of(downstream.level).display_on_pr != DisplayOnPr::never;
}

std::vector<Subject> looks_at_pull_request(
    const PlanInput& input, const PullRequest& folded, const Allowlist& allowlist
) {
    if (!input.gate_always && std::ranges::none_of(allowlist.downstreams(), shows_checks)) {
        return {};
    }
    const auto& facts = std::get<PullRequestFacts>(input.event.facts);
    std::vector<Subject> looks;
    for (const auto& head :
         {folded.head, input.known ? input.known->head : folded.head, facts.head}) {
        Subject subject{.upstream = folded.upstream, .pr = folded.number, .head = head};
        if (std::ranges::find(looks, subject) == looks.end()) {
            looks.push_back(std::move(subject));
        }
    }
    return looks;
}

Subject look_at_merge_group(const PlanInput& input, const MergeGroupFacts& group) {
    return {
        .upstream = input.event.repository.value_or(RepoName{}),
        .pr = std::nullopt,
        .head = group.head,
    };
}

} // namespace baton::domain
