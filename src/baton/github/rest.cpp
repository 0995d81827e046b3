#include "baton/github/rest.hpp"

#include "baton/async/budget.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/quota.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/redirect.hpp"
#include "baton/net/client.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace baton::github {

namespace asio = boost::asio;

namespace {

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

std::string limit_text(TimePoint until) {
    return fmt::format("not sent: GitHub's limit lasts until {}", to_rfc3339(until));
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

asio::awaitable<RestReply>
Rest::exchange(net::ClientRequest request, std::string account, Budget budget) {
    const auto place = co_await turnstile_.enter(budget);
    auto& quota = quotas_.of(account);
    const auto held_until = quota.held_until(clock_->now());
    if (!place || budget.spent() || held_until) {
        co_return RestReply{
            .reply = tl::unexpected(net::ClientFailure{
                .code = held_until ? Errc::throttled : Errc::timed_out,
                .detail = held_until ? limit_text(*held_until) : "no time left to ask",
            }),
            .held_until = held_until,
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
