// What is asked about repositories, their commits and the App.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/in_process_github.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

namespace baton::sim {

namespace asio = boost::asio;

asio::awaitable<Result<domain::ImmutableIds>> InProcessGithub::repository_ids(RepoName name) {
    const auto trip = co_await set_out("repo", name);
    const auto* const repo = reach(name);
    Result<domain::ImmutableIds> truth = fail(Errc::not_found, "Not Found");
    if (repo != nullptr && repo->installed) {
        truth = domain::ImmutableIds{
            .repository = static_cast<std::int64_t>(repo->id), .owner = repo->owner.id
        };
    }
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return truth;
}

asio::awaitable<Result<HeadSha>> InProcessGithub::head_of(RepoName name, std::string ref) {
    const auto trip = co_await set_out("commit", name);
    const auto* const repo = reach(name);
    Result<HeadSha> truth = fail(Errc::not_found, "Not Found");
    if (repo != nullptr && repo->installed) {
        const auto found = GithubModel::commit(*repo, ref);
        truth = found ? Result<HeadSha>(*found)
                      : fail(Errc::not_found, fmt::format("No commit found for SHA: {}", ref));
    }
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return truth;
}

asio::awaitable<Result<bool>> InProcessGithub::has_commit(RepoName name, HeadSha sha) {
    const auto trip = co_await set_out("commit", name);
    const auto* const repo = reach(name);
    Result<bool> truth = fail(Errc::not_found, "Not Found");
    if (repo != nullptr && repo->installed) {
        truth = GithubModel::commit(*repo, sha.text()) == sha;
    }
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return truth;
}

asio::awaitable<Result<void>> InProcessGithub::check_access() {
    const auto trip = co_await set_out("app", std::nullopt);
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return Result<void>{};
}

} // namespace baton::sim
