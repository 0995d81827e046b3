#include "baton/github/rest.hpp"

#include "baton/async/budget.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/quota.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/redirect.hpp"
#include "baton/net/client.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::github {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kPaceLook{50};
constexpr std::chrono::seconds kPaceAgain{1};

bool is_redirect(int status) {
    return status == 301 || status == 302 || status == 307 || status == 308;
}

std::string target_of(const RestCall& call, std::optional<std::int64_t> repo_id) {
    if (call.repo.empty()) {
        return call.tail;
    }
    if (repo_id) {
        return fmt::format("/repositories/{}{}", *repo_id, call.tail);
    }
    return fmt::format(
        "/repos/{}{}", call.repo.text(), call.tail
    ); // a RepoName has no character to encode
}

net::ClientRequest
request_of(const RestCall& call, const std::string& token, std::optional<std::int64_t> repo_id) {
    net::ClientRequest request{
        .method = call.method,
        .target = target_of(call, repo_id),
        .headers = call.extra,
        .body = call.body,
    };
    request.headers.add("Accept", call.accept);
    request.headers.add("X-GitHub-Api-Version", "2022-11-28");
    request.headers.add("Authorization", "Bearer " + token);
    if (!call.body.empty()) {
        request.headers.add("Content-Type", "application/json");
    }
    return request;
}

domain::RequestWeight weight_of(const net::ClientRequest& request) {
    return request.method == "GET" ? domain::RequestWeight::reads : domain::RequestWeight::changes;
}

RestReply not_sent_before(TimePoint until, std::string_view why) {
    return {
        .reply = tl::unexpected(net::ClientFailure{
            .code = Errc::throttled,
            .detail = fmt::format("not sent: {} until {}", why, to_rfc3339(until)),
        }),
        .held_until = until,
    };
}

/// A request under way on an account, for as long as it lives; ends without news when it is cut
/// off.
class Counted {
public:
    Counted(domain::Quota& quota, domain::RequestWeight weight, const ports::Clock& clock)
        : quota_(quota)
        , clock_(clock) {
        quota_.began(weight, clock_.now());
    }

    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    ~Counted() { quota_.ended(news_, clock_.now()); }

    void learn(const tl::expected<net::ClientReply, net::ClientFailure>& reply) {
        if (reply) {
            news_ = quota_news(*reply, clock_.now());
        }
    }

private:
    domain::Quota& quota_;
    const ports::Clock& clock_;
    domain::QuotaNews news_;
};

} // namespace

asio::awaitable<bool> Rest::keep_pace(std::string account, Budget budget) {
    const auto& quota = quotas_.of(account);
    if (pace_ == 0 || quota.held_until(clock_->now())) {
        co_return true; // what holds it is told below
    }
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor);
    const auto patience = budget.left() / 2; // the request itself needs time, too
    while (quota.room(domain::Level::l4, clock_->now()) == 0) {
        if (budget.left() <= patience) {
            co_return false;
        }
        timer.expires_after(std::min(kPaceLook, budget.left() - patience));
        co_await timer.async_wait(asio::use_awaitable);
    }
    co_return true;
}

asio::awaitable<RestReply>
Rest::exchange(net::ClientRequest request, std::string account, Budget budget) {
    const bool has_room = co_await keep_pace(account, budget);
    if (!has_room) {
        co_return not_sent_before(clock_->now() + kPaceAgain, "github.pace leaves no room");
    }
    const auto place = co_await turnstile_.enter(budget);
    auto& quota = quotas_.of(account);
    if (const auto until = quota.held_until(clock_->now())) {
        co_return not_sent_before(*until, "GitHub's limit lasts");
    }
    if (!place || budget.spent()) {
        co_return RestReply{
            .reply = tl::unexpected(
                net::ClientFailure{.code = Errc::timed_out, .detail = "no time left to ask"}
            ),
        };
    }
    Counted counted(quota, weight_of(request), *clock_);
    RestReply answer;
    answer.reply = co_await client_->send(std::move(request), budget.left());
    counted.learn(answer.reply);
    co_return answer;
}

asio::awaitable<RestReply> Rest::send(RestCall call, std::string token, Budget budget) {
    RestReply answer;
    const auto account = call.as_app ? std::string{} : domain::account_of(call.repo);
    for (int hop = 0; hop <= kRedirectsMax; ++hop) {
        auto request = request_of(call, token, answer.repo_id);
        auto one = co_await exchange(std::move(request), account, budget);
        answer.reply = std::move(one.reply);
        answer.held_until = one.held_until;
        if (!is_redirect(answer.status()) || call.repo.empty()) {
            co_return answer;
        }
        const auto location = answer.reply->headers.find("location");
        const auto repo_id = moved_to(location.value_or(""), api_, call.tail);
        if (!repo_id || (answer.repo_id && *answer.repo_id != *repo_id)) {
            co_return answer; // elsewhere, or on to another repository: not ours to follow
        }
        answer.repo_id = repo_id;
    }
    co_return answer;
}

} // namespace baton::github
