#pragma once

#include "baton/async/budget.hpp"
#include "baton/async/turnstile.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/quota.hpp"
#include "baton/net/client.hpp"
#include "baton/net/http.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace baton::github {

using async::Budget;

/// One request to GitHub, but for who asks.
struct RestCall {
    std::string method{"GET"};
    RepoName repo;      // empty: `tail` is the whole target
    std::string tail;   // after /repos/{owner}/{repo}: "/dispatches"
    bool as_app{false}; // counted on the App's own account, not on that of the repository's owner
    std::string accept{"application/vnd.github+json"};
    net::Headers extra;
    std::string body;
};

struct RestReply {
    tl::expected<net::ClientReply, net::ClientFailure> reply{net::ClientReply{}};
    std::optional<std::int64_t> repo_id; // of the repository that we were redirected to
    std::optional<TimePoint> held_until; // not sent: a limit, or our own pace, lasts until then

    /// 0 without a reply.
    int status() const { return reply ? reply->status : 0; }
};

/// GitHub's manners: its headers, its limits, and redirects of renamed repositories (section 7:
/// within api_url, by the number of the repository, at most three, method and body kept). A
/// redirect that is not followed is returned as it came.
///
/// Every request passes here, so here is where none passes while its account is limited, where each
/// waits for its part of the pace, and where at most limits::kInFlightMax are under way.
class Rest {
public:
    static constexpr int kRedirectsMax = 3;

    Rest(net::Client* client, net::Url api, const ports::Clock* clock, std::int64_t pace)
        : client_(client)
        , api_(std::move(api))
        , clock_(clock)
        , pace_(pace)
        , quotas_(pace) {}

    const domain::QuotaBook& quotas() const { return quotas_; }

    void hear(const domain::OthersQuotas& others, TimePoint now) { quotas_.hear(others, now); }

    boost::asio::awaitable<RestReply> send(RestCall call, std::string token, Budget budget);

private:
    /// Waits until the pace has room, for half of the budget at most. False: it has none.
    boost::asio::awaitable<bool> keep_pace(std::string account, Budget budget);
    /// One request on the account of whoever is asked about.
    boost::asio::awaitable<RestReply>
    exchange(net::ClientRequest request, std::string account, Budget budget);

    net::Client* client_;
    net::Url api_;
    const ports::Clock* clock_;
    std::int64_t pace_; // points a minute; 0: none
    domain::QuotaBook quotas_;
    async::Turnstile turnstile_{limits::kInFlightMax};
};

} // namespace baton::github
