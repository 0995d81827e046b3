// What operators ask on the command line: each once, so nothing is cached.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
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

std::optional<RepositoryIds> ids_in(const json::value& root) {
    const auto* id = member(root, "id");
    const auto* owner = member(root, "owner");
    const auto* owner_id = owner == nullptr ? nullptr : member(*owner, "id");
    if (id == nullptr || !id->is_int64() || owner_id == nullptr || !owner_id->is_int64()) {
        return std::nullopt;
    }
    return RepositoryIds{.repository = id->as_int64(), .owner = owner_id->as_int64()};
}

tl::unexpected<Error> not_understood(const RepoName& repo) {
    return fail(
        Errc::unavailable, fmt::format("GitHub's answer about {} was not understood", repo.text())
    );
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

asio::awaitable<Result<HeadSha>> RestGithub::head_of(RepoName repo, std::string ref) {
    RestCall call{.repo = repo, .tail = fmt::format("/commits/{}", net::percent_encode(ref))};
    BATON_CO_TRY(
        const auto root, co_await read_json(std::move(call), Grant::read_contents, Ask::commit)
    );
    const auto* sha = member(root, "sha");
    if (sha == nullptr || !sha->is_string()) {
        co_return not_understood(repo);
    }
    co_return HeadSha(std::string(sha->as_string()));
}

asio::awaitable<Result<RepositoryIds>> RestGithub::ids_of(RepoName repo) {
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
