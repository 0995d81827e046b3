// What is asked about repositories and their commits: seldom, so nothing is cached.

#include "baton/base/forms.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/json_read.hpp"
#include "baton/github/rest.hpp"
#include "baton/github/token_cache.hpp"
#include "baton/net/url.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::github {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

std::optional<domain::ImmutableIds> ids_in(const json::value& root) {
    const auto* id = member(root, "id");
    const auto* owner = member(root, "owner");
    const auto* owner_id = owner == nullptr ? nullptr : member(*owner, "id");
    if (id == nullptr || !id->is_int64() || owner_id == nullptr || !owner_id->is_int64()) {
        return std::nullopt;
    }
    const domain::ImmutableIds ids{.repository = id->as_int64(), .owner = owner_id->as_int64()};
    return ids.repository > 0 && ids.owner > 0 ? std::optional(ids) : std::nullopt;
}

tl::unexpected<Error> not_understood(const RepoName& repo) {
    return fail(
        Errc::unavailable, fmt::format("GitHub's answer about {} was not understood", repo.text())
    );
}

/// As GitHub writes them, of either kind of repository.
bool is_commit(std::string_view text) {
    const bool long_enough = text.size() == 40 || text.size() == 64;
    return long_enough && is_hex(text) && text == lower(text);
}

} // namespace

asio::awaitable<Result<json::value>> RestGithub::read_json(RestCall call, Grant grant, Ask ask) {
    const Budget budget(wait_);
    const auto repo = call.repo;
    const auto rest = co_await send(std::move(call), grant, budget);
    if (!rest) {
        co_return fail(error_of(rest.error()));
    }
    const auto answer = answer_of(*rest, {.ask = ask, .repo = repo, .now = clock_->now()});
    if (answer.outcome != domain::Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    co_return parsed(rest->reply->body);
}

asio::awaitable<Result<std::optional<HeadSha>>>
RestGithub::commit_named(RepoName repo, std::string ref) {
    const Budget budget(wait_);
    RestCall call{
        .repo = repo,
        .tail = fmt::format("/commits/{}", net::percent_encode(ref)),
        .accept = "application/vnd.github.sha", // the commit itself may be megabytes of patches
    };
    const auto rest = co_await send(std::move(call), Grant::read_contents, budget);
    if (!rest) {
        co_return fail(error_of(rest.error()));
    }
    if (rest->status() == 422) { // 404 would be about the repository
        co_return std::optional<HeadSha>{};
    }
    const auto answer = answer_of(*rest, {.ask = Ask::commit, .repo = repo, .now = clock_->now()});
    if (answer.outcome != domain::Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    const auto sha = trimmed(rest->reply->body);
    if (!is_commit(sha)) {
        co_return not_understood(repo);
    }
    co_return HeadSha(std::string(sha));
}

asio::awaitable<Result<HeadSha>> RestGithub::head_of(RepoName repo, std::string ref) {
    BATON_CO_TRY(const auto sha, co_await commit_named(repo, ref));
    if (!sha) {
        co_return fail(
            Errc::not_found, fmt::format("{} has no commit {}", repo.text(), inert(ref))
        );
    }
    co_return *sha;
}

asio::awaitable<Result<bool>> RestGithub::has_commit(RepoName repo, HeadSha sha) {
    BATON_CO_TRY(const auto found, co_await commit_named(repo, sha.text()));
    co_return found == sha; // a branch may be called like a commit
}

asio::awaitable<Result<domain::ImmutableIds>> RestGithub::repository_ids(RepoName repo) {
    RestCall call{.repo = repo, .tail = ""};
    BATON_CO_TRY(
        const auto root, co_await read_json(std::move(call), Grant::read_metadata, Ask::repository)
    );
    const auto ids = ids_in(root);
    if (!ids) {
        co_return not_understood(repo);
    }
    co_return *ids;
}

} // namespace baton::github
