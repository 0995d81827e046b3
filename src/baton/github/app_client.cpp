#include "baton/github/app_client.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/credentials.hpp"
#include "baton/github/rest.hpp"
#include "baton/github/token_cache.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::github {

namespace asio = boost::asio;
using domain::Answer;
using domain::Outcome;

namespace {

Answer answer_in(const RestReply& rest, const Asked& asked) {
    return rest.reply ? answer_of(*rest.reply, asked) : answer_of(rest.reply.error(), asked);
}

/// Each segment encoded, the slashes kept; `invalid` for what would lead out of the repository.
Result<std::string> encoded_path(std::string_view path) {
    std::string encoded;
    while (!path.empty()) {
        const auto slash = std::min(path.find('/'), path.size());
        const auto segment = path.substr(0, slash);
        if (segment.empty() || segment == "." || segment == "..") {
            return fail(
                Errc::invalid, fmt::format("\"{}\" is not a path inside a repository", inert(path))
            );
        }
        encoded += '/';
        encoded += net::percent_encode(segment);
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return encoded;
}

/// `role_name` tells triage and maintain apart, `permission` does not; a role that an organisation
/// named itself is known by what it amounts to.
std::optional<domain::Permission> permission_in(std::string_view body) {
    boost::system::error_code error;
    const auto root = boost::json::parse(body, error);
    if (error || !root.is_object()) {
        return std::nullopt;
    }
    const auto* role = root.as_object().if_contains("role_name");
    const auto* legacy = root.as_object().if_contains("permission");
    if (role != nullptr && role->is_string()) {
        const auto named = domain::permission_named(role->as_string());
        if (named != domain::Permission::none) {
            return named;
        }
    }
    if (legacy == nullptr || !legacy->is_string()) {
        return role != nullptr && role->is_string() ? std::optional(domain::Permission::none)
                                                    : std::nullopt;
    }
    return domain::permission_named(legacy->as_string());
}

} // namespace

Result<std::unique_ptr<RestGithub>> RestGithub::make(
    asio::any_io_executor executor,
    RestGithubOptions options,
    AppIdentity identity,
    const ports::Clock& clock
) {
    BATON_TRY(auto api, net::parse_url(options.api_url));
    net::ClientOptions client_options;
    client_options.base_url = std::move(options.api_url);
    client_options.ca_file = std::move(options.ca_file);
    BATON_TRY(auto client, net::Client::make(std::move(executor), std::move(client_options)));
    return std::unique_ptr<RestGithub>(
        new RestGithub(std::move(client), std::move(api), std::move(identity), clock, options.wait)
    );
}

RestGithub::RestGithub(
    std::unique_ptr<net::Client> client,
    net::Url api,
    AppIdentity identity,
    const ports::Clock& clock,
    std::chrono::milliseconds wait
)
    : client_(std::move(client))
    , clock_(&clock)
    , wait_(wait)
    , rest_(client_.get(), std::move(api))
    , credentials_(std::move(identity), &rest_, clock_) {}

asio::awaitable<Answer> RestGithub::dispatch(ports::DispatchCall call) {
    const Budget budget(wait_);
    const auto repo = call.downstream;
    RestCall request{
        .method = "POST", .repo = repo, .tail = "/dispatches", .body = std::move(call.body)
    };
    const auto rest = co_await send(std::move(request), Grant::write_contents, budget);
    if (!rest) {
        co_return rest.error();
    }
    auto answer = answer_in(*rest, {.ask = Ask::dispatch, .repo = repo, .now = clock_->now()});
    if (answer.outcome == Outcome::refused) {
        credentials_.doubt(repo);
    }
    co_return answer;
}

asio::awaitable<Result<std::optional<ports::FileVersion>>>
RestGithub::read_file(ports::FileQuery query) {
    const Budget budget(wait_);
    BATON_CO_TRY(const auto path, encoded_path(query.path));
    RestCall request{
        .repo = query.repo,
        .tail = fmt::format("/contents{}", path),
        .accept = "application/vnd.github.raw+json",
    };
    if (!query.ref.empty()) {
        request.tail += fmt::format("?ref={}", net::percent_encode(query.ref));
    }
    if (!query.etag.empty()) {
        request.extra.add("If-None-Match", query.etag);
    }
    const auto rest = co_await send(std::move(request), Grant::read_contents, budget);
    if (!rest) {
        co_return fail(error_of(rest.error()));
    }
    if (rest->status() == 304) {
        co_return std::nullopt;
    }
    if (!rest->reply && rest->reply.error().code == Errc::invalid) {
        co_return fail(
            Errc::invalid,
            fmt::format("{} of {} cannot be read", inert(query.path), query.repo.text())
        );
    }
    const auto answer =
        answer_in(*rest, {.ask = Ask::file, .repo = query.repo, .now = clock_->now()});
    if (answer.outcome != Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    if (rest->reply->body.size() > limits::kAllowlistBytesMax) {
        co_return fail(
            Errc::invalid,
            fmt::format(
                "{} of {} is larger than {} bytes",
                inert(query.path),
                query.repo.text(),
                limits::kAllowlistBytesMax
            )
        );
    }
    ports::FileVersion version{
        .text = rest->reply->body,
        .etag = std::string(rest->reply->headers.find("etag").value_or("")),
    };
    co_return version;
}

asio::awaitable<Result<domain::Permission>> RestGithub::permission(ports::PermissionQuery query) {
    const Budget budget(wait_);
    if (query.login.empty()) {
        co_return domain::Permission::none;
    }
    RestCall request{
        .repo = query.repo,
        .tail =
            fmt::format("/collaborators/{}/permission", net::percent_encode(query.login.text())),
    };
    const auto rest = co_await send(std::move(request), Grant::read_metadata, budget);
    if (!rest) {
        co_return fail(error_of(rest.error()));
    }
    if (rest->status() == 404) {
        co_return domain::Permission::none;
    }
    const auto answer =
        answer_in(*rest, {.ask = Ask::permission, .repo = query.repo, .now = clock_->now()});
    if (answer.outcome != Outcome::accepted) {
        co_return fail(error_of(answer));
    }
    const auto permission = permission_in(rest->reply->body);
    if (!permission) {
        co_return fail(
            Errc::unavailable,
            fmt::format(
                "GitHub's answer about someone's rights on {} was not understood", query.repo.text()
            )
        );
    }
    co_return *permission;
}

asio::awaitable<Result<void>> RestGithub::check_access() {
    const Budget budget(wait_);
    if (!access_ || clock_->now() >= access_->until) {
        auto work = ask_app(budget);
        const auto answer = co_await app_asks_.run("app", std::move(work), budget);
        if (!answer) {
            co_return fail(Errc::timed_out, "no time left while waiting for GitHub");
        }
        const bool good = answer->outcome == Outcome::accepted;
        access_ = Access{
            .answer = *answer, .until = clock_->now() + (good ? kAccessLife : kNoAccessLife)
        };
    }
    if (access_->answer.outcome != Outcome::accepted) {
        co_return fail(error_of(access_->answer));
    }
    co_return Result<void>{};
}

asio::awaitable<tl::expected<RestReply, Answer>>
RestGithub::send(RestCall call, Grant grant, Budget budget) {
    RestReply rest;
    for (int round = 0; round < 2; ++round) { // a refused token is renewed once
        const auto token = co_await credentials_.token_for(call.repo, grant, budget);
        if (!token) {
            co_return tl::unexpected(token.error());
        }
        rest = co_await rest_.send(call, *token, budget);
        if (rest.status() != 401) {
            break;
        }
        credentials_.reject(call.repo, grant, *token);
    }
    co_return rest;
}

asio::awaitable<Answer> RestGithub::ask_app(Budget budget) {
    RestCall call{.tail = "/app"};
    const auto rest = co_await credentials_.send_as_app(std::move(call), budget);
    co_return answer_in(rest, {.ask = Ask::app, .repo = {}, .now = clock_->now()});
}

} // namespace baton::github
