#include "baton/github/credentials.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/app_jwt.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/json_read.hpp"
#include "baton/github/rest.hpp"
#include "baton/github/token_cache.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::github {

namespace asio = boost::asio;
using domain::Answer;
using domain::Outcome;

namespace {

/// Anything but a good reply, as an Answer; nullopt when it is good.
std::optional<Answer> trouble_in(const RestReply& rest, const Asked& asked) {
    auto answer = answer_of(rest, asked);
    return answer.outcome == Outcome::accepted ? std::nullopt : std::optional(std::move(answer));
}

Answer not_understood(const RestReply& rest, std::string_view what, const RepoName& repo) {
    return {
        .outcome = Outcome::not_sent,
        .status = rest.status(),
        .detail =
            fmt::format("GitHub's answer about {} of {} was not understood", what, repo.text()),
    };
}

Answer no_time(const RepoName& repo) {
    return {
        .outcome = Outcome::not_sent,
        .detail = fmt::format("no time left while waiting for a token for {}", repo.text()),
    };
}

} // namespace

Credentials::Credentials(
    AppIdentity identity, Rest* rest, const ports::Clock* clock, std::function<TimePoint()> calendar
)
    : identity_(std::move(identity))
    , rest_(rest)
    , clock_(clock)
    , calendar_(calendar ? std::move(calendar) : [clock] { return clock->now(); }) {}

void Credentials::use(AppIdentity identity) {
    identity_ = std::move(identity);
    jwt_.reset();
}

Credentials::Awaitable<std::string>
Credentials::token_for(RepoName repo, Grant grant, Budget budget) {
    // An installation that we remember may be gone, or its repository renamed; then look it up
    // afresh, once.
    bool remembered = installations_.find(repo.key(), clock_->now()) != nullptr;
    while (true) {
        auto installation = co_await installation_of(repo, budget);
        if (!installation) {
            co_return tl::unexpected(installation.error());
        }
        const TokenOwner owner{.installation = installation->id, .repo = repo, .grant = grant};
        if (auto token = tokens_.find(owner, calendar_())) {
            co_return *std::move(token);
        }
        auto work = mint(*installation, repo, grant, budget);
        auto minted = co_await mints_.run(owner.key(), std::move(work), budget);
        if (!minted) {
            co_return tl::unexpected(no_time(repo));
        }
        if (*minted || minted->error().outcome != Outcome::refused || !remembered) {
            co_return *std::move(minted);
        }
        remembered = false;
        doubt(repo);
    }
}

void Credentials::reject(const RepoName& repo, Grant grant, const std::string& token) {
    const auto* found = installations_.find(repo.key(), clock_->now());
    if (found != nullptr && *found) {
        tokens_.reject({.installation = (*found)->id, .repo = repo, .grant = grant}, token);
    }
}

void Credentials::doubt(const RepoName& repo) {
    installations_.erase(repo.key());
}

asio::awaitable<RestReply> Credentials::send_as_app(RestCall call, Budget budget) {
    call.as_app = true;
    const auto token = app_token();
    auto reply = co_await rest_->send(call, token, budget);
    if (reply.status() != 401) {
        co_return reply;
    }
    if (jwt_ && jwt_->token == token) { // somebody else may have renewed it meanwhile
        jwt_.reset();
    }
    const auto fresh = app_token();
    reply = co_await rest_->send(std::move(call), fresh, budget);
    co_return reply;
}

Credentials::Awaitable<Installation> Credentials::installation_of(RepoName repo, Budget budget) {
    if (const auto* found = installations_.find(repo.key(), clock_->now())) {
        co_return *found;
    }
    auto work = look_up(repo, budget);
    auto found = co_await lookups_.run(repo.key(), std::move(work), budget);
    if (!found) {
        co_return tl::unexpected(no_time(repo));
    }
    co_return *std::move(found);
}

asio::awaitable<Credentials::Found> Credentials::look_up(RepoName repo, Budget budget) {
    RestCall call{.repo = repo, .tail = "/installation"};
    const auto rest = co_await send_as_app(std::move(call), budget);
    const auto now = clock_->now();
    if (auto trouble = trouble_in(rest, {.ask = Ask::installation, .repo = repo, .now = now})) {
        Found absent = tl::unexpected(*std::move(trouble));
        if (absent.error().outcome == Outcome::refused) {
            installations_.put(repo.key(), absent, now + kAbsenceLife);
        }
        co_return absent;
    }
    const auto root = parsed(rest.reply->body);
    const auto* id = member(root, "id");
    if (id == nullptr || !id->is_int64() || id->as_int64() <= 0) {
        co_return tl::unexpected(not_understood(rest, "the installation", repo));
    }
    const Installation installation{.id = id->as_int64(), .repo_id = rest.repo_id};
    installations_.put(repo.key(), installation, now + kInstallationLife);
    co_return installation;
}

asio::awaitable<Credentials::Minted>
Credentials::mint(Installation installation, RepoName repo, Grant grant, Budget budget) {
    RestCall call{
        .method = "POST",
        .tail = fmt::format("/app/installations/{}/access_tokens", installation.id),
        .body = token_request(installation, repo, grant),
    };
    const auto rest = co_await send_as_app(std::move(call), budget);
    if (auto trouble = trouble_in(rest, {.ask = Ask::token, .repo = repo, .now = clock_->now()})) {
        co_return tl::unexpected(*std::move(trouble));
    }
    const auto root = parsed(rest.reply->body);
    const auto* token = member(root, "token");
    const auto* expires_at = member(root, "expires_at");
    if (token == nullptr || !token->is_string() || token->as_string().empty() ||
        expires_at == nullptr || !expires_at->is_string()) {
        co_return tl::unexpected(not_understood(rest, "a token", repo));
    }
    const auto expiry = parse_rfc3339(expires_at->as_string());
    if (!expiry) {
        co_return tl::unexpected(not_understood(rest, "a token", repo));
    }
    std::string text(token->as_string());
    tokens_.put({.installation = installation.id, .repo = repo, .grant = grant}, text, *expiry);
    co_return text;
}

std::string Credentials::app_token() {
    const auto now = calendar_();
    // Also when the clock was set back: a token from the future is refused.
    if (!jwt_ || now >= jwt_->use_until || now < jwt_->use_until - crypto::kAppJwtUse) {
        jwt_ = crypto::make_app_jwt(identity_.key, identity_.app_id, now);
    }
    return jwt_->token;
}

} // namespace baton::github
