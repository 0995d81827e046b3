#include "baton/sim/actions_runs.hpp"

#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

ActionsRun ActionsRuns::begin(const Repo& repo, NewRun what) {
    const auto* const branch = GithubModel::branch(repo, {});
    const auto number = ++numbers_[{repo.name, what.workflow}];
    return {
        .id = next_++,
        .number = number,
        .attempt = 1,
        .repo = repo.name,
        .repo_id = repo.id,
        .owner_id = repo.owner.id,
        .is_private = repo.is_private,
        .workflow = std::move(what.workflow),
        .event_name = std::move(what.event_name),
        .ref = "refs/heads/" + repo.default_branch,
        .sha = branch != nullptr ? branch->head : HeadSha{},
        .actor = std::move(what.actor),
    };
}

std::string ActionsRuns::request_token(const ActionsRun& run) {
    auto secret = fmt::format("sim_{:016x}{:016x}", chance_.draw().bits, chance_.draw().bits);
    secrets_.emplace(secret, run);
    oldest_.push_back(secret);
    if (oldest_.size() > kSecretsMax) {
        secrets_.erase(oldest_.front());
        oldest_.pop_front();
    }
    return secret;
}

const ActionsRun* ActionsRuns::who(std::string_view request_token) const {
    const auto found = secrets_.find(request_token);
    return found == secrets_.end() ? nullptr : &found->second;
}

} // namespace baton::sim
