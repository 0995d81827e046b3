#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

/// One run of a workflow in GitHub Actions, in one of its attempts: what a token is about.
struct ActionsRun {
    std::int64_t id{0};
    std::int64_t number{0}; // of this workflow in this repository
    int attempt{1};
    RepoName repo;
    RepoId repo_id{};
    std::int64_t owner_id{0};
    bool is_private{false};
    std::string workflow;
    std::string event_name;
    std::string ref; // the branch that the workflow was taken from
    HeadSha sha;
    Login actor;
};

struct NewRun {
    std::string workflow{"ci"};
    std::string event_name{"repository_dispatch"};
    Login actor{"baton[bot]"};
};

/// The runs that Actions began, and the secrets by which a running job asks for its identity. The
/// newest are kept. One thread.
class ActionsRuns {
public:
    explicit ActionsRuns(std::uint64_t seed)
        : chance_(seed_for(seed, "runs")) {}

    /// Begins one on the default branch.
    ActionsRun begin(const Repo& repo, NewRun what);

    /// What stands in the job's environment as ACTIONS_ID_TOKEN_REQUEST_TOKEN.
    std::string request_token(const ActionsRun& run);

    /// nullptr when there is no such secret.
    const ActionsRun* who(std::string_view request_token) const;

private:
    static constexpr std::size_t kSecretsMax = 10'000;

    SeededChance chance_;
    std::int64_t next_{9'100'000'001};
    std::map<std::pair<RepoName, std::string>, std::int64_t> numbers_; // by workflow
    std::map<std::string, ActionsRun, std::less<>> secrets_;
    std::deque<std::string> oldest_;
};

} // namespace baton::sim
