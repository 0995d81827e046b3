#include "baton/relay/shadow_github.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/github.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

domain::Answer withheld() {
    return {.outcome = domain::Outcome::withheld, .detail = "shadow: not sent"};
}

} // namespace

asio::awaitable<domain::Answer> ShadowGithub::dispatch(ports::DispatchCall /*call*/) {
    co_return withheld();
}

asio::awaitable<Result<std::optional<ports::FileVersion>>>
ShadowGithub::read_file(ports::FileQuery query) {
    return inner_.read_file(std::move(query));
}

asio::awaitable<Result<domain::Permission>> ShadowGithub::permission(ports::PermissionQuery query) {
    return inner_.permission(std::move(query));
}

asio::awaitable<Result<ports::HookPage>> ShadowGithub::hook_log(std::string cursor) {
    return inner_.hook_log(std::move(cursor));
}

asio::awaitable<Result<void>> ShadowGithub::ask_again(std::int64_t try_id) {
    co_return fail(
        Errc::forbidden, fmt::format("shadow: GitHub is not asked to send {} again", try_id)
    );
}

asio::awaitable<Result<ports::PullsPage>> ShadowGithub::open_pulls(ports::PullsQuery query) {
    return inner_.open_pulls(std::move(query));
}

asio::awaitable<Result<ports::PullView>> ShadowGithub::pull(RepoName repo, PrNumber number) {
    return inner_.pull(std::move(repo), number);
}

asio::awaitable<Result<domain::ImmutableIds>> ShadowGithub::repository_ids(RepoName repo) {
    return inner_.repository_ids(std::move(repo));
}

asio::awaitable<Result<HeadSha>> ShadowGithub::head_of(RepoName repo, std::string ref) {
    return inner_.head_of(std::move(repo), std::move(ref));
}

asio::awaitable<Result<bool>> ShadowGithub::has_commit(RepoName repo, HeadSha sha) {
    return inner_.has_commit(std::move(repo), std::move(sha));
}

asio::awaitable<ports::Posted> ShadowGithub::post_check(ports::CheckCall /*call*/) {
    co_return ports::Posted{.answer = withheld()};
}

asio::awaitable<ports::Posted> ShadowGithub::post_comment(ports::CommentCall /*call*/) {
    co_return ports::Posted{.answer = withheld()};
}

asio::awaitable<Result<std::optional<std::int64_t>>>
ShadowGithub::find_check(ports::CheckQuery query) {
    return inner_.find_check(std::move(query));
}

asio::awaitable<Result<std::optional<std::int64_t>>>
ShadowGithub::find_comment(ports::CommentQuery query) {
    return inner_.find_comment(std::move(query));
}

asio::awaitable<Result<ports::RerunAnswer>> ShadowGithub::rerun(ports::RerunCall /*call*/) {
    co_return ports::RerunAnswer::refused;
}

asio::awaitable<Result<void>> ShadowGithub::check_access() {
    return inner_.check_access();
}

} // namespace baton::relay
