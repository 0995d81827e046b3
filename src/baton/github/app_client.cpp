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

Result<std::unique_ptr<RestGithub>> RestGithub::make(
    asio::any_io_executor executor,
    RestGithubOptions options,
    AppIdentity identity,
    const ports::Clock& clock
) {
    BATON_TRY(auto api, net::parse_url(options.api_url));
    net::ClientOptions client_options;
    client_options.base_url = options.api_url;
    client_options.ca_file = options.ca_file;
    BATON_TRY(auto client, net::Client::make(std::move(executor), std::move(client_options)));
    return std::unique_ptr<RestGithub>(
        new RestGithub(std::move(client), std::move(api), std::move(identity), clock, options)
    );
}

RestGithub::RestGithub(
    std::unique_ptr<net::Client> client,
    net::Url api,
    AppIdentity identity,
    const ports::Clock& clock,
    const RestGithubOptions& options
)
    : client_(std::move(client))
    , clock_(&clock)
    , wait_(options.wait)
    , rest_(client_.get(), std::move(api), clock_, options.pace)
    , credentials_(std::move(identity), &rest_, clock_, options.calendar) {}

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
    auto answer = answer_of(*rest, {.ask = Ask::dispatch, .repo = repo, .now = clock_->now()});
    if (answer.outcome == Outcome::refused) {
        credentials_.doubt(repo);
    }
    co_return answer;
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
    co_return answer_of(rest, {.ask = Ask::app, .repo = {}, .now = clock_->now()});
}

} // namespace baton::github
